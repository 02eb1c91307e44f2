//! Deciding whether a match belongs to a person.

use std::ops::Range;

/// Domains that belong to nobody, and names of mailboxes that no person has.
const RESERVED: &[&str] = &["example.com", "example.org", "example.net"];
const RESERVED_ENDINGS: &[&str] = &[".example", ".invalid", ".test", ".localhost"];
const ROLES: &[&str] = &["noreply", "no-reply", "donotreply", "git"];

/// Signs that join a number to the text before or after it, and so make it part of a longer identifier.
const JOINS_BEFORE: &[char] = &['-', '/', '#', '_'];
const JOINS_AFTER: &[char] = &['-', '_'];

/// Characters that may be between a number and the word that says what it is.
const BETWEEN: &[char] = &['-', '/', '#', '_', ':', '=', '.', '(', ' ', '\t', '"', '\''];
/// Words that say only that a number follows.
const NUMBER: &[&str] = &["number", "num", "no", "nr"];
/// The number of bytes before a number in which the word is searched.
const BEFORE: usize = 40;

/// Returns whether a match belongs to a person, by its kind, the text and its range.
pub fn is_personal(kind: &str, text: &str, span: &Range<usize>) -> bool {
    let Some(value) = text.get(span.clone()) else {
        return true;
    };
    let before = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    match kind {
        "email" => is_address(value, after),
        "phone" | "ssn" | "national-id" | "credit-card" => {
            let is_joined = before.ends_with(JOINS_BEFORE) && !is_named(kind, before);
            !is_joined && !after.starts_with(JOINS_AFTER)
        }
        _ => true,
    }
}

fn is_address(value: &str, after: &str) -> bool {
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

/// Returns whether the word before a number names this kind, as in `SSN#…`, `card no. #…` and `tel/…`.
fn is_named(kind: &str, before: &str) -> bool {
    let start = before.ceil_char_boundary(before.len().saturating_sub(BEFORE));
    let (rest, word) = last_word(before.get(start..).unwrap_or_default());
    let word = match is_one_of(NUMBER, word) {
        true => last_word(rest).1,
        false => word,
    };
    is_one_of(words(kind), word)
}

/// Splits off the last word. Returns the text before it, and the word.
fn last_word(text: &str) -> (&str, &str) {
    let text = text.trim_end_matches(BETWEEN);
    let rest = text.trim_end_matches(|letter: char| letter.is_alphanumeric());
    (rest, text.strip_prefix(rest).unwrap_or_default())
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|one| one.eq_ignore_ascii_case(word))
}

/// Returns the words that come before numbers of a kind.
fn words(kind: &str) -> &'static [&'static str] {
    match kind {
        "phone" => &[
            "phone",
            "tel",
            "telephone",
            "mobile",
            "cell",
            "fax",
            "call",
            "handy",
            "whatsapp",
            "sms",
        ],
        "ssn" => &["ssn", "security", "social", "tin"],
        "credit-card" => &[
            "card",
            "creditcard",
            "cc",
            "pan",
            "visa",
            "mastercard",
            "amex",
            "credit",
            "debit",
        ],
        "national-id" => &[
            "dni",
            "nie",
            "nif",
            "fiscale",
            "cf",
            "nir",
            "nino",
            "ni",
            "insurance",
            "personnummer",
            "cpf",
        ],
        _ => &[],
    }
}
