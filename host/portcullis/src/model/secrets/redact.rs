//! Taking secrets out of what a hook says.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::Secrets;
use crate::contract::{AskRequest, HookError, Rejection, StopSignal};
use crate::model::failure::Failure;

/// What a secret looks like in text: as it is, and as it is written in JSON or for terminals.
pub(super) fn forms(values: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let mut forms = Vec::new();
    for (name, value) in values {
        let json = Value::String(value.clone()).to_string();
        let json = json.trim_matches('"').to_owned();
        let shown = value.chars().map(crate::contract::text::shown).collect();
        for form in [value.clone(), json, shown] {
            if !form.is_empty() && !forms.iter().any(|(known, _)| *known == form) {
                forms.push((form, format!("[secret {name}]")));
            }
        }
    }
    forms.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
    forms
}

impl Secrets {
    /// The text without secrets.
    pub(crate) fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for (form, name) in &self.forms {
            if text.contains(form.as_str()) {
                text = Cow::Owned(text.replace(form.as_str(), name));
            }
        }
        text
    }

    fn redact_in(&self, text: &mut String) {
        if let Cow::Owned(redacted) = self.redact(text) {
            *text = redacted;
        }
    }

    /// The value without secrets, in its keys too.
    pub(crate) fn redact_json(&self, value: Value) -> Value {
        match value {
            _ if self.forms.is_empty() => value,
            Value::String(text) => Value::String(self.redact(&text).into_owned()),
            Value::Array(list) => list.into_iter().map(|v| self.redact_json(v)).collect(),
            Value::Object(map) => {
                let entries = map.into_iter();
                let entry = |(key, value): (String, Value)| {
                    (self.redact(&key).into_owned(), self.redact_json(value))
                };
                Value::Object(entries.map(entry).collect())
            }
            // A secret may be a number.
            other => match self.redact(&other.to_string()) {
                Cow::Owned(redacted) => Value::String(redacted),
                Cow::Borrowed(_) => other,
            },
        }
    }

    /// What a hook says of its own failure, without secrets. Done before the text is cut, so that no
    /// half of a secret is left at its end.
    pub(crate) fn redact_error(&self, error: HookError) -> HookError {
        let clean = |text: String| self.redact(&text).into_owned();
        match error {
            HookError::BadConfig(text) => HookError::BadConfig(clean(text)),
            HookError::Failed(text) => HookError::Failed(clean(text)),
        }
    }

    /// A failure without secrets: a text of the host's may quote the hook.
    pub(crate) fn redact_failure(&self, failure: Failure) -> Failure {
        let clean = |text: String| self.redact(&text).into_owned();
        match failure {
            Failure::Trap(text) => Failure::Trap(clean(text)),
            Failure::BadOutput(text) => Failure::BadOutput(clean(text)),
            Failure::Guest(text) => Failure::Guest(clean(text)),
            Failure::BadConfig(text) => Failure::BadConfig(clean(text)),
            Failure::Host(text) => Failure::Host(clean(text)),
            Failure::Instantiate(cause) => {
                Failure::Instantiate(Box::new(self.redact_failure(*cause)))
            }
            other => other,
        }
    }

    /// Takes secrets out of a refusal.
    pub(crate) fn redact_rejection(&self, rejection: &mut Rejection) {
        self.redact_in(&mut rejection.code);
        self.redact_in(&mut rejection.reason);
        if let Some(details) = &mut rejection.details {
            self.redact_in(details);
        }
    }

    /// Takes secrets out of a question.
    pub(crate) fn redact_question(&self, ask: &mut AskRequest) {
        self.redact_in(&mut ask.question);
        if let Some(details) = &mut ask.details {
            self.redact_in(details);
        }
    }

    /// Takes secrets out of the end of a turn.
    pub(crate) fn redact_stop(&self, stop: &mut StopSignal) {
        self.redact_in(&mut stop.message);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn secrets() -> Secrets {
        let values = [
            ("KEY", "k-123"),
            ("LONG", "k-123-and-more"),
            ("PEM", "-----\n\"a\"\n-----"),
            ("PIN", "4711"),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Secrets::of(BTreeMap::from(values))
    }

    #[test]
    fn secrets_are_replaced_by_their_names() {
        for (text, clean) in [
            ("nothing", "nothing"),
            ("key=k-123;", "key=[secret KEY];"),
            ("k-123k-123", "[secret KEY][secret KEY]"),
            ("k-123-and-more", "[secret LONG]"),
            ("a -----\n\"a\"\n-----", "a [secret PEM]"),
            (r#"{"a":"-----\n\"a\"\n-----"}"#, r#"{"a":"[secret PEM]"}"#),
            (r#"-----\n"a"\n-----"#, "[secret PEM]"),
        ] {
            assert_eq!(secrets().redact(text), clean);
        }
    }

    #[test]
    fn json_is_searched_everywhere() {
        let said =
            json!({"k-123": [1, 4711, "x k-123", null, true], "a": {"b": "-----\n\"a\"\n-----"}});
        let clean = json!({"[secret KEY]": [1, "[secret PIN]", "x [secret KEY]", null, true], "a": {"b": "[secret PEM]"}});
        assert_eq!(secrets().redact_json(said), clean);
    }

    #[test]
    fn without_secrets_nothing_is_changed() {
        let none = Secrets::default();
        assert!(matches!(none.redact("k-123"), Cow::Borrowed("k-123")));
        assert_eq!(none.redact_json(json!([1])), json!([1]));
    }
}
