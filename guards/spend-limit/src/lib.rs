//! Refuses model calls once a budget of tokens or money is spent: of the session, and of all sessions together.
//!
//! Without configuration it counts and refuses nothing. With everything:
//!
//! ```toml
//! [hooks.spend-limit.grants]
//! state = true
//! shared-state = ["spend"]
//!
//! [hooks.spend-limit.config]
//! key = "total" # where the sum of all sessions is, in the namespace `spend`
//!
//! [hooks.spend-limit.config.session] # left out: no limit
//! tokens = 200_000
//! usd = 1.0
//!
//! [hooks.spend-limit.config.shared]
//! usd = 20.0
//!
//! # USD per million tokens, by model; `*` stands for any text, and of several that fit, the longest counts.
//! [hooks.spend-limit.config.prices."*"]
//! input = 3.0
//! output = 15.0
//! cache_read = 0.3   # left out: as input
//! cache_write = 3.75 # left out: as input
//! ```
//!
//! A call is refused if what was spent before, and what its input is estimated to cost, is over a budget.
//!
//! Points: `pre-llm-call`, `post-llm-call`. Role: gate, so it fails closed. It sees no text.

mod budget;

use budget::{Config, Spent};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

const SPEND: shared::Namespace<'_> = shared::namespace("spend");
/// The session's sums in the hook's state.
const TOKENS: &str = "tokens";
const MICROS: &str = "micro-usd";

static CONFIG: Prepared<Config> = Prepared::new(|| config::<Config>()?.checked());

struct SpendLimit;

#[hook(
    id = "spend-limit",
    kind = "budget",
    description = "Refuses model calls once a budget of tokens or money is spent.",
    config = Config
)]
impl SpendLimit {
    fn pre_llm_call(call: &pre_llm_call::Call) -> HookResult<pre_llm_call::Verdict> {
        let config = CONFIG.get()?;
        let tokens = call.estimated_tokens();
        let next = Spent {
            tokens,
            micros: config.input_cost(&call.model(), tokens)?,
        };
        let session = Spent {
            tokens: state::get(TOKENS)?.unwrap_or(0),
            micros: state::get(MICROS)?.unwrap_or(0),
        };
        let mut refusal = config.session.refusal("session", &session, &next);
        if refusal.is_none() && config.shared.is_set() {
            refusal = config
                .shared
                .refusal("shared", &shared_spent(config)?, &next);
        }
        Ok(match refusal {
            None => call.proceed(),
            Some(reason) => call.reject("over-budget", reason),
        })
    }

    fn post_llm_call(call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        let config = CONFIG.get()?;
        let usage = call.usage();
        let tokens = i64::try_from(usage.input_tokens.saturating_add(usage.output_tokens))
            .unwrap_or(i64::MAX);
        let micros = config.cost(&call.model(), &usage)?;
        state::increment(TOKENS, tokens)?;
        state::increment(MICROS, micros)?;
        if config.shared.is_set() {
            SPEND.increment(&format!("{}-{TOKENS}", config.key), tokens)?;
            SPEND.increment(&format!("{}-{MICROS}", config.key), micros)?;
        }
        Ok(call.proceed())
    }
}

fn shared_spent(config: &Config) -> HookResult<Spent> {
    Ok(Spent {
        tokens: SPEND.get(&format!("{}-{TOKENS}", config.key))?.unwrap_or(0),
        micros: SPEND.get(&format!("{}-{MICROS}", config.key))?.unwrap_or(0),
    })
}
