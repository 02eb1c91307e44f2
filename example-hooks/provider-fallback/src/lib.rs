//! Repeats a failed model call, or switches to another provider.
//!
//! ```toml
//! [hooks.provider-fallback.grants]
//! state = true
//!
//! [hooks.provider-fallback.config]
//! order = ["main", "backup"] # left out: the agent's own order
//! backoff_ms = 500           # the first wait; each further one is twice as long
//! longest_wait_ms = 20000    # rather than wait longer, switch
//! give_up_on = ["bad-request", "context-length"]
//!
//! # The number of retries of the same provider. These are the defaults; other kinds of failure are
//! # not retried.
//! [hooks.provider-fallback.config.retries]
//! rate-limited = 2
//! overloaded = 2
//! timeout = 1
//! network = 1
//! server = 1
//! ```
//!
//! It calls a provider again while retries are left, and waits at least as long as the provider asks.
//! Then it calls the next provider of `order`, with retries of its own. After the last one it gives up;
//! for a kind in `give_up_on` it gives up at once. A wrong key (`auth`) switches at once.
//!
//! With the grant `state` it remembers when it switched, and so how often the current provider has
//! been called.
//!
//! Points: `llm-error`. Role: transform.

mod plan;
mod settings;
mod switch;

use plan::{Decision, Plan};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use switch::Switch;

/// The key of the last switch.
const SWITCH: &str = "switch";

static PLAN: Prepared<Plan> = Prepared::new(|| Ok(Plan::new(config()?)));

struct ProviderFallback;

#[hook(
    id = "provider-fallback",
    kind = "resilience",
    description = "Retries failed model calls and switches to another provider.",
    config = settings::Settings
)]
impl ProviderFallback {
    fn llm_error(call: &llm_error::Call) -> HookResult<llm_error::Verdict> {
        let failure = call.facts();
        let step = (context::turn(), context::step());
        let last: Option<Switch> = state::get(SWITCH)?;
        let tries = last.map_or(failure.attempt, |last| last.tries_since(step, &failure));
        let decision = PLAN.get()?.decide(&failure, tries);
        info!(
            provider = failure.provider,
            kind = failure.kind.as_str(),
            tries,
            ?decision,
            "a model call failed"
        );
        Ok(match decision {
            Decision::Retry(wait_ms) => call.retry(wait_ms),
            Decision::Switch(provider) => {
                state::set(SWITCH, &Switch::to(&provider, step, &failure))?;
                call.switch_provider(provider, None)
            }
            Decision::GiveUp => call.give_up(),
        })
    }
}

#[cfg(test)]
mod tests;
