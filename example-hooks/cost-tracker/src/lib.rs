//! Adds up what model calls cost and, once a budget is spent, refuses further ones.
//!
//! ```toml
//! [hooks.cost-tracker.grants]
//! shared-state = ["costs"]
//!
//! [hooks.cost-tracker.config]
//! budget_usd = 5.0 # left out: only counts
//! key = "total"    # where in the namespace `costs` the sum is kept
//!
//! # USD per million tokens.
//! [hooks.cost-tracker.config.prices.default]
//! input = 3.0
//! output = 15.0
//! cache_read = 0.3   # left out: as input
//! cache_write = 3.75 # left out: as input
//!
//! [hooks.cost-tracker.config.prices.small-model]
//! input = 0.25
//! output = 1.25
//! ```
//!
//! The sum is a whole number of millionths of a dollar, shared by all sessions. A call is refused
//! with the code `over-budget` if the sum has reached the budget before it; the call that
//! reaches it is still made. A model without a price is an error if there is no `default`; it is
//! found before the model is called.
//!
//! It imports no view of content or conversation, so it cannot read messages.
//!
//! Points: `pre-llm-call`, `post-llm-call`. Role: gate, so it fails closed.

mod budget;

use budget::Config;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

const COSTS: shared::Namespace<'_> = shared::namespace("costs");

static CONFIG: Prepared<Config> = Prepared::new(|| config::<Config>()?.checked());

struct CostTracker;

#[hook(
    id = "cost-tracker",
    kind = "budget",
    description = "Adds up what model calls cost and refuses them once the budget is spent.",
    config = Config
)]
impl CostTracker {
    fn pre_llm_call(call: &pre_llm_call::Call) -> HookResult<pre_llm_call::Verdict> {
        let config = CONFIG.get()?;
        config.price(&call.model())?;
        let spent = COSTS.get(&config.key)?.unwrap_or(0);
        Ok(match config.refusal(spent) {
            Some(reason) => call.reject("over-budget", reason),
            None => call.proceed(),
        })
    }

    fn post_llm_call(call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        let config = CONFIG.get()?;
        let model = call.model();
        let cost = config.price(&model)?.of(&call.usage());
        let total = COSTS.increment(&config.key, cost)?;
        info!(model, cost, total, "spent micro-dollars");
        Ok(call.proceed())
    }
}

#[cfg(test)]
mod tests;
