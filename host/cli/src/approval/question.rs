//! A question that outlives the call it is asked in.

use portcullis::Question;
use portcullis::points::PointId;
use serde_json::Value;

/// A question.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The hook that asks.
    pub hook: String,
    /// The point at which it asks.
    pub point: PointId,
    /// What it asks.
    pub question: String,
    /// The value that would go ahead, as the whole chain left it.
    pub value: String,
}

impl From<Question<'_>> for Asking {
    fn from(question: Question<'_>) -> Self {
        Self {
            hook: question.hook.to_string(),
            point: question.point,
            question: question.request.question.clone(),
            value: readable(question.value),
        }
    }
}

/// The value without the JSON around a text. A person approves all of it, so no field is left out.
fn readable(json: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        return json.to_owned();
    };
    match &value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Option<Vec<&str>> = parts.iter().map(text_part).collect();
            texts.map_or_else(|| json.to_owned(), |texts| texts.join("\n"))
        }
        _ => json.to_owned(),
    }
}

/// The text of a part that is nothing but text.
fn text_part(part: &Value) -> Option<&str> {
    let fields = part.as_object().filter(|fields| fields.len() == 1)?;
    fields.get("Text")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn no_field_is_left_out() {
        for (json, shown) in [
            (r#""{\"path\":\"a\"}""#, r#"{"path":"a"}"#),
            (r#"[{"Text":"a"},{"Text":"b"}]"#, "a\nb"),
            (
                r#"[{"Text":"a"},{"Other":1}]"#,
                r#"[{"Text":"a"},{"Other":1}]"#,
            ),
            (
                r#"{"content":"a","is_error":true}"#,
                r#"{"content":"a","is_error":true}"#,
            ),
        ] {
            assert_eq!(readable(json), shown);
        }
    }
}
