//! Fails on purpose, to show what the host makes of it. Not for use.
//!
//! ```toml
//! [hooks.flaky.config]
//! fail_on = 2    # the call that fails, counted from 1
//! how = "panic"  # or "loop", "alloc", "error"
//! ```
//!
//! | `how` | what the call does | what stops it |
//! | --- | --- | --- |
//! | `panic` | traps | itself |
//! | `loop` | never ends | the deadline, or the fuel |
//! | `alloc` | takes memory for ever | the memory limit |
//! | `error` | gives an error | itself; the instance lives on |
//!
//! Calls are counted within one instance: the host throws away an instance that trapped, and a
//! new one counts from 1 again.
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
    description = "Fails on purpose at the call it is told to.",
    role = gate
)]
impl Flaky {
    fn post_llm_call(
        _: Context,
        _: post_llm_call::LlmResult,
    ) -> HookResult<post_llm_call::Outcome> {
        let config = CONFIG.get()?;
        let call = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
        if config.fails(call) {
            warn!(call, how = ?config.how, "failing on purpose");
            fail(config.how, call)?;
        }
        Ok(post_llm_call::Outcome::Continue)
    }
}

fn fail(how: How, call: u32) -> HookResult<()> {
    match how {
        How::Panic => panic!("call {call} fails on purpose"),
        How::Loop => failure::run_forever(),
        How::Alloc => failure::allocate_forever(),
        How::Error => Err(Error::failed(format_args!("call {call} fails on purpose"))),
    }
}
