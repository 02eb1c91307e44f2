//! The operator's table, and the check against its budgets.

use std::collections::BTreeMap;

use guards_common::names;
use guards_common::prices::Price;
use portcullis_sdk::schemars::{self, JsonSchema};
use portcullis_sdk::types::Usage;
use portcullis_sdk::{Error, HookResult};
use serde::{Deserialize, Serialize};

const MICRO: f64 = 1_000_000.0;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "session": { "usd": 1.0 },
    "shared": { "usd": 20.0 },
    "prices": { "*": { "input": 3.0, "output": 15.0 } },
}]))]
pub struct Config {
    /// The key of the sums of all sessions, in the namespace `spend`.
    pub key: String,
    /// The most output tokens that are expected of a call without a limit of its own.
    pub output_tokens: u64,
    /// The budget of a session.
    pub session: Budget,
    /// The budget of all sessions together.
    pub shared: Budget,
    /// The prices of models, by name; `*` stands for any text. If several match, the longest counts.
    prices: BTreeMap<String, Price>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            key: "total".to_owned(),
            output_tokens: 4_096,
            session: Budget::default(),
            shared: Budget::default(),
            prices: BTreeMap::new(),
        }
    }
}

/// A budget.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Tokens, of input and output; no limit if left out.
    pub tokens: Option<u64>,
    /// US dollars; no limit if left out.
    pub usd: Option<f64>,
}

/// An amount that was spent, or will be.
#[derive(Debug, Clone, Copy, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// Tokens.
    pub tokens: u64,
    /// Millionths of a US dollar.
    pub micros: i64,
}

impl Spent {
    /// Returns the sum of both.
    pub fn plus(self, more: &Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(more.tokens),
            micros: self.micros.saturating_add(more.micros),
        }
    }
}

impl Budget {
    /// Returns whether the budget has a limit.
    pub fn is_set(&self) -> bool {
        self.tokens.is_some() || self.usd.is_some()
    }

    /// Returns the reason why a call that will spend at least `next` is refused, if it is.
    pub fn refusal(&self, name: &str, spent: &Spent, next: &Spent) -> Option<String> {
        if let Some(most) = self.tokens
            && (spent.tokens >= most || spent.tokens.saturating_add(next.tokens) > most)
        {
            return Some(format!(
                "The {name} budget of {most} tokens is spent: {} so far, and {} to send.",
                spent.tokens, next.tokens
            ));
        }
        let most = self.usd?;
        let usd = |micros: i64| micros as f64 / MICRO;
        let is_over =
            usd(spent.micros) >= most || usd(spent.micros.saturating_add(next.micros)) > most;
        is_over.then(|| {
            format!(
                "The {name} budget of ${most:.2} is spent: ${:.2} so far, and ${:.4} to send.",
                usd(spent.micros),
                usd(next.micros)
            )
        })
    }
}

impl Config {
    /// Returns the table if its values are valid.
    pub fn checked(self) -> HookResult<Self> {
        for (name, budget) in [("session", &self.session), ("shared", &self.shared)] {
            if budget
                .usd
                .is_some_and(|usd| !(usd.is_finite() && usd >= 0.0))
            {
                return Err(Error::bad_config(format_args!(
                    "`{name}.usd`: must not be negative"
                )));
            }
        }
        self.prices
            .iter()
            .try_for_each(|(model, price)| price.check(model))?;
        let has_money = self.session.usd.is_some() || self.shared.usd.is_some();
        match has_money && self.prices.is_empty() {
            true => Err(Error::bad_config(
                "`prices`: a budget in dollars needs prices; write [hooks.spend-limit.config.prices.'*']",
            )),
            false => Ok(self),
        }
    }

    /// Returns the cost of the model's tokens, in millionths of a dollar; 0 without prices.
    pub fn cost(&self, model: &str, usage: &Usage) -> HookResult<i64> {
        self.price(model)
            .map(|price| price.map_or(0, |price| price.of(usage)))
    }

    /// Returns the maximum that a call may spend: on its input, whether or not it is written to the cache, and on all the
    /// output that it may have.
    pub fn most(&self, model: &str, input: u64, output: Option<u32>) -> HookResult<Spent> {
        let uncached = Usage {
            input_tokens: input,
            output_tokens: output.map_or(self.output_tokens, u64::from),
            cache_read_tokens: 0,
            cache_write_tokens: 0,
        };
        let cached = Usage {
            cache_write_tokens: input,
            ..uncached
        };
        Ok(Spent {
            tokens: input.saturating_add(uncached.output_tokens),
            micros: self.cost(model, &uncached)?.max(self.cost(model, &cached)?),
        })
    }

    /// Returns the least cost of the input: as if all of it came from the cache, so that no call is refused that fits.
    pub fn input_cost(&self, model: &str, tokens: u64) -> HookResult<i64> {
        let usage = Usage {
            input_tokens: tokens,
            output_tokens: 0,
            cache_read_tokens: tokens,
            cache_write_tokens: 0,
        };
        self.cost(model, &usage)
    }

    fn price(&self, model: &str) -> HookResult<Option<&Price>> {
        if self.prices.is_empty() {
            return Ok(None);
        }
        let fitting = self
            .prices
            .iter()
            .filter(|(pattern, _)| names::fits(pattern, model));
        let price = fitting
            .max_by_key(|(pattern, _)| pattern.len())
            .map(|(_, price)| price);
        price.map(Some).ok_or_else(|| {
            Error::bad_config(format_args!(
                "`prices`: none fits the model `{model}`; write one for `*`"
            ))
        })
    }
}
