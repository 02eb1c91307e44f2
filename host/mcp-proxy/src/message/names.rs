//! A check that all programs read an object in the same way.

use std::collections::HashSet;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::Malformed;

/// The name of a field that `serde_json` reads as the JSON in the field's text.
const OF_THE_PARSER: &str = "$serde_json::private::RawValue";

/// Checks the names of all objects in a text, at any depth.
///
/// # Errors
///
/// An object has a name twice: some programs read the first value, and others the last. Or it has
/// the name that this program's parser treats specially. Or the text is not JSON, or is nested too
/// deeply.
pub(crate) fn check_names(json: &str) -> Result<(), Malformed> {
    let mut wrong = None;
    let mut text = serde_json::Deserializer::from_str(json);
    Names(&mut wrong).deserialize(&mut text)?;
    text.end()?;
    wrong.map_or(Ok(()), |why| Err(Malformed::new(why)))
}

/// Reads a value, and records a problem with a name in it.
struct Names<'a>(&'a mut Option<&'static str>);

impl<'de> DeserializeSeed<'de> for Names<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Names<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Names(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = fields.next_key::<String>()? {
            fields.next_value_seed(Names(&mut *self.0))?;
            if name == OF_THE_PARSER {
                *self.0 = Some("an object has a name that is reserved");
            }
            if !names.insert(name) {
                *self.0 = Some("an object has a name twice");
            }
        }
        Ok(())
    }
}
