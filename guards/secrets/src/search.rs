//! Searching a text for secrets.

use std::ops::Range;

use guards_common::decoded::{base64_texts, visible};
use guards_common::entropy::bits_per_byte;
use guards_common::find::secrets;
use guards_common::redact::{Found, Kinds, Patterns, Redactor, replace};
use portcullis_sdk::HookResult;

use crate::placeholders::is_placeholder;

/// The least entropy of a secret, in bits for each byte. Texts with less repeat one pattern.
const LEAST_BITS: f64 = 2.2;

/// A search for secrets.
#[derive(Debug)]
pub struct Search {
    redactor: Redactor,
}

impl Search {
    /// Creates a search for the kinds and patterns of the operator's tables.
    pub fn new(kinds: &Kinds, patterns: &Patterns) -> HookResult<Self> {
        let redactor = Redactor::new(&secrets(), kinds, patterns)?.accept(is_secret);
        Ok(Self { redactor })
    }

    /// Redacts the secrets in a text. Returns `None` if there are none. `name` is that of the text's JSON member, or empty.
    pub fn redact(&self, name: &str, text: &str, found: &mut Found) -> Option<String> {
        // Invisible characters may be put into a key, so that it does not look like one.
        let plain = visible(text);
        let redacted = self.redactor.redact_named(name, &plain, found);
        let decoded = self.encoded(redacted.as_deref().unwrap_or(&plain), found);
        decoded.or(redacted)
    }

    /// Redacts encoded texts that contain secrets.
    fn encoded(&self, text: &str, found: &mut Found) -> Option<String> {
        let hidden = base64_texts(text);
        let hidden = hidden
            .into_iter()
            .filter(|(_, said)| !self.redactor.find(said).is_empty());
        let spans: Vec<(&str, Range<usize>)> = hidden.map(|(span, _)| ("encoded", span)).collect();
        replace(text, &spans, found)
    }
}

/// Returns whether a match is a secret, and not a placeholder or code.
fn is_secret(kind: &str, text: &str, span: &Range<usize>) -> bool {
    let Some(value) = text.get(span.clone()) else {
        return true;
    };
    if kind == "private-key" {
        return value.len() > 100;
    }
    let is_call = kind == "secret"
        && (value.contains('(') || value.starts_with('$') || value.starts_with('%'));
    !is_placeholder(value) && !is_call && bits_per_byte(value) >= LEAST_BITS
}
