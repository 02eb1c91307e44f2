//! Rules for tool calls, and the actions on their findings.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use portcullis_sdk::prelude::*;
use portcullis_sdk::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

use crate::schema::table;

/// The action on a rule's finding.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// The call runs.
    Allow,
    /// A person is asked.
    Ask,
    /// The call is refused.
    Refuse,
}

/// A rule.
pub trait Rule: Copy + Ord {
    /// Returns its name in the operator's table, which is also the code of a refusal.
    fn name(self) -> &'static str;
    /// Returns the action if the operator sets none.
    fn default_action(self) -> Action;
}

/// The operator's actions, by rule.
pub type Actions<R> = BTreeMap<R, Action>;

/// Returns the schema of [`Actions`]: a key for each rule, with its description, and no other keys.
pub fn actions_schema<R: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let action = generator.subschema_for::<Action>();
    let rules = R::json_schema(generator).to_value();
    let rules = rules["oneOf"].as_array().into_iter().flatten();
    table(rules.filter_map(|rule| {
        let mut action = action.clone();
        action.insert("description".to_owned(), rule["description"].clone());
        Some((rule["const"].as_str()?, action))
    }))
}

/// A finding of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<R> {
    /// The rule.
    pub rule: R,
    what: String,
}

impl<R: Rule> Finding<R> {
    /// Creates a finding. `what` describes it.
    pub fn new(rule: R, what: impl Into<String>) -> Self {
        Self {
            rule,
            what: what.into(),
        }
    }
}

impl<R: Rule> Display for Finding<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} (rule `{}`).", self.what, self.rule.name())
    }
}

/// Returns the action on a rule's finding.
pub fn action<R: Rule>(actions: &Actions<R>, rule: R) -> Action {
    let action = actions.get(&rule).copied();
    action.unwrap_or_else(|| rule.default_action())
}

/// Refuses the call, asks a person `question`, or lets it proceed.
pub fn verdict<R: Rule>(
    call: &pre_tool_call::Call,
    actions: &Actions<R>,
    found: &[Finding<R>],
    question: &str,
) -> pre_tool_call::Verdict {
    let of = |wanted| {
        let found = found.iter();
        found.filter(move |finding| action(actions, finding.rule) == wanted)
    };
    if let Some(finding) = of(Action::Refuse).next() {
        return call.reject(finding.rule.name(), finding.to_string());
    }
    let asked: Vec<String> = of(Action::Ask).map(Finding::to_string).collect();
    match asked.as_slice() {
        [] => call.proceed(),
        reasons => call.ask(format!("{question} {}", reasons.join(" "))),
    }
}

/// Returns the names of the tools that run shell scripts, in most agents; `*` stands for any text.
pub fn shell_tools() -> Vec<String> {
    owned(&[
        "bash",
        "Bash",
        "sh",
        "shell",
        "*shell*",
        "*terminal*",
        "*command*",
        "exec",
    ])
}

/// Returns the names of such tools' arguments that are scripts.
pub fn shell_arguments() -> Vec<String> {
    owned(&["command", "cmd", "script", "commands"])
}

/// Returns the names as owned strings.
pub fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    #[derive(JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Rule {
        /// Deletes everything.
        Destructive,
        /// Starts itself.
        ForkBomb,
    }

    #[test]
    fn the_schema_has_every_rule_and_no_other_key() {
        let mut generator = SchemaGenerator::default();
        let schema = actions_schema::<Rule>(&mut generator).to_value();
        assert_eq!(schema["additionalProperties"], json!(false));
        let reference = json!("#/$defs/Action");
        for (rule, description) in [
            ("destructive", "Deletes everything."),
            ("fork-bomb", "Starts itself."),
        ] {
            let property = json!({ "$ref": reference, "description": description });
            assert_eq!(schema["properties"][rule], property, "{schema}");
        }
        assert_eq!(schema["properties"].as_object().map(Map::len), Some(2));
    }
}
