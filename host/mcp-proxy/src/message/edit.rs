//! Changes of one part of a JSON text. The rest of the text stays the same.

use std::ops::Range;

use serde_json::value::RawValue;

use super::Malformed;

/// Returns the range of a part in the text that it is a slice of. For a slice of another text, the
/// range is empty and at the end.
pub(super) fn place(text: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    match start <= text.len() && part.len() <= text.len() - start {
        true => start..start + part.len(),
        false => text.len()..text.len(),
    }
}

/// Returns the text with a part replaced. The part is a slice of the text.
pub(crate) fn replaced(text: &str, part: &str, new: &str) -> String {
    let place = place(text, part);
    let mut changed = String::with_capacity(text.len() + new.len());
    changed.push_str(text.get(..place.start).unwrap_or_default());
    changed.push_str(new);
    changed.push_str(text.get(place.end..).unwrap_or_default());
    changed
}

/// Sets or removes some fields of an object. The other fields keep their texts and their order; new
/// fields are added at the end.
///
/// # Errors
///
/// The text is not a JSON object.
pub(crate) fn with_fields(
    object: &str,
    changes: &[(&str, Option<String>)],
) -> Result<String, Malformed> {
    let fields: Fields<'_> = serde_json::from_str(object)?;
    let mut changed = String::with_capacity(object.len());
    for (key, value) in &fields.0 {
        match changes.iter().find(|(name, _)| name == key) {
            None => push(&mut changed, key, value.get()),
            Some((_, Some(new))) => push(&mut changed, key, new),
            Some((_, None)) => {}
        }
    }
    for (name, new) in changes {
        if let Some(new) = new
            && !fields.0.iter().any(|(key, _)| key == name)
        {
            push(&mut changed, name, new);
        }
    }
    Ok(format!("{{{changed}}}"))
}

/// Returns an object with these fields. The values are JSON texts.
pub(crate) fn object(fields: &[(&str, String)]) -> String {
    let mut text = String::new();
    for (key, value) in fields {
        push(&mut text, key, value);
    }
    format!("{{{text}}}")
}

fn push(object: &mut String, key: &str, value: &str) {
    if !object.is_empty() {
        object.push(',');
    }
    object.push_str(&serde_json::Value::from(key).to_string());
    object.push(':');
    object.push_str(value);
}

/// All fields of an object, in order.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Fields<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> serde::de::Visitor<'de> for All {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        json.deserialize_map(All)
    }
}
