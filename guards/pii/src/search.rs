//! Searching a text for personal data.

use std::ops::Range;
use std::sync::OnceLock;

use guards_common::decoded::visible;
use guards_common::find::personal;
use guards_common::redact::{Found, Kinds, Patterns, Redactor, replace};
use portcullis_sdk::HookResult;
use regex_lite::Regex;

use crate::personal::is_personal;

/// A mail address with `at` in brackets instead of `@`.
const SPELLED: &str = r"(?i)\b[a-z0-9][a-z0-9._+-]{0,63}\s*[\[({]\s*at\s*[\])}]\s*[a-z0-9-]{1,63}(?:\s*(?:\.|[\[({]\s*dot\s*[\])}]|\bdot\b)\s*[a-z0-9-]{2,63}){1,3}";

/// A search for personal data.
#[derive(Debug)]
pub struct Search {
    redactor: Redactor,
    finds_addresses: bool,
    spelled: OnceLock<Option<Regex>>,
}

impl Search {
    /// Creates a search for the kinds and patterns of the operator's tables.
    pub fn new(kinds: &Kinds, patterns: &Patterns) -> HookResult<Self> {
        let redactor = Redactor::new(&personal(), kinds, patterns)?.accept(is_personal);
        let finds_addresses = kinds.get("email").copied().unwrap_or(true);
        Ok(Self {
            redactor,
            finds_addresses,
            spelled: OnceLock::new(),
        })
    }

    /// Redacts the personal data in a text. Returns `None` if there is none. `name` is the name of the text's JSON
    /// member, or empty.
    pub fn redact(&self, name: &str, text: &str, found: &mut Found) -> Option<String> {
        let plain = visible(text);
        let redacted = self.redactor.redact_named(name, &plain, found);
        self.spelled(redacted.as_deref().unwrap_or(&plain), found)
            .or(redacted)
    }

    /// Redacts addresses with `at` in brackets. The pattern is slow, so it runs only if the text may have one.
    fn spelled(&self, text: &str, found: &mut Found) -> Option<String> {
        let has_sign = text.match_indices(['t', 'T']).any(|(at, _)| {
            let rest = text.get(at + 1..).unwrap_or_default().trim_start();
            rest.starts_with([']', ')', '}'])
        });
        if !has_sign || !self.finds_addresses {
            return None;
        }
        let spelled = self
            .spelled
            .get_or_init(|| Regex::new(SPELLED).ok())
            .as_ref()?;
        let spans: Vec<(&str, Range<usize>)> = spelled
            .find_iter(text)
            .map(|span| ("email", span.range()))
            .collect();
        replace(text, &spans, found)
    }
}
