//! Reading some fields of a JSON object.

use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

/// The reason that a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(String);

impl Malformed {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl From<serde_json::Error> for Malformed {
    fn from(error: serde_json::Error) -> Self {
        // The parser's message about a data error quotes the data, which must not be shown.
        Self(match error.classify() {
            Category::Data => {
                let column = error.column();
                format!("a value is of another type than it should be, at column {column}")
            }
            _ => error.to_string(),
        })
    }
}

/// Returns the texts of these fields of an object.
///
/// # Errors
///
/// The text is not a JSON object. Or a field occurs twice, or in another case such as `Method`: the
/// peer might read another value than this program.
pub(crate) fn fields<'a, const N: usize>(
    object: &'a str,
    names: [&str; N],
) -> Result<[Option<&'a str>; N], Malformed> {
    let mut json = serde_json::Deserializer::from_str(object);
    let found = Wanted(names).deserialize(&mut json)?;
    json.end()?;
    found
}

/// Returns a part that is not `null`. Some programs write `null` for a missing field.
pub(crate) fn not_null(part: Option<&str>) -> Option<&str> {
    part.filter(|part| *part != "null")
}

/// Returns the texts of an array's elements.
///
/// # Errors
///
/// The text is not a JSON array.
pub(crate) fn elements(array: &str) -> Result<Vec<&str>, Malformed> {
    let elements: Vec<&RawValue> = serde_json::from_str(array)?;
    Ok(elements.into_iter().map(RawValue::get).collect())
}

/// Parses a JSON string.
///
/// # Errors
///
/// The text is not a JSON string.
pub(crate) fn string(text: &str) -> Result<String, Malformed> {
    Ok(serde_json::from_str(text)?)
}

struct Wanted<'n, const N: usize>([&'n str; N]);

impl<'de, const N: usize> DeserializeSeed<'de> for Wanted<'_, N> {
    type Value = Result<[Option<&'de str>; N], Malformed>;

    fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Wanted<'_, N> {
    type Value = Result<[Option<&'de str>; N], Malformed>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = [None; N];
        let mut wrong = None;
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value::<&RawValue>()?;
            for (name, found) in self.0.iter().zip(&mut found) {
                if key == *name {
                    if found.replace(value.get()).is_some() {
                        wrong = Some(format!("`{name}` is there twice"));
                    }
                } else if folded(&key) == folded(name) {
                    wrong = Some(format!("`{name}` is written in other letters"));
                }
            }
        }
        Ok(wrong.map_or(Ok(found), |wrong| Err(Malformed(wrong))))
    }
}

/// Folds the case of a text, as parsers that ignore the case do.
fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}
