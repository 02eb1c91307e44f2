//! The operator's table, and when it is enough.

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
    /// Where the sums of all sessions are, in the namespace `spend`.
    pub key: String,
    /// The most tokens that a call without a limit of its own is expected to write.
    pub output_tokens: u64,
    /// What a session may spend.
    pub session: Budget,
    /// What all sessions may spend together.
    pub shared: Budget,
    /// What models cost, by name; `*` stands for any text. Of several that fit, the longest counts.
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

/// What may be spent.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Tokens, of input and output; no limit if left out.
    pub tokens: Option<u64>,
    /// US dollars; no limit if left out.
    pub usd: Option<f64>,
}

/// What was spent, or will be.
#[derive(Debug, Clone, Copy, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// Tokens.
    pub tokens: u64,
    /// Millionths of a US dollar.
    pub micros: i64,
}

impl Spent {
    /// The sum of both.
    pub fn plus(self, more: &Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(more.tokens),
            micros: self.micros.saturating_add(more.micros),
        }
    }
}

impl Budget {
    /// Whether there is one.
    pub fn is_set(&self) -> bool {
        self.tokens.is_some() || self.usd.is_some()
    }

    /// Why a call that will spend at least `next` is refused.
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
    /// The table, if it makes sense.
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

    /// What the model's tokens cost, in millionths of a dollar; 0 without prices.
    pub fn cost(&self, model: &str, usage: &Usage) -> HookResult<i64> {
        self.price(model)
            .map(|price| price.map_or(0, |price| price.of(usage)))
    }

    /// What a call spends at most: its input as if none of it came from the cache, and all the output that it may have.
    pub fn most(&self, model: &str, input: u64, output: Option<u32>) -> HookResult<Spent> {
        let usage = Usage {
            input_tokens: input,
            output_tokens: output.map_or(self.output_tokens, u64::from),
            cache_read_tokens: 0,
            cache_write_tokens: 0,
        };
        Ok(Spent {
            tokens: usage.input_tokens.saturating_add(usage.output_tokens),
            micros: self.cost(model, &usage)?,
        })
    }

    /// What the input costs at least: as if all of it came from the cache, so that no call is refused which fits.
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
