//! The fields that a hook changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest text of one side of a change, in bytes.
const LONGEST: usize = 2_000;
/// How much of what is equal is kept beside what differs, in bytes.
const CONTEXT: usize = 120;
/// The most fields of one run. What is behind them is one entry without texts.
const MOST_FIELDS: usize = 50;

/// A field that a hook changed. Texts are shortened: `…` stands for what is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldChange {
    /// The field, as a JSON pointer into the value; empty if it is the whole value.
    pub path: String,
    /// What it was: a string as it is, anything else as JSON. `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What it became; `None` if it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// The fields that differ between two JSON texts.
pub(super) fn field_changes(before: &str, after: &str) -> Vec<FieldChange> {
    let parsed = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let mut changes = Vec::new();
    differ(
        String::new(),
        Some(&parsed(before)),
        Some(&parsed(after)),
        &mut changes,
    );
    if changes.len() > MOST_FIELDS {
        let more = changes.len() - MOST_FIELDS;
        changes.truncate(MOST_FIELDS);
        changes.push(FieldChange {
            path: format!("… and {more} more"),
            before: None,
            after: None,
        });
    }
    changes
}

fn differ(
    path: String,
    before: Option<&Value>,
    after: Option<&Value>,
    into: &mut Vec<FieldChange>,
) {
    if before == after {
        return;
    }
    match (before, after) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                let escaped = key.replace('~', "~0").replace('/', "~1");
                differ(
                    format!("{path}/{escaped}"),
                    old.get(key),
                    new.get(key),
                    into,
                );
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for index in 0..old.len().max(new.len()) {
                differ(
                    format!("{path}/{index}"),
                    old.get(index),
                    new.get(index),
                    into,
                );
            }
        }
        _ => {
            let (before, after) = (before.map(text), after.map(text));
            let (before, after) = match (before, after) {
                (Some(before), Some(after)) => {
                    let (before, after) = excerpts(&before, &after);
                    (Some(before), Some(after))
                }
                (before, after) => (
                    before.map(|text| shortened(&text)),
                    after.map(|text| shortened(&text)),
                ),
            };
            into.push(FieldChange {
                path,
                before,
                after,
            });
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Two texts, without most of what they begin and end with alike where they are long.
fn excerpts(before: &str, after: &str) -> (String, String) {
    if before.len().max(after.len()) <= LONGEST {
        return (before.to_owned(), after.to_owned());
    }
    let same = |(old, new): &(char, char)| old == new;
    let bytes = |sum: usize, (c, _): (char, char)| sum + c.len_utf8();
    let head = before
        .chars()
        .zip(after.chars())
        .take_while(same)
        .fold(0, bytes);
    let rest = |text: &str| text.get(head..).unwrap_or_default().to_owned();
    let (old, new) = (rest(before), rest(after));
    let tail = old
        .chars()
        .rev()
        .zip(new.chars().rev())
        .take_while(same)
        .fold(0, bytes);
    let part = |text: &str| {
        let from = text.floor_char_boundary(head.saturating_sub(CONTEXT));
        let to = text.ceil_char_boundary((text.len() - tail + CONTEXT).min(text.len()));
        let (left, right) = (
            if from > 0 { "…" } else { "" },
            if to < text.len() { "…" } else { "" },
        );
        let middle = shortened(text.get(from..to).unwrap_or_default());
        format!("{left}{middle}{right}")
    };
    (part(before), part(after))
}

/// A text as the journal keeps it: its beginning, with `…` if there is more.
pub fn shortened(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let kept = text
        .get(..text.floor_char_boundary(LONGEST))
        .unwrap_or_default();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, after: &str) -> Vec<(String, Option<String>, Option<String>)> {
        let changes = field_changes(before, after).into_iter();
        changes
            .map(|change| (change.path, change.before, change.after))
            .collect()
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn only_fields_that_differ_are_named() {
        let before = r#"{"path":"../a","keep":{"x/y":1},"gone":[1,2]}"#;
        let after = r#"{"path":"/w/a","keep":{"x/y":2},"gone":[1],"new":true}"#;
        let mut changes = shown(before, after);
        changes.sort();
        assert_eq!(
            changes,
            [
                ("/gone/1".to_owned(), some("2"), None),
                ("/keep/x~1y".to_owned(), some("1"), some("2")),
                ("/new".to_owned(), None, some("true")),
                ("/path".to_owned(), some("../a"), some("/w/a")),
            ]
        );
    }

    #[test]
    fn long_texts_are_cut_around_what_differs() {
        let long = |word: &str| {
            let text = format!("{}{word}{}", "ä".repeat(2_000_000), "z".repeat(500_000));
            serde_json::json!({ "text": text }).to_string()
        };
        let changes = field_changes(&long("old"), &long("new"));
        let [change] = changes.as_slice() else {
            panic!("{} changes", changes.len());
        };
        for (text, word) in [(&change.before, "old"), (&change.after, "new")] {
            let text = text.as_deref().unwrap();
            assert!(text.contains(word) && text.len() < LONGEST, "{text}");
            assert!(text.starts_with("…ä") && text.ends_with("z…"), "{text}");
        }
        let many = |n: usize| Value::from((0..200).map(|i| i * n).collect::<Vec<_>>()).to_string();
        let changes = field_changes(&many(1), &many(2));
        assert_eq!(changes.len(), MOST_FIELDS + 1);
        assert_eq!(changes.last().unwrap().path, "… and 149 more");
    }
}
