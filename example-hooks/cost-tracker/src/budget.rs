//! The operator's table, and the check against its budget.

use guards_common::prices::Price;
use portcullis_sdk::schemars::{self, JsonSchema};
use std::collections::BTreeMap;

use portcullis_sdk::{Error, HookResult};
use serde::Deserialize;

const MICRO: f64 = 1_000_000.0;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The budget of all sessions together, in USD. No limit if left out.
    budget_usd: Option<f64>,
    /// The key of the sum in the shared state.
    #[serde(default = "total")]
    pub key: String,
    /// The prices of models, by name.
    prices: BTreeMap<String, Price>,
}

fn total() -> String {
    "total".to_owned()
}

impl Config {
    /// Returns the table if its values are valid.
    pub fn checked(self) -> HookResult<Self> {
        if self
            .budget_usd
            .is_some_and(|budget| !(budget.is_finite() && budget >= 0.0))
        {
            return Err(Error::bad_config("`budget_usd`: must not be negative"));
        }
        for (model, price) in &self.prices {
            price.check(model)?;
        }
        Ok(self)
    }

    /// Returns the prices of a model.
    pub fn price(&self, model: &str) -> HookResult<&Price> {
        let price = self
            .prices
            .get(model)
            .or_else(|| self.prices.get("default"));
        price.ok_or_else(|| {
            Error::bad_config(format_args!(
                "`prices`: none for `{model}`, and no `default`"
            ))
        })
    }

    /// Returns the reason for a refusal if this many micro-dollars use up the budget.
    pub fn refusal(&self, spent: i64) -> Option<String> {
        let budget = self.budget_usd?;
        let spent = spent as f64 / MICRO;
        (spent >= budget)
            .then(|| format!("The budget of ${budget:.2} is spent: ${spent:.2} so far."))
    }
}

#[cfg(test)]
mod tests {
    use super::Config;
    use portcullis_sdk::{Error, HookResult, config};

    fn read(table: &str) -> HookResult<Config> {
        config::from_json::<Config>(table)?.checked()
    }

    fn with_prices(rest: &str) -> HookResult<Config> {
        read(&format!(
            r#"{{"prices": {{"small": {{"input": 1, "output": 2}}}} {rest}}}"#
        ))
    }

    #[test]
    fn a_budget_is_spent_when_it_is_reached() {
        let config = with_prices(r#", "budget_usd": 0.5"#).expect("a table");
        assert_eq!(config.key, "total");
        assert_eq!(config.refusal(499_999), None);
        assert_eq!(
            config.refusal(500_000).as_deref(),
            Some("The budget of $0.50 is spent: $0.50 so far.")
        );
    }

    #[test]
    fn without_a_budget_nothing_is_refused() {
        assert_eq!(with_prices("").expect("a table").refusal(i64::MAX), None);
    }

    #[test]
    fn a_model_has_a_price() {
        let fault = with_prices("").expect("a table").price("large").map(|_| ());
        let expected = Error::bad_config("`prices`: none for `large`, and no `default`");
        assert_eq!(fault, Err(expected));
        let config = r#"{"prices": {"default": {"input": 1, "output": 2}}}"#;
        assert!(read(config).expect("a table").price("large").is_ok());
    }

    #[test]
    fn nothing_is_negative() {
        let budget = with_prices(r#", "budget_usd": -1"#).err();
        assert_eq!(
            budget,
            Some(Error::bad_config("`budget_usd`: must not be negative"))
        );
        let price = read(r#"{"prices": {"m": {"input": 1, "output": -2}}}"#).err();
        assert_eq!(
            price,
            Some(Error::bad_config(
                "`prices.m.output`: must be from 0 to 1000000"
            ))
        );
    }
}
