//! Structured content, and its position in the text of a result.

use serde_json::{Map, Value};

/// The position of the structured content in the text that hooks see.
#[derive(Debug, PartialEq)]
pub(super) enum Structured {
    /// There is no structured content.
    None,
    /// The only text block is the content's JSON.
    Text,
    /// The content has one field, whose value is the only text block.
    Field(String),
    /// A line of JSON after the text blocks.
    LastLine(Value),
}

impl Structured {
    /// Returns the position of this structured content beside these texts.
    pub(super) fn beside(texts: &[String], structured: Option<Value>) -> Self {
        let structured = match structured {
            None | Some(Value::Null) => return Self::None,
            Some(structured) => structured,
        };
        let [text] = texts else {
            return Self::LastLine(structured);
        };
        if serde_json::from_str::<Value>(text).is_ok_and(|value| value == structured) {
            return Self::Text;
        }
        match structured.as_object().map(Map::iter).and_then(only) {
            Some((name, Value::String(value))) if value == text => Self::Field(name.clone()),
            _ => Self::LastLine(structured),
        }
    }

    /// Returns the blocks' text and the structured content after hooks have changed the whole text.
    /// The structured content is `None` if the text leaves no object for it.
    pub(super) fn changed(&self, text: &str) -> (String, Option<Value>) {
        let object = |text: &str| {
            let value: Option<Value> = serde_json::from_str(text).ok();
            value.filter(Value::is_object)
        };
        match self {
            Self::None => (text.to_owned(), None),
            Self::Text => (text.to_owned(), object(text)),
            Self::Field(name) => {
                let value = Map::from_iter([(name.clone(), Value::from(text))]);
                (text.to_owned(), Some(Value::Object(value)))
            }
            Self::LastLine(_) => {
                let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
                match object(last) {
                    Some(value) => (before.to_owned(), Some(value)),
                    None => (text.to_owned(), None),
                }
            }
        }
    }
}

/// Returns the item, if there is exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let item = items.next()?;
    items.next().is_none().then_some(item)
}
