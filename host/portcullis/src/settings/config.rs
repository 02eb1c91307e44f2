//! Checks for TOML values that JSON does not have and that a hook would misread.

use serde_json::{Map, Value};

use super::check::Check;

/// The key under which `toml` represents a date to a reader without a date type.
const DATE: &str = "$__toml_private_datetime";

impl Check<'_> {
    /// Finds dates, and numbers that are not finite.
    pub(super) fn config(&mut self, at: &[&str], table: &Map<String, Value>) {
        for (key, value) in table {
            self.config_value(at, key, value);
        }
    }

    fn config_value(&mut self, at: &[&str], key: &str, value: &Value) {
        let below = [at, &[key]].concat();
        match value {
            // TOML has no null: JSON turns a number that is not finite into null.
            Value::Null => self.wrong(at, key, "is not a finite number, and must be one"),
            Value::Object(table) if table.contains_key(DATE) => {
                self.wrong(
                    at,
                    key,
                    "is a date, which hooks do not get; write it in quotes",
                );
            }
            Value::Object(table) => self.config(&below, table),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.config_value(&below, &index.to_string(), item);
                }
            }
            _ => {}
        }
    }
}
