//! Replacing matches with `[REDACTED:kind]`.

mod kinds;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use portcullis_sdk::HookResult;
use regex_lite::Regex;

pub use kinds::{Kinds, Patterns, kinds_schema};

use crate::find::{Finder, Kind};

/// Decides whether a match counts, by its kind, the text and its range. Of a long match, it gets the beginning.
pub type Accept = fn(kind: &str, text: &str, span: &Range<usize>) -> bool;

/// The bytes at the end of a name that are searched: they are searched again for each text of a list.
const LONGEST_NAME: usize = 64;

/// The kinds and patterns to redact.
#[derive(Debug)]
pub struct Redactor {
    finder: Finder,
    patterns: Vec<(String, Regex)>,
    accept: Accept,
}

impl Redactor {
    /// Creates a redactor for the `known` kinds that the operator leaves on, and for the operator's patterns.
    ///
    /// # Errors
    ///
    /// A kind is unknown, or a pattern is invalid.
    pub fn new(known: &[&'static Kind], kinds: &Kinds, patterns: &Patterns) -> HookResult<Self> {
        Ok(Self {
            finder: kinds::finder(known, kinds)?,
            patterns: kinds::patterns(patterns)?,
            accept: |_, _, _| true,
        })
    }

    /// Keeps the texts that `accept` refuses. It is not asked about the operator's patterns.
    pub fn accept(self, accept: Accept) -> Self {
        Self { accept, ..self }
    }

    /// Returns the matches of the known kinds, in order and without overlap.
    pub fn find(&self, text: &str) -> Vec<(&'static str, Range<usize>)> {
        self.finder
            .find_accepted(text, &|kind, span| (self.accept)(kind, text, span))
    }

    /// Returns the matches of the known kinds in the text of a JSON member, with its name as context.
    pub fn find_named(&self, name: &str, text: &str) -> Vec<(&'static str, Range<usize>)> {
        if name.is_empty() {
            return self.find(text);
        }
        let end_of_name = &name[name.ceil_char_boundary(name.len().saturating_sub(LONGEST_NAME))..];
        let start = format!("\"{end_of_name}\": \"");
        let member = format!("{start}{text}");
        let mut found = self.finder.find_accepted(&member, &|kind, span| {
            span.start >= start.len() && (self.accept)(kind, &member, span)
        });
        for (_, span) in &mut found {
            *span = span.start - start.len()..span.end - start.len();
        }
        found
    }

    /// Redacts all matches in a text. Returns `None` if there are none.
    pub fn redact(&self, text: &str, found: &mut Found) -> Option<String> {
        self.redact_named("", text, found)
    }

    /// Redacts all matches in the text of a JSON member, with its name as context. Returns `None` if there are none.
    /// The operator's patterns are matched against the text alone.
    pub fn redact_named(&self, name: &str, text: &str, found: &mut Found) -> Option<String> {
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
        replace(text, &self.find_named(name, text), found).or(redacted)
    }
}

/// Replaces the spans, which are in order and do not overlap, with `[REDACTED:kind]`. Returns `None` if there
/// are none.
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

/// The number of matches of each kind.
#[derive(Debug, Default)]
pub struct Found(BTreeMap<String, u32>);

impl Found {
    /// Returns whether nothing was found.
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
