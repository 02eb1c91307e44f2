//! The name of an event that cannot be read.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};

/// The key of an event's name.
pub(crate) const NAME: &str = "hook_event_name";

/// Returns the name of an event that is too large, was cut off or is not JSON, if the name comes before the error. The
/// other values may be invalid in ways that an event may not, such as any depth and half a surrogate pair.
pub(crate) fn name(text: &[u8]) -> Option<String> {
    let mut name = None;
    // The text is known to be invalid, so the error is ignored.
    let _ = serde_json::Deserializer::from_slice(text).deserialize_map(Top(&mut name));
    name
}

/// Keeps the name at the top level of an object, even if an error follows.
struct Top<'n>(&'n mut Option<String>);

impl<'de> Visitor<'de> for Top<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == NAME {
                *self.0 = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_found_before_what_is_wrong() {
        let deep = "[".repeat(1 << 20);
        let begins = r#"{"session_id":"s","hook_event_name":"PostToolUse""#;
        for rest in [
            "",
            "}",
            "} more",
            r#","tool_response":"cut"#,
            r#","tool_response":"\ud83d"}"#,
            r#","tool_response":01}"#,
            format!(r#","tool_response":{deep}"#).as_str(),
        ] {
            let text = format!("{begins}{rest}");
            let cut = text.get(..100).unwrap_or(&text);
            let found = name(text.as_bytes());
            assert_eq!(found.as_deref(), Some("PostToolUse"), "{cut}");
        }
    }

    #[test]
    fn what_the_name_comes_after_may_be_anything_that_ends() {
        let deep = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
        let text = format!(r#"{{"a":{deep},"b":"\ud83d","hook_event_name":"Stop","c"#);
        assert_eq!(name(text.as_bytes()).as_deref(), Some("Stop"));
        let not_utf8 = b"{\"a\":\"\xff\",\"hook_event_name\":\"Stop\"";
        assert_eq!(name(not_utf8).as_deref(), Some("Stop"));
    }

    #[test]
    fn only_a_whole_name_at_the_top_is_one() {
        for text in [
            "",
            "{",
            "[]",
            r#"["hook_event_name","Stop"]"#,
            r#"{"hook_event_name":"Sto"#,
            r#"{"hook_event_name":["Stop"]}"#,
            r#"{"tool_response":{"hook_event_name":"Stop"},"#,
            r#"{"tool_response":"\"hook_event_name\":\"Stop\"","#,
            r#"{"cut":"hook_event_name":"Stop"}"#,
        ] {
            assert_eq!(name(text.as_bytes()), None, "{text}");
        }
    }
}
