//! Fails on purpose, to show how the host handles failures. Not for production.
//!
//! ```toml
//! [hooks.flaky.config]
//! fail_on = 2    # the call that fails, counted from 1
//! how = "panic"  # or "loop", "alloc", "error", "reject"
//! ```
//!
//! | `how` | what the call does | what stops it |
//! | --- | --- | --- |
//! | `panic` | traps | itself |
//! | `loop` | never ends | the deadline, or the fuel |
//! | `alloc` | allocates forever | the memory limit |
//! | `error` | returns an error | itself; the instance is kept |
//! | `reject` | refuses the response, which is not a failure | itself; the instance is kept |
//!
//! Calls are counted within one instance: the host drops an instance that trapped, and a new one
//! counts from 1 again.
//!
//! Points: `post-llm-call`. Role: gate, so it fails closed. Needs no view and no grant.

mod failure;

use failure::{Config, How};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

static CONFIG: Prepared<Config> = Prepared::new(|| config::<Config>()?.checked());
static CALLS: AtomicU32 = AtomicU32::new(0);

struct Flaky;

#[hook(
    id = "flaky",
    kind = "test",
    description = "Fails on purpose at the call that the operator names.",
    config = Config
)]
impl Flaky {
    fn post_llm_call(call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        let config = CONFIG.get()?;
        let number = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
        if !config.fails(number) {
            return Ok(call.proceed());
        }
        let message = format!("call {number} fails on purpose");
        warn!(how = ?config.how, "{message}");
        match config.how {
            How::Panic => panic!("{message}"),
            How::Loop => failure::run_forever(),
            How::Alloc => failure::allocate_forever(),
            How::Error => Err(Error::failed(message)),
            How::Reject => Ok(call.reject("flaky", message)),
        }
    }
}
