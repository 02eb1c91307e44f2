//! The texts within JSON.

use serde_json::Value;

/// The deepest nesting of values that is searched; `serde_json` refuses deeper values before.
const DEEPEST: usize = 128;

/// Calls `f` with the name and the text of each string, at any depth. A string in a list has the list's name.
pub fn each_text<'a>(value: &'a Value, f: &mut dyn FnMut(&'a str, &'a str)) {
    walk("", value, 0, f);
}

fn walk<'a>(name: &'a str, value: &'a Value, depth: usize, f: &mut dyn FnMut(&'a str, &'a str)) {
    match value {
        _ if depth > DEEPEST => {}
        Value::String(text) => f(name, text),
        Value::Array(values) => {
            for value in values {
                walk(name, value, depth + 1, f);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                walk(name, value, depth + 1, f);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Replaces each string for which `f` returns another text, given its name as in [`each_text`] and its text. Returns
/// whether any string was replaced.
pub fn change_texts(value: &mut Value, f: &mut dyn FnMut(&str, &str) -> Option<String>) -> bool {
    change("", value, f)
}

fn change(name: &str, value: &mut Value, f: &mut dyn FnMut(&str, &str) -> Option<String>) -> bool {
    match value {
        Value::String(text) => match f(name, text) {
            Some(changed) => {
                *text = changed;
                true
            }
            None => false,
        },
        Value::Array(values) => values
            .iter_mut()
            .fold(false, |changed, value| change(name, value, f) | changed),
        Value::Object(members) => members.iter_mut().fold(false, |changed, (name, value)| {
            change(name, value, f) | changed
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{change_texts, each_text};
    use serde_json::json;

    #[test]
    fn every_text_is_seen_and_can_be_changed() {
        let mut value = json!({ "a": ["x", { "b": "y" }], "n": 1 });
        let mut seen = Vec::new();
        each_text(&value, &mut |name, text| {
            seen.push(format!("{name}={text}"))
        });
        assert_eq!(seen, ["a=x", "b=y"]);
        assert!(change_texts(&mut value, &mut |_, text| (text == "y").then(|| "z".into())));
        assert_eq!(value, json!({ "a": ["x", { "b": "z" }], "n": 1 }));
    }

    #[test]
    fn a_text_is_changed_by_its_name() {
        let mut value = json!({ "a": ["x", { "b": "x" }], "c": "x" });
        let mut rename = |name: &str, text: &str| (name != "c").then(|| format!("{name}{text}"));
        assert!(change_texts(&mut value, &mut rename));
        assert_eq!(value, json!({ "a": ["ax", { "b": "bx" }], "c": "x" }));
    }
}
