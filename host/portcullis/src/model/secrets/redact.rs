//! Redaction of secrets in a hook's output.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bstr::ByteSlice as _;
use serde_json::Value;

use super::Secrets;
use crate::contract::{AskRequest, HookError, Rejection, StopSignal};
use crate::model::failure::Failure;

/// The shortest line of a secret that is redacted on its own, in bytes: a shorter line may occur in
/// any text.
const SHORTEST_LINE: usize = 8;

/// Returns the forms of secrets in text: the plain form and the forms in JSON and for terminals.
/// Each longer line of a secret has these forms too, since a log is split into lines.
pub(super) fn forms(values: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let mut forms = Vec::new();
    for (name, value) in values {
        let lines = value.lines().map(str::trim);
        let lines = lines.filter(|line| line.len() >= SHORTEST_LINE);
        for text in std::iter::once(value.as_str()).chain(lines) {
            let json = Value::from(text).to_string();
            let json = json.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            let json = json.unwrap_or_default().to_owned();
            let shown = text.chars().map(crate::contract::text::shown).collect();
            for form in [text.to_owned(), json, shown] {
                if !form.is_empty() && !forms.iter().any(|(known, _)| *known == form) {
                    forms.push((form, format!("[secret {name}]")));
                }
            }
        }
    }
    sort(&mut forms);
    forms
}

/// Adds the forms of other secrets.
pub(super) fn add_forms(forms: &mut Vec<(String, String)>, others: &[(String, String)]) {
    for other in others {
        if !forms.iter().any(|(known, _)| *known == other.0) {
            forms.push(other.clone());
        }
    }
    sort(forms);
}

fn sort(forms: &mut [(String, String)]) {
    forms.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
}

impl Secrets {
    /// Returns the length of a secret's longest form, in bytes.
    pub(crate) fn longest(&self) -> usize {
        self.forms.first().map_or(0, |(form, _)| form.len())
    }

    /// Returns the position of a cut that splits no secret: before the secrets at the given
    /// position, or after them if the text begins with them.
    pub(crate) fn cut(&self, text: &[u8], at: usize) -> usize {
        let mut before = at;
        while let Some((from, _)) = self.around(text, before) {
            before = from;
        }
        if before > 0 {
            return before;
        }
        let mut behind = at;
        while let Some((_, to)) = self.around(text, behind) {
            behind = to;
        }
        behind
    }

    /// Returns the range of a secret that a cut at this position would split.
    fn around(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        self.forms.iter().find_map(|(form, _)| {
            let inner = form.len().saturating_sub(1);
            let from = at.saturating_sub(inner);
            let near = text.get(from..text.len().min(at + inner))?;
            let mut parts = near.windows(form.len());
            let found = parts.position(|part| part == form.as_bytes())?;
            Some((from + found, from + found + form.len()))
        })
    }

    /// Returns the text with `[secret NAME]` in place of each secret: in its plain form, in its
    /// forms in JSON and for terminals, and for each of its lines of 8 bytes or more.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for (form, name) in &self.forms {
            if text.contains(form.as_str()) {
                text = Cow::Owned(text.replace(form.as_str(), name));
            }
        }
        text
    }

    /// Returns the bytes without secrets; `None` if they contain no secrets.
    pub(crate) fn redact_bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut redacted = None;
        for (form, name) in &self.forms {
            let now = redacted.as_deref().unwrap_or(bytes);
            if now.contains_str(form) {
                redacted = Some(now.replace(form, name));
            }
        }
        redacted
    }

    fn redact_in(&self, text: &mut String) {
        if let Cow::Owned(redacted) = self.redact(text) {
            *text = redacted;
        }
    }

    /// Returns the value without secrets, in its keys and numbers too; see
    /// [`redact`](Self::redact).
    pub fn redact_json(&self, value: Value) -> Value {
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

    /// Returns JSON text without secrets. The whole text is searched, since a secret may be JSON
    /// itself. Each value in it is searched too, since a text in JSON may be JSON again. The result
    /// stays JSON unless that would leave a secret in it.
    pub(crate) fn redact_json_text(&self, text: String) -> String {
        if self.forms.is_empty() {
            return text;
        }
        let whole = self.redact(&text);
        if let Ok(value) = serde_json::from_str(&whole) {
            return self.redact_json(value).to_string();
        }
        match serde_json::from_str(&text) {
            Ok(value) => self
                .redact(&self.redact_json(value).to_string())
                .into_owned(),
            Err(_) => whole.into_owned(),
        }
    }

    /// Redacts a hook's own error. This happens before the text is cut, so that no part of a secret
    /// is left at the end.
    pub(crate) fn redact_error(&self, error: HookError) -> HookError {
        let clean = |text: String| self.redact(&text).into_owned();
        match error {
            HookError::BadConfig(text) => HookError::BadConfig(clean(text)),
            HookError::Failed(text) => HookError::Failed(clean(text)),
        }
    }

    /// Redacts a failure: a text of the host may quote the hook.
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

    /// Redacts a refusal.
    pub(crate) fn redact_rejection(&self, rejection: &mut Rejection) {
        self.redact_in(&mut rejection.code);
        self.redact_in(&mut rejection.reason);
        if let Some(details) = &mut rejection.details {
            self.redact_in(details);
        }
    }

    /// Redacts a question.
    pub(crate) fn redact_question(&self, ask: &mut AskRequest) {
        self.redact_in(&mut ask.question);
        if let Some(details) = &mut ask.details {
            self.redact_in(details);
        }
    }

    /// Redacts the end of a turn.
    pub(crate) fn redact_stop(&self, stop: &mut StopSignal) {
        self.redact_in(&mut stop.message);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::model::secrets::AllSecrets;

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
    fn bytes_need_be_no_text() {
        let clean = secrets().redact_bytes(b"\xffk-123\xfe 4711");
        assert_eq!(
            clean.as_deref(),
            Some(&b"\xff[secret KEY]\xfe [secret PIN]"[..])
        );
        assert_eq!(secrets().redact_bytes(b"\xff"), None);
    }

    #[test]
    fn each_longer_line_of_a_secret_is_replaced() {
        let pem = "-----BEGIN KEY-----\r\n  MIIBVQIBADAN\r\nab==\r\n-----END KEY-----\r\n";
        let secrets = Secrets::of([("PEM".to_owned(), pem.to_owned())].into());
        assert_eq!(secrets.redact(pem), "[secret PEM]");
        assert_eq!(secrets.redact("  MIIBVQIBADAN"), "  [secret PEM]");
        let joined = pem.lines().collect::<Vec<_>>().join(" ");
        let clean = "[secret PEM]   [secret PEM] ab== [secret PEM]";
        assert_eq!(secrets.redact(&joined), clean);
    }

    #[test]
    fn a_cut_is_beside_secrets() {
        for (text, at, cut) in [
            ("a k-123 b", 1, 1),
            ("a k-123 b", 2, 2),
            ("a k-123 b", 3, 2),
            ("a k-123 b", 7, 7),
            // The longer one contains the other.
            ("a k-123-and-more", 7, 2),
            ("k-123-and-more b", 5, 14),
            ("k-1234711 b", 5, 5),
            ("a 4711", 4, 2),
        ] {
            assert_eq!(secrets().cut(text.as_bytes(), at), cut, "{text} {at}");
        }
        assert_eq!(Secrets::default().cut(b"k-123", 3), 3);
    }

    #[test]
    fn json_is_searched_everywhere() {
        let said =
            json!({"k-123": [1, 4711, "x k-123", null, true], "a": {"b": "-----\n\"a\"\n-----"}});
        let clean = json!({"[secret KEY]": [1, "[secret PIN]", "x [secret KEY]", null, true], "a": {"b": "[secret PEM]"}});
        assert_eq!(secrets().redact_json(said), clean);
    }

    #[test]
    fn json_text_stays_json_text() {
        let odd = [
            ("QUOTE", "pa\"ss"),
            ("END", "abc\""),
            ("LINE", "a\nb"),
            ("PIN", "4711"),
        ];
        let odd = odd.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let odd = Secrets::of(BTreeMap::from(odd));
        let within = json!({"k": "pa\"ss"}).to_string();
        let said = json!({"order": 4711, "end": "abc\"", "line": "a\nb", "data": within});
        let clean = json!({
            "order": "[secret PIN]",
            "end": "[secret END]",
            "line": "[secret LINE]",
            "data": "{\"k\":\"[secret QUOTE]\"}",
        });
        assert_eq!(odd.redact_json_text(said.to_string()), clean.to_string());
        let key = r#"{"type":"account","key":"k"}"#;
        let account = Secrets::of([("ACCOUNT".to_owned(), key.to_owned())].into());
        assert_eq!(
            account.redact_json_text(format!(r#"{{"as":{key}}}"#)),
            r#"{"as":[secret ACCOUNT]}"#,
            "rather no JSON than a secret"
        );
        assert_eq!(
            odd.redact_json_text("no JSON 4711".into()),
            "no JSON [secret PIN]"
        );
    }

    #[test]
    fn secrets_of_the_same_name_are_all_redacted() {
        let one = |value: &str| Secrets::of([("KEY".to_owned(), value.to_owned())].into());
        let all = AllSecrets::default();
        for secrets in [one("k-123"), one("k-123-and-more"), Secrets::default()] {
            all.add(&Arc::new(secrets));
        }
        let clean = all.get().redact("k-123 k-123-and-more").into_owned();
        assert_eq!(clean, "[secret KEY] [secret KEY]");
    }

    #[test]
    fn without_secrets_nothing_is_changed() {
        let none = Secrets::default();
        assert!(matches!(none.redact("k-123"), Cow::Borrowed("k-123")));
        assert_eq!(none.redact_json(json!([1])), json!([1]));
    }
}
