//! Searching a text for personal data.

use std::ops::Range;
use std::sync::OnceLock;

use guards_common::decoded::visible;
use guards_common::find::personal;
use guards_common::redact::{Found, Kinds, Patterns, Redactor, replace};
use portcullis_sdk::HookResult;
use regex_lite::Regex;

/// An address whose signs are written in words.
const SPELLED: &str = r"(?i)\b[a-z0-9][a-z0-9._+-]{0,63}\s*[\[({]\s*at\s*[\])}]\s*[a-z0-9-]{1,63}(?:\s*(?:\.|[\[({]\s*dot\s*[\])}]|\bdot\b)\s*[a-z0-9-]{2,63}){1,3}";

/// Domains that belong to nobody, and names of mailboxes that no person has.
const RESERVED: &[&str] = &["example.com", "example.org", "example.net"];
const RESERVED_ENDINGS: &[&str] = &[".example", ".invalid", ".test", ".localhost"];
const ROLES: &[&str] = &["noreply", "no-reply", "donotreply", "git"];

/// What is searched for.
#[derive(Debug)]
pub struct Search {
    redactor: Redactor,
    finds_addresses: bool,
    spelled: OnceLock<Option<Regex>>,
}

impl Search {
    /// Searches for what the operator's tables say.
    pub fn new(kinds: &Kinds, patterns: &Patterns) -> HookResult<Self> {
        let redactor = Redactor::new(&personal(), kinds, patterns)?.accept(is_personal);
        let finds_addresses = kinds.get("email").copied().unwrap_or(true);
        Ok(Self {
            redactor,
            finds_addresses,
            spelled: OnceLock::new(),
        })
    }

    /// The text without personal data, or nothing if there is none.
    pub fn redact(&self, text: &str, found: &mut Found) -> Option<String> {
        let plain = visible(text);
        let redacted = self.redactor.redact(&plain, found);
        self.spelled(redacted.as_deref().unwrap_or(&plain), found)
            .or(redacted)
    }

    /// Redacts addresses whose signs are written in words. The pattern is slow, so it runs only where there is such a sign.
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

/// Whether what was found belongs to a person.
fn is_personal(kind: &str, text: &str, span: &Range<usize>) -> bool {
    let Some(value) = text.get(span.clone()) else {
        return true;
    };
    let before = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    match kind {
        "email" => {
            let plain = value.to_lowercase();
            let (mailbox, domain) = plain.split_once('@').unwrap_or_default();
            let is_reserved = RESERVED
                .iter()
                .any(|reserved| domain == *reserved || domain.ends_with(&format!(".{reserved}")))
                || RESERVED_ENDINGS
                    .iter()
                    .any(|ending| domain.ends_with(ending));
            let is_remote = after.starts_with(':')
                && after
                    .get(1..)
                    .is_some_and(|path| path.starts_with(|letter: char| letter.is_alphanumeric()));
            let is_file = [".png", ".jpg", ".svg", ".css", ".js"]
                .iter()
                .any(|ending| domain.ends_with(ending));
            !is_reserved && !ROLES.contains(&mailbox) && !is_remote && !is_file
        }
        // Part of a longer identifier.
        "phone" | "ssn" | "national-id" | "credit-card" => {
            !before.ends_with(['-', '/', '#', '_']) && !after.starts_with(['-', '_'])
        }
        _ => true,
    }
}
