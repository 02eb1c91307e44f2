//! A changed tool output in the original output's form. Claude Code ignores any other form.

use serde_json::{Map, Value, json};

/// Returns the output with the hooks' changes. `text` is the changed output as text, or as JSON if the original is not
/// text.
pub(crate) fn changed(original: &Value, text: &str) -> Option<Value> {
    if original.is_string() {
        return Some(text.into());
    }
    let parsed = serde_json::from_str(text).ok();
    let same_form = parsed.filter(|parsed| has_form_of(parsed, original));
    same_form.or_else(|| with_text(original, text))
}

/// Returns an output of the same form with this text alone, and `None` if the form is not known.
pub(crate) fn with_text(original: &Value, text: &str) -> Option<Value> {
    match original {
        Value::String(_) => Some(text.into()),
        Value::Array(parts) if parts.iter().all(is_part) => Some(part(text)),
        Value::Object(fields) => in_object(fields, text),
        _ => None,
    }
}

fn in_object(fields: &Map<String, Value>, text: &str) -> Option<Value> {
    let mut fields = fields.clone();
    // The output of a shell.
    if fields.get("stdout").is_some_and(Value::is_string) {
        fields.insert("stdout".into(), text.into());
        if fields.contains_key("stderr") {
            fields.insert("stderr".into(), "".into());
        }
        return Some(fields.into());
    }
    // The output of a text file.
    if fields.get("type").is_some_and(|kind| kind == "text")
        && let Some(Value::Object(file)) = fields.get_mut("file")
        && let Some(content) = file
            .get_mut("content")
            .filter(|content| content.is_string())
    {
        *content = text.into();
        return Some(fields.into());
    }
    // The output of an MCP server or another tool.
    let content = fields.get_mut("content")?;
    *content = match content {
        Value::String(_) => text.into(),
        Value::Array(parts) if parts.iter().all(is_part) => part(text),
        _ => return None,
    };
    fields.remove("structuredContent");
    Some(fields.into())
}

fn is_part(part: &Value) -> bool {
    part.get("type").is_some_and(Value::is_string)
}

fn part(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

/// Returns whether two values have the same keys and types. Texts, numbers and the lengths of lists
/// may differ.
fn has_form_of(value: &Value, original: &Value) -> bool {
    match (value, original) {
        (Value::Object(value), Value::Object(original)) => {
            value.len() == original.len()
                && original.iter().all(|(key, original)| {
                    value
                        .get(key)
                        .is_some_and(|value| has_form_of(value, original))
                })
        }
        (Value::Array(value), Value::Array(original)) => match original.first() {
            Some(first) if original.len() != value.len() => {
                value.iter().all(|value| has_form_of(value, first))
            }
            _ => {
                value.len() == original.len()
                    && value
                        .iter()
                        .zip(original)
                        .all(|(one, other)| has_form_of(one, other))
            }
        },
        (value, original) => std::mem::discriminant(value) == std::mem::discriminant(original),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_keeps_its_form() {
        let shell = json!({"stdout": "key 12", "stderr": "x", "interrupted": false});
        let text = shell.to_string().replace("12", "[removed]");
        let expected = json!({"stdout": "key [removed]", "stderr": "x", "interrupted": false});
        assert_eq!(changed(&shell, &text), Some(expected));
        let expected = json!({"stdout": "gone", "stderr": "", "interrupted": false});
        assert_eq!(changed(&shell, "gone"), Some(expected.clone()));
        assert_eq!(
            changed(&shell, r#"{"stdout": 1}"#).unwrap()["stdout"],
            r#"{"stdout": 1}"#
        );
        assert_eq!(with_text(&shell, "gone"), Some(expected));
        assert_eq!(changed(&json!("a"), "{}"), Some(json!("{}")));

        let file = json!({"type": "text", "file": {"filePath": "/a", "content": "secret"}});
        let expected = json!({"type": "text", "file": {"filePath": "/a", "content": "gone"}});
        assert_eq!(with_text(&file, "gone"), Some(expected));

        let parts = json!([{"type": "text", "text": "secret"}, {"type": "image", "data": "x"}]);
        assert_eq!(with_text(&parts, "gone"), Some(part("gone")));
        let mcp = json!({"content": parts, "structuredContent": {"secret": 1}});
        assert_eq!(
            with_text(&mcp, "gone"),
            Some(json!({"content": part("gone")}))
        );
    }

    #[test]
    fn an_unknown_form_is_not_written() {
        for output in [
            json!({"matches": ["secret"]}),
            json!(12),
            json!(["secret"]),
            json!(null),
        ] {
            assert_eq!(with_text(&output, "gone"), None, "{output}");
        }
        let matches = json!({"matches": ["secret"]});
        let kept = r#"{"matches": ["gone", "gone"]}"#;
        assert_eq!(changed(&matches, kept), serde_json::from_str(kept).ok());
    }
}
