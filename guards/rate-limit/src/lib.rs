//! Refuses calls of tools that come too fast, with token buckets.
//!
//! Without configuration a session may make 120 calls in a minute. With everything:
//!
//! ```toml
//! [hooks.rate-limit.grants]
//! state = true
//! shared-state = ["rates"] # for limits with scope = "shared"
//!
//! [[hooks.rate-limit.config.limits]]
//! tools = ["*"]          # `*` stands for any text
//! calls = 120            # so many calls …
//! seconds = 60           # … in so many seconds, refilled evenly
//! burst = 120            # at once at most; `calls` if left out
//! scope = "session"      # or "shared", for all sessions together
//! each_tool = false      # whether each tool has a bucket of its own
//! ```
//!
//! A call must fit every limit that names its tool. The reason says how long to wait, so that the model can.
//!
//! Points: `pre-tool-call`. Role: gate, so it fails closed. It sees no text.

mod bucket;
mod config;

use std::time::{SystemTime, UNIX_EPOCH};

use bucket::Bucket;
use config::{Config, Limit, Scope};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

const RATES: shared::Namespace<'_> = shared::namespace("rates");
/// How often a bucket is tried to be changed while other sessions change it.
const TRIES: usize = 16;

static CONFIG: Prepared<Config> = Prepared::new(|| config::<Config>()?.checked());

struct RateLimit;

#[hook(
    id = "rate-limit",
    kind = "budget",
    description = "Refuses calls of tools that come too fast.",
    priority = 950,
    config = Config
)]
impl RateLimit {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let config = CONFIG.get()?;
        let tool = call.name();
        let now = now()?;
        for (at, limit) in config
            .limits
            .iter()
            .enumerate()
            .filter(|(_, limit)| limit.is_for(&tool))
        {
            let key = limit.key(at, &tool);
            let taken = match limit.scope {
                Scope::Session => from_session(limit, &key, now)?,
                Scope::Shared => from_shared(limit, &key, now)?,
            };
            if let Err(wait) = taken {
                let reason = format!(
                    "`{tool}` was called too often: {} calls in {} seconds. Wait {wait} s.",
                    limit.calls, limit.seconds
                );
                return Ok(call.reject("rate-limit", reason));
            }
        }
        Ok(call.proceed())
    }
}

/// Milliseconds since 1970.
fn now() -> HookResult<u64> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    Ok(u64::try_from(since.as_millis())?)
}

fn from_session(limit: &Limit, key: &str, now: u64) -> HookResult<Result<(), u64>> {
    let bucket: Option<Bucket> = state::get(key)?;
    let (bucket, taken) = Bucket::take(bucket, limit, now);
    state::set(key, &bucket)?;
    Ok(taken)
}

fn from_shared(limit: &Limit, key: &str, now: u64) -> HookResult<Result<(), u64>> {
    for _ in 0..TRIES {
        let before: Option<Bucket> = RATES.get(key)?;
        let (after, taken) = Bucket::take(before, limit, now);
        if RATES.compare_and_swap(key, before.as_ref(), Some(&after))? {
            return Ok(taken);
        }
    }
    Err(Error::failed(
        "other sessions change the bucket all the time",
    ))
}
