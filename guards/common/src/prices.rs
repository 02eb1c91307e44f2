//! The prices of tokens.

use portcullis_sdk::schemars::{self, JsonSchema};
use portcullis_sdk::types::Usage;
use portcullis_sdk::{Error, HookResult};
use serde::Deserialize;

/// Dollars for a million tokens are micro-dollars for one. Sums are in millionths of
/// micro-dollars, so that no price is rounded before it is multiplied.
const UNIT: f64 = 1_000_000.0;

/// The highest price that is accepted, so that no sum overflows.
const MOST: f64 = 1_000_000.0;

/// A model's prices, in USD per million tokens.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The price of input.
    input: f64,
    /// The price of output.
    output: f64,
    /// The price of input that is read from the cache.
    cache_read: Option<f64>,
    /// The price of input that is written to the cache.
    cache_write: Option<f64>,
}

impl Price {
    /// Checks that all prices are in range.
    pub fn check(&self, model: &str) -> HookResult<()> {
        let prices = [
            ("input", Some(self.input)),
            ("output", Some(self.output)),
            ("cache_read", self.cache_read),
            ("cache_write", self.cache_write),
        ];
        let wrong = |price: Option<f64>| price.is_some_and(|price| !(0.0..=MOST).contains(&price));
        match prices.into_iter().find(|(_, price)| wrong(*price)) {
            Some((name, _)) => Err(Error::bad_config(format_args!(
                "`prices.{model}.{name}`: must be from 0 to {MOST}"
            ))),
            None => Ok(()),
        }
    }

    /// Returns the cost of this usage, in whole micro-dollars.
    pub fn of(&self, usage: &Usage) -> i64 {
        let cached = usage
            .cache_read_tokens
            .saturating_add(usage.cache_write_tokens);
        let sum = units(usage.input_tokens.saturating_sub(cached), self.input)
            + units(usage.output_tokens, self.output)
            + units(
                usage.cache_read_tokens,
                self.cache_read.unwrap_or(self.input),
            )
            + units(
                usage.cache_write_tokens,
                self.cache_write.unwrap_or(self.input),
            );
        let unit = UNIT as u128;
        i64::try_from((sum + unit / 2) / unit).unwrap_or(i64::MAX)
    }
}

fn units(tokens: u64, price: f64) -> u128 {
    u128::from(tokens) * (price * UNIT).round() as u128
}

#[cfg(test)]
mod tests {
    use super::Price;
    use portcullis_sdk::types::Usage;

    fn usage(input_tokens: u64, output_tokens: u64, cached: (u64, u64)) -> Usage {
        Usage {
            input_tokens,
            output_tokens,
            cache_read_tokens: cached.0,
            cache_write_tokens: cached.1,
        }
    }

    fn price() -> Price {
        Price {
            input: 3.0,
            output: 15.0,
            cache_read: Some(0.3),
            cache_write: None,
        }
    }

    #[test]
    fn a_million_tokens_cost_the_price() {
        assert_eq!(price().of(&usage(1_000_000, 0, (0, 0))), 3_000_000);
        assert_eq!(price().of(&usage(0, 1_000_000, (0, 0))), 15_000_000);
    }

    #[test]
    fn cached_tokens_have_their_own_price() {
        // 500 fresh and 100 written at 3, 400 read at 0.3.
        assert_eq!(price().of(&usage(1_000, 0, (400, 100))), 1_800 + 120);
    }

    #[test]
    fn half_a_micro_dollar_is_rounded_up() {
        assert_eq!(price().of(&usage(1, 0, (1, 0))), 0);
        assert_eq!(price().of(&usage(5, 0, (5, 0))), 2);
    }

    #[test]
    fn absurd_usage_overflows_nothing() {
        let expensive = Price {
            input: 1e6,
            output: 1e6,
            cache_read: None,
            cache_write: None,
        };
        assert_eq!(
            expensive.of(&usage(u64::MAX, u64::MAX, (u64::MAX, u64::MAX))),
            i64::MAX
        );
    }
}
