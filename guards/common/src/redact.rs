//! Putting `[REDACTED:kind]` in place of what is found.

mod kinds;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use portcullis_sdk::HookResult;
use regex_lite::Regex;

pub use kinds::{Kinds, Patterns};

use crate::find::{Finder, Kind};

/// Whether what was found is really one: its kind, the text, and where it is.
pub type Accept = fn(kind: &str, text: &str, span: &Range<usize>) -> bool;

/// What to look for.
#[derive(Debug)]
pub struct Redactor {
    finder: Finder,
    patterns: Vec<(String, Regex)>,
    accept: Accept,
}

impl Redactor {
    /// Looks for those of the `known` kinds that the operator leaves on, and for the operator's patterns.
    ///
    /// # Errors
    ///
    /// A kind is unknown, or a pattern is wrong.
    pub fn new(known: &[&'static Kind], kinds: &Kinds, patterns: &Patterns) -> HookResult<Self> {
        Ok(Self {
            finder: kinds::finder(known, kinds)?,
            patterns: kinds::patterns(patterns)?,
            accept: |_, _, _| true,
        })
    }

    /// Leaves what `accept` refuses. It is not asked about the operator's patterns.
    pub fn accept(self, accept: Accept) -> Self {
        Self { accept, ..self }
    }

    /// What is found of the known kinds, in order and apart from each other.
    pub fn find(&self, text: &str) -> Vec<(&'static str, Range<usize>)> {
        let mut found = self.finder.find(text);
        found.retain(|(kind, span)| (self.accept)(kind, text, span));
        found
    }

    /// The text with everything found redacted, or nothing if there was nothing to redact.
    pub fn redact(&self, text: &str, found: &mut Found) -> Option<String> {
        let mut redacted: Option<String> = None;
        for (kind, pattern) in &self.patterns {
            let text = redacted.as_deref().unwrap_or(text);
            let spans: Vec<_> = pattern
                .find_iter(text)
                .map(|span| (kind.as_str(), span.range()))
                .collect();
            redacted = replace(text, &spans, found).or(redacted);
        }
        let text = redacted.as_deref().unwrap_or(text);
        replace(text, &self.find(text), found).or(redacted)
    }
}

/// The text with `[REDACTED:kind]` in place of the spans, which are in order and apart from each other; `None`
/// without spans.
pub fn replace(text: &str, spans: &[(&str, Range<usize>)], found: &mut Found) -> Option<String> {
    if spans.is_empty() {
        return None;
    }
    let mut redacted = String::with_capacity(text.len());
    let mut end = 0;
    for (kind, span) in spans {
        redacted.push_str(&text[end..span.start]);
        redacted.push_str("[REDACTED:");
        redacted.push_str(kind);
        redacted.push(']');
        end = span.end;
        found.add(kind);
    }
    redacted.push_str(&text[end..]);
    Some(redacted)
}

/// How many of each kind were found.
#[derive(Debug, Default)]
pub struct Found(BTreeMap<String, u32>);

impl Found {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, kind: &str) {
        match self.0.get_mut(kind) {
            Some(count) => *count += 1,
            None => {
                self.0.insert(kind.to_owned(), 1);
            }
        }
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (place, (kind, count)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{kind}:{count}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
