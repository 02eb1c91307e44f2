//! Refuses tool calls that come too fast, with token buckets.
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
//! A call must be within all limits that match its tool. A refused call takes no token of the others, unless another
//! session takes the last token of a shared bucket at the same moment. The reason says how long to wait, so that the model can.
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
/// The most attempts to change a bucket while other sessions change it.
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
        let limits = config.limits.iter().enumerate();
        let limits: Vec<(String, &Limit)> = limits
            .filter(|(_, limit)| limit.is_for(&tool))
            .map(|(at, limit)| (limit.key(at, &tool), limit))
            .collect();
        let refused = |limit: &Limit, wait: u64| -> HookResult<pre_tool_call::Verdict> {
            let reason = format!(
                "`{tool}` was called too often: {} calls in {} seconds. Wait {wait} s.",
                limit.calls, limit.seconds
            );
            Ok(call.reject("rate-limit", reason))
        };
        if limits.len() > 1 {
            let mut longest: Option<(&Limit, u64)> = None;
            for (key, limit) in &limits {
                if let Err(wait) = has_token(limit, key, now)?
                    && longest.is_none_or(|(_, most)| wait > most)
                {
                    longest = Some((limit, wait));
                }
            }
            if let Some((limit, wait)) = longest {
                return refused(limit, wait);
            }
        }
        for (key, limit) in &limits {
            let taken = match limit.scope {
                Scope::Session => from_session(limit, key, now)?,
                Scope::Shared => from_shared(limit, key, now)?,
            };
            if let Err(wait) = taken {
                return refused(limit, wait);
            }
        }
        Ok(call.proceed())
    }
}

/// Returns whether there is a token, without taking it. A bucket without one is stored, so that it
/// refills from the current time if the clock was set back.
fn has_token(limit: &Limit, key: &str, now: u64) -> HookResult<Result<(), u64>> {
    let before: Option<Bucket> = match limit.scope {
        Scope::Session => state::get(key)?,
        Scope::Shared => RATES.get(key)?,
    };
    let (after, taken) = Bucket::take(before, limit, now);
    if taken.is_err() && before != Some(after) {
        match limit.scope {
            Scope::Session => state::set(key, &after)?,
            // If another session has changed it meanwhile, it has written the time.
            Scope::Shared => {
                RATES.compare_and_swap(key, before.as_ref(), Some(&after))?;
            }
        }
    }
    Ok(taken)
}

/// Returns the milliseconds since 1970.
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
