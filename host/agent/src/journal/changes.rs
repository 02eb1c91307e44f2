//! Fields that a hook or a person changed, and fields that a hook added.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The longest text of one side of a change, in bytes.
const LONGEST: usize = 2_000;
/// The equal text kept beside a difference, in bytes.
const CONTEXT: usize = 120;
/// The most fields of one run. The rest is one entry without texts.
const MOST_FIELDS: usize = 50;

/// A field that a hook or a person changed, or that a hook contributed. Texts are shortened: `…`
/// marks omitted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldChange {
    /// The field, as a JSON pointer into the value; empty if it is the whole value.
    pub path: String,
    /// The old value: a string as it is, any other value as JSON. `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The new value; `None` if it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl FieldChange {
    /// The field's path, for people.
    pub fn name(&self) -> &str {
        match self.path.as_str() {
            "" => "the whole value",
            path => path,
        }
    }
}

/// The fields that differ between two JSON texts.
pub(crate) fn field_changes(before: &str, after: &str) -> Vec<FieldChange> {
    let parsed = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let mut changes = Vec::new();
    differ(
        String::new(),
        Some(&parsed(before)),
        Some(&parsed(after)),
        &mut changes,
    );
    bounded(changes)
}

/// Returns the fields of a hook's contributions: JSON objects, each with its kind as its only key.
/// Null fields are left out.
pub(super) fn added_fields<'a>(
    contributions: impl Iterator<Item = Option<&'a str>>,
) -> Vec<FieldChange> {
    let nothing = Value::Object(Map::new());
    let mut changes = Vec::new();
    for (index, text) in contributions.enumerate() {
        let contribution: Map<String, Value> = text
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default();
        for (kind, mut fields) in contribution {
            if let Value::Object(fields) = &mut fields {
                fields.retain(|_, field| !field.is_null());
            }
            let path = format!("/{index}/{kind}");
            differ(path, Some(&nothing), Some(&fields), &mut changes);
        }
    }
    bounded(changes)
}

fn bounded(mut changes: Vec<FieldChange>) -> Vec<FieldChange> {
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
            // Items before and after an added or removed item have not changed.
            let same = |(old, new): &(&Value, &Value)| old == new;
            let head = old.iter().zip(new).take_while(same).count();
            let rest = old.len().min(new.len()) - head;
            let ends = old.iter().rev().zip(new.iter().rev());
            let tail = ends.take(rest).take_while(same).count();
            let (of_old, of_new) = (old.len() - tail, new.len() - tail);
            for index in head..of_old.max(of_new) {
                differ(
                    format!("{path}/{index}"),
                    old.get(index).filter(|_| index < of_old),
                    new.get(index).filter(|_| index < of_new),
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

/// Returns two texts without most of their common start and end, if those are long.
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
    fn an_item_that_is_added_or_removed_is_one_change() {
        let lists = |before: &str, after: &str| {
            let changes = shown(before, after).into_iter();
            let changes = changes.map(|(path, before, after)| {
                let side = |text: Option<String>| text.unwrap_or_default();
                format!("{path} {}>{}", side(before), side(after))
            });
            changes.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(lists("[1,2,3]", "[2,3]"), "/0 1>");
        assert_eq!(lists("[1,2,3]", "[1,9,2,3]"), "/1 >9");
        assert_eq!(lists("[1,1]", "[1,1,1]"), "/2 >1");
        assert_eq!(lists("[1,2,3]", "[1,9,3]"), "/1 2>9");
        assert_eq!(lists("[1,2,3,4]", "[1,9,4]"), "/1 2>9, /2 3>");
        assert_eq!(lists("[1]", "[]"), "/0 1>");
    }

    #[test]
    fn what_is_contributed_is_all_new_and_is_cut_like_changes() {
        let given = [
            Some(r#"{"section":{"id":"notes","title":null,"text":"Be brief."}}"#),
            None,
            Some(r#"{"policy":{"domain":"memory"}}"#),
        ];
        let mut added: Vec<_> = added_fields(given.into_iter())
            .into_iter()
            .map(|field| (field.path, field.before, field.after))
            .collect();
        added.sort();
        assert_eq!(
            added,
            [
                ("/0/section/id".to_owned(), None, some("notes")),
                ("/0/section/text".to_owned(), None, some("Be brief.")),
                ("/2/policy/domain".to_owned(), None, some("memory")),
            ]
        );
        let long = serde_json::json!({ "context": { "text": "z".repeat(2 * LONGEST) } });
        let added = added_fields([Some(long.to_string().as_str())].into_iter());
        let [field] = added.as_slice() else {
            panic!("{} fields", added.len());
        };
        let text = field.after.as_deref().unwrap();
        assert!(text.len() < LONGEST + 10 && text.ends_with("z…"));
        let many = added_fields([Some(r#"{"note":{"code":"x"}}"#); 60].into_iter());
        assert_eq!(many.last().unwrap().path, "… and 10 more");
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
