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
//! key = "total"         # the key of the sums of all sessions, in the namespace `spend`
//! output_tokens = 4_096 # the most output that is expected of a call without `max-output-tokens`
//!
//! [hooks.spend-limit.config.session] # left out: no limit
//! tokens = 200_000
//! usd = 1.0
//!
//! [hooks.spend-limit.config.shared]
//! usd = 20.0
//!
//! # USD per million tokens, by model; `*` stands for any text. If several match, the longest counts.
//! [hooks.spend-limit.config.prices."*"]
//! input = 3.0
//! output = 15.0
//! cache_read = 0.3   # left out: as input
//! cache_write = 3.75 # left out: as input
//! ```
//!
//! A call is refused if the amount that its session spent before, plus the estimated cost of its input, is over the
//! session's budget. The most that the call may cost is held in the shared budget while it runs, so that calls that
//! run at the same time, in one process or in many, do not spend the same money.
//!
//! Points: `pre-llm-call`, `post-llm-call`, `session-end`. Role: gate, so it fails closed. It sees no text.

mod budget;
mod ledger;

use budget::{Config, Spent};
use ledger::Ledger;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

const SPEND: shared::Namespace<'_> = shared::namespace("spend");
/// The keys of the session's sums in the hook's state.
const TOKENS: &str = "tokens";
const MICROS: &str = "micro-usd";
/// The most attempts to change the ledger while other sessions change it.
const TRIES: usize = 64;

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
            let most = config.most(&call.model(), tokens, call.max_output_tokens())?;
            let held = change(config, |ledger, session| {
                (true, ledger.hold(session, most, &config.shared))
            })?;
            refusal = held.err();
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
            let spent = Spent {
                tokens: u64::try_from(tokens).unwrap_or_default(),
                micros,
            };
            change(config, |ledger, session| {
                (ledger.settle(session, &spent), ())
            })?;
        }
        Ok(call.proceed())
    }

    fn session_end(call: &session_end::Call) -> HookResult<session_end::Verdict> {
        let config = CONFIG.get()?;
        if config.shared.is_set() {
            change(config, |ledger, session| (ledger.give_back(session), ()))?;
        }
        Ok(call.proceed())
    }
}

/// Changes the ledger with `edit`, which returns whether it changed anything, and a result.
fn change<T>(config: &Config, edit: impl Fn(&mut Ledger, &str) -> (bool, T)) -> HookResult<T> {
    let session = context::session_id();
    for _ in 0..TRIES {
        let before: Option<Ledger> = SPEND.get(&config.key)?;
        let mut after = before.clone().unwrap_or_default();
        let (changed, result) = edit(&mut after, &session);
        if !changed
            || before.as_ref() == Some(&after)
            || SPEND.compare_and_swap(&config.key, before.as_ref(), Some(&after))?
        {
            return Ok(result);
        }
    }
    Err(Error::failed("other sessions change the sums all the time"))
}
