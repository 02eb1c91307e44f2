//! An excerpt of a change.

use portcullis::contract::ContentPart;
use portcullis::json::from_json;
use portcullis::points::post_tool_call::ToolOutput;
use serde_json::Value;

use super::Places;
use crate::{Printable, text};

/// The most lines that are shown of the old and of the new value.
const MOST_LINES: usize = 3;

/// The old and the new value, line by line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Excerpt<T = Printable> {
    /// The old lines.
    pub before: Vec<T>,
    /// The new lines.
    pub after: Vec<T>,
}

/// Returns the text of a tool's output or of content in the contract's JSON form. Any other value
/// is returned as it is.
fn plain(json: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        return json.to_owned();
    };
    if let Ok(output) = from_json::<ToolOutput>(value.clone()) {
        return output.content;
    }
    match (&value, from_json::<Vec<ContentPart>>(value.clone())) {
        (Value::Array(parts), Ok(contents)) if !parts.is_empty() => {
            let texts = parts
                .iter()
                .zip(contents)
                .map(|(part, content)| match content {
                    ContentPart::Text(text) | ContentPart::Thinking(text) => text,
                    _ => part.to_string(),
                });
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => json.to_owned(),
    }
}

/// Returns a tool's arguments, short ones first, so that a long content does not hide a path.
pub fn arguments(json: &str) -> String {
    let Some(fields) = object(json) else {
        return json.to_owned();
    };
    let mut shown: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    shown.sort_by_key(String::len);
    shown.join(", ")
}

/// Returns the difference between two values, both as JSON text.
pub fn excerpt(before: &str, after: &str, places: &Places, most: usize) -> Excerpt {
    let (before, after) = (plain(before), plain(after));
    let excerpt = match (object(&before), object(&after)) {
        (Some(before), Some(after)) => fields(&before, &after),
        _ => lines(&before, &after),
    };
    let show = |texts: &[String]| -> Vec<Printable> {
        texts.iter().map(|text| places.show(text)).collect()
    };
    let (before, after) = (show(&excerpt.before), show(&excerpt.after));
    let none = Printable::default();
    let mut shown = Excerpt::default();
    for index in 0..before.len().max(after.len()) {
        let pair = text::difference(
            before.get(index).unwrap_or(&none),
            after.get(index).unwrap_or(&none),
            most,
        );
        if index < before.len() {
            shown.before.push(pair.0);
        }
        if index < after.len() {
            shown.after.push(pair.1);
        }
    }
    shown
}

fn object(text: &str) -> Option<serde_json::Map<String, Value>> {
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Some(fields),
        _ => None,
    }
}

/// Returns the fields that differ.
fn fields(
    before: &serde_json::Map<String, Value>,
    after: &serde_json::Map<String, Value>,
) -> Excerpt<String> {
    let mut excerpt = Excerpt::default();
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        if old == new {
            continue;
        }
        excerpt
            .before
            .extend(old.map(|value| format!("{name}: {value}")));
        excerpt
            .after
            .extend(new.map(|value| format!("{name}: {value}")));
    }
    cut(excerpt)
}

/// Returns the lines that differ, if the number of lines is the same; otherwise the whole text, on
/// one line.
fn lines(before: &str, after: &str) -> Excerpt<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if old.len() != new.len() {
        return Excerpt {
            before: vec![old.join(" ⏎ ")],
            after: vec![new.join(" ⏎ ")],
        };
    }
    let mut excerpt = Excerpt::default();
    for (old, new) in old.into_iter().zip(new).filter(|(old, new)| old != new) {
        excerpt.before.push(old.trim().to_owned());
        excerpt.after.push(new.trim().to_owned());
    }
    cut(excerpt)
}

fn cut(mut excerpt: Excerpt<String>) -> Excerpt<String> {
    for lines in [&mut excerpt.before, &mut excerpt.after] {
        let more = lines.len().saturating_sub(MOST_LINES);
        if more > 0 {
            lines.truncate(MOST_LINES);
            lines.push(format!("… and {more} more"));
        }
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
        let excerpt = excerpt(before, after, &Places::default(), 60);
        let texts = |lines: Vec<Printable>| lines.iter().map(ToString::to_string).collect();
        (texts(excerpt.before), texts(excerpt.after))
    }

    #[test]
    fn only_what_differs_is_shown() {
        for (before, after, old, new) in [
            // Tool arguments.
            (
                r#"{"content":"long","path":"../a"}"#,
                r#"{"content":"long","path":"/w/a"}"#,
                vec![r#"path: "../a""#],
                vec![r#"path: "/w/a""#],
            ),
            // A tool's output.
            (
                r#"{"content":"a\nkey: 123\nb","is-error":false}"#,
                r#"{"content":"a\nkey: [redacted]\nb","is-error":false}"#,
                vec!["key: 123"],
                vec!["key: [redacted]"],
            ),
            // Content.
            (
                r#"[{"text":"status"}]"#,
                r#"[{"text":"How is it?"}]"#,
                vec!["status"],
                vec!["How is it?"],
            ),
            // A hint.
            (
                r#"{"keep":[],"instructions":null}"#,
                r#"{"keep":[1],"instructions":null}"#,
                vec!["keep: []"],
                vec!["keep: [1]"],
            ),
            // Another number of lines.
            (
                r#"[{"text":"a\nb"}]"#,
                r#"[{"text":"a"}]"#,
                vec!["a ⏎ b"],
                vec!["a"],
            ),
        ] {
            let old: Vec<String> = old.into_iter().map(str::to_owned).collect();
            let new: Vec<String> = new.into_iter().map(str::to_owned).collect();
            assert_eq!(of(before, after), (old, new), "{before}");
        }
    }

    #[test]
    fn short_arguments_come_first() {
        let shown = arguments(r#"{"content":"a long text","path":"a"}"#);
        assert_eq!(shown, r#"path: "a", content: "a long text""#);
        assert_eq!(arguments("{broken"), "{broken");
    }

    #[test]
    fn control_characters_are_shown_as_escapes() {
        let (_, after) = of(r#"[{"text":"a"}]"#, r#"[{"text":"\u001b[31mb"}]"#);
        assert_eq!(after, ["\\u{1b}[31mb"]);
    }
}
