//! Errors for values that do not have the type or the range of their schema.

use serde_json::Value;
use toml::de::{DeInteger, DeValue};

use crate::contract::text::{nearest, sanitize_for_terminal};
use crate::model::named::none_of;

/// A kind of value that a schema allows.
enum Allowed<'a> {
    Name(&'a str),
    Text,
    Whole {
        least: Option<i64>,
        most: Option<i64>,
    },
    Number,
    Switch,
    List,
    Table,
}

/// Explains why a value matches none of these schemas, and which values do. `None` if the value may
/// match one, or if the schemas do not say. Only names and numbers are shown, since another value
/// may be a misplaced secret.
pub(super) fn misfit(schemas: &[&Value], value: &DeValue<'_>, is_in_list: bool) -> Option<String> {
    let mut allowed = Vec::new();
    for schema in schemas {
        allow(schema, &mut allowed)?;
    }
    let has = |fits: fn(&Allowed<'_>) -> bool| allowed.iter().any(fits);
    let fits = match value {
        DeValue::String(text) => {
            let names = allowed.iter().filter_map(|allowed| match allowed {
                Allowed::Name(name) => Some(*name),
                _ => None,
            });
            let names: Vec<&str> = names.collect();
            let is_named = names.contains(&&**text);
            let is_only_names = names.len() == allowed.len();
            let is_near = nearest(text, names.iter().copied()).is_some();
            if !is_named
                && !has(|allowed| matches!(allowed, Allowed::Text))
                && (is_near || (is_only_names && !names.is_empty()))
            {
                return Some(none_of(&sanitize_for_terminal(text), &names));
            }
            is_named || has(|allowed| matches!(allowed, Allowed::Text))
        }
        DeValue::Integer(number) => {
            has(|allowed| matches!(allowed, Allowed::Number))
                || allowed.iter().any(|allowed| allowed.holds(number))
        }
        DeValue::Float(_) => has(|allowed| matches!(allowed, Allowed::Number)),
        DeValue::Boolean(_) => has(|allowed| matches!(allowed, Allowed::Switch)),
        DeValue::Array(_) => has(|allowed| matches!(allowed, Allowed::List)),
        DeValue::Table(_) => has(|allowed| matches!(allowed, Allowed::Table)),
        DeValue::Datetime(_) => return None,
    };
    if fits || allowed.is_empty() {
        return None;
    }
    let has_names = has(|allowed| matches!(allowed, Allowed::Name(_)));
    let has_range = has(|allowed| matches!(allowed, Allowed::Whole { .. }));
    let found = match value {
        DeValue::String(text) if has_names => format!("the text \"{text}\""),
        DeValue::String(_) => "a text".to_owned(),
        DeValue::Integer(number) if has_range => number.to_string(),
        DeValue::Float(number) if has_range => number.to_string(),
        DeValue::Integer(_) | DeValue::Float(_) => "a number".to_owned(),
        DeValue::Boolean(switch) => switch.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
        DeValue::Datetime(_) => "a date".to_owned(),
    };
    let found = sanitize_for_terminal(&found);
    let whose = if is_in_list { "an entry " } else { "" };
    Some(format!(
        "{whose}must be {}, and is {found}",
        words(&allowed)
    ))
}

/// Adds the kinds of values that a schema allows. `None` if the schema does not say, or if the type
/// itself describes them better.
fn allow<'a>(schema: &'a Value, allowed: &mut Vec<Allowed<'a>>) -> Option<()> {
    if schema.get("x-expecting").is_some() {
        return None;
    }
    if let Some(value) = schema.get("const") {
        allowed.push(Allowed::Name(value.as_str()?));
        return Some(());
    }
    if let Some(names) = schema.get("enum").and_then(Value::as_array) {
        for name in names.iter().filter(|name| !name.is_null()) {
            allowed.push(Allowed::Name(name.as_str()?));
        }
        return Some(());
    }
    let types: Vec<&Value> = match schema.get("type")? {
        Value::Array(types) => types.iter().collect(),
        one => vec![one],
    };
    for name in types {
        allowed.push(match name.as_str()? {
            "string" => Allowed::Text,
            "integer" => {
                let bound = |key: &str| schema.get(key).and_then(Value::as_i64);
                Allowed::Whole {
                    least: bound("minimum"),
                    most: bound("maximum"),
                }
            }
            "number" => Allowed::Number,
            "boolean" => Allowed::Switch,
            "array" => Allowed::List,
            "object" => Allowed::Table,
            // TOML has no null.
            "null" => continue,
            _ => return None,
        });
    }
    Some(())
}

impl Allowed<'_> {
    /// Returns whether a whole number is allowed.
    fn holds(&self, number: &DeInteger<'_>) -> bool {
        let Self::Whole { least, most } = self else {
            return false;
        };
        match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => {
                least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
            }
            // A number that is too large has another error.
            Err(_) => true,
        }
    }
}

/// Returns all kinds as one text.
fn words(allowed: &[Allowed<'_>]) -> String {
    let mut words: Vec<String> = Vec::new();
    for allowed in allowed {
        let word = match allowed {
            Allowed::Name(name) => format!("`{name}`"),
            Allowed::Text => "a text".to_owned(),
            Allowed::Whole { least, most } => match (least, most) {
                (Some(least), Some(most)) => format!("a whole number from {least} to {most}"),
                (Some(least), None) => format!("a whole number from {least}"),
                (None, _) => "a whole number".to_owned(),
            },
            Allowed::Number => "a number".to_owned(),
            Allowed::Switch => "`true` or `false`".to_owned(),
            Allowed::List => "a list".to_owned(),
            Allowed::Table => "a table".to_owned(),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" or ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use schemars::JsonSchema;
    use serde::Deserialize;

    use crate::settings::TomlSource;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    enum Order {
        /// One after another.
        Sequential,
        /// So many at a time.
        Batched(u32),
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Who {
        /// By a name.
        By(Order),
        /// By a list.
        Names(Vec<String>),
    }

    #[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
    #[serde(default)]
    struct File {
        order: Option<Order>,
        orders: Vec<Order>,
        who: Option<Who>,
        share: f64,
        most: Option<std::num::NonZeroU32>,
        on: bool,
        name: String,
        small: u8,
    }

    #[test]
    fn values_that_do_not_fit_are_told_in_words() {
        for (text, said) in [
            (
                "order = \"sequentiel\"",
                "`order`: there is no `sequentiel` here; did you mean `sequential`?",
            ),
            (
                "orders = [\"sequential\", \"x\"]",
                "`orders`: an entry must be `sequential` or a table, and is the text \"x\"",
            ),
            (
                "who = \"sequentiel\"",
                "`who`: there is no `sequentiel` here; did you mean `sequential`?",
            ),
            ("share = \"x\"", "`share`: must be a number, and is a text"),
            (
                "most = 0",
                "`most`: must be a whole number from 1, and is 0",
            ),
            (
                "most = 1.5",
                "`most`: must be a whole number from 1, and is 1.5",
            ),
            ("on = 1", "`on`: must be `true` or `false`, and is a number"),
            ("name = 1", "`name`: must be a text, and is a number"),
            ("name = 1\nname = 2", "duplicate key: `name`"),
            ("name = []", "`name`: must be a text, and is a list"),
            (
                "small = -1",
                "`small`: must be a whole number from 0 to 255, and is -1",
            ),
        ] {
            let source = TomlSource::new(Path::new("a.toml"), text);
            let errors = source.read::<File>().expect_err(text);
            let problems: Vec<&str> = errors.iter().map(|error| &*error.problem).collect();
            assert_eq!(problems, [said], "{text}");
            assert_eq!(errors[0].line, Some(text.lines().count()), "{text}");
        }
    }
}
