//! Structured content, and where the text of a result says it.

use serde_json::{Map, Value};

/// Where hooks see the structured content of a result.
#[derive(Debug, PartialEq)]
pub(super) enum Structured {
    /// There is none.
    None,
    /// The only text block is its JSON.
    Text,
    /// It has one field, which is the only text block.
    Field(String),
    /// In a line of JSON behind the text blocks.
    LastLine(Value),
}

impl Structured {
    /// Where this structured content is seen beside these texts.
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

/// The only item.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let item = items.next()?;
    items.next().is_none().then_some(item)
}
