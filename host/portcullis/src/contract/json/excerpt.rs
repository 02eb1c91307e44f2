//! Excerpts of values in the JSON form, without secrets and within a size limit, for the observers
//! of a call.

use std::borrow::Cow;
use std::cell::Cell;

use serde::Serialize;
use serde_json::Value;

use super::write::Writer;

/// The most bytes of one value that are shown.
pub(crate) const MOST_SHOWN: usize = 16 << 10;

/// The size of a list item or a field, without its text.
const ITEM: usize = size_of::<Value>();

/// Redacts the secrets in a text or in bytes.
pub(crate) type Redact<'a> = &'a dyn Fn(&[u8]) -> Option<Vec<u8>>;

/// A writer of excerpts. Texts and lists are cut at the limit, with a note of the missing amount.
/// Bytes that are UTF-8 are written as text.
pub(crate) struct Excerpt<'a> {
    redact: Redact<'a>,
    room: Cell<usize>,
    /// The byte that was written last.
    pub(super) byte: Cell<Option<u8>>,
}

impl<'a> Excerpt<'a> {
    /// Creates a writer for one value. `redact` returns `None` if the value contains no secret.
    pub(crate) fn new(redact: Redact<'a>) -> Self {
        Self {
            redact,
            room: Cell::new(MOST_SHOWN),
            byte: Cell::default(),
        }
    }

    /// Returns the excerpt of a value.
    pub(crate) fn value(&self, value: &(impl Serialize + ?Sized)) -> Value {
        let written = value.serialize(Writer(Some(self)));
        written.unwrap_or_else(|error| error.to_string().into())
    }

    /// Returns the excerpt of a text. Secrets are replaced before it is cut, so that no part of one
    /// remains.
    pub(crate) fn text(&self, text: &str) -> String {
        let redacted = self.redacted(text.as_bytes());
        let text = String::from_utf8_lossy(&redacted);
        let end = text.floor_char_boundary(self.room.get());
        let kept = text.get(..end).unwrap_or_default();
        self.spend(kept.len());
        match text.len() - kept.len() {
            0 => kept.to_owned(),
            missing => format!("{kept}… and {missing} more bytes"),
        }
    }

    /// Returns the excerpt of a list of bytes.
    pub(super) fn bytes(&self, bytes: &[u8]) -> Value {
        let redacted = self.redacted(bytes);
        if let Ok(text) = std::str::from_utf8(&redacted) {
            return self.text(text).into();
        }
        let most = self.room.get() / ITEM;
        let mut items: Vec<Value> = redacted.iter().take(most).map(|b| (*b).into()).collect();
        self.spend(items.len() * ITEM);
        let missing = redacted.len() - items.len();
        if missing > 0 {
            items.push(format!("… and {missing} more").into());
        }
        Value::Array(items)
    }

    fn redacted<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match (self.redact)(bytes) {
            Some(redacted) => redacted.into(),
            None => bytes.into(),
        }
    }

    pub(super) fn has_room(&self) -> bool {
        self.room.get() > 0
    }

    pub(super) fn spend_item(&self) {
        self.spend(ITEM);
    }

    fn spend(&self, bytes: usize) {
        self.room.set(self.room.get().saturating_sub(bytes));
    }
}

/// Returns the approximate memory of a value, in bytes.
pub(crate) fn size(value: &Value) -> usize {
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| key.len() + size(value))
            .sum(),
        _ => 0,
    };
    ITEM + inner
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn excerpt(value: &impl Serialize) -> Value {
        Excerpt::new(&|_| None).value(value)
    }

    #[test]
    fn names_are_those_of_the_contract() {
        let stop = crate::contract::StopReason::ToolUse;
        let returned: Result<_, String> = Ok(stop.clone());
        let shown = excerpt(&(stop, Some(returned)));
        assert_eq!(shown, json!(["tool-use", { "ok": "tool-use" }]));
    }

    #[test]
    fn bytes_that_are_a_text_are_shown_as_it() {
        let shown = excerpt(&("key", b"value".to_vec(), vec![0xffu8], Vec::<u8>::new()));
        assert_eq!(shown, json!(["key", "value", [255], []]));
    }

    #[test]
    fn numbers_are_no_bytes() {
        assert_eq!(excerpt(&(1u32,)), json!([1]));
        assert_eq!(excerpt(&(3u32, 65u8)), json!([3, 65]));
        assert_eq!(excerpt(&(vec![72u32, 105],)), json!([[72, 105]]));
        let case: Vec<Result<u8, ()>> = vec![Ok(72)];
        assert_eq!(excerpt(&case), json!([{ "ok": 72 }]));
    }

    #[test]
    fn what_is_large_is_cut_and_counted() {
        let text = "ä".repeat(MOST_SHOWN);
        let shown = excerpt(&text);
        let kept = &text[..MOST_SHOWN];
        assert_eq!(shown, format!("{kept}… and {MOST_SHOWN} more bytes"));
        for large in [
            excerpt(&(vec![1u32; 1 << 20],)),
            excerpt(&(vec!["ab"; 1 << 20], vec![0xffu8; 1 << 20])),
            excerpt(&vec![vec![Some("ab"); 9]; 1 << 16]),
        ] {
            assert!(size(&large) < 2 * MOST_SHOWN, "{}", size(&large));
            assert!(large.to_string().contains("… and "), "{large}");
        }
    }

    #[test]
    fn secrets_are_replaced_before_a_text_is_cut() {
        let redact = |bytes: &[u8]| {
            let at = bytes.windows(3).position(|part| part == b"key")?;
            Some([&bytes[..at], b"[secret]", &bytes[at + 3..]].concat())
        };
        let text = format!("{}key", "a".repeat(MOST_SHOWN - 1));
        let shown = Excerpt::new(&redact).value(&text).to_string();
        assert!(shown.contains("a[… and"), "the end of {shown}");
        let shown = Excerpt::new(&redact).value(&b"\xffkey".to_vec());
        assert!(!shown.to_string().contains("107"), "{shown}");
    }
}
