//! Putting `[REDACTED:kind]` in place of what is found.

mod kinds;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use portcullis_sdk::HookResult;
use regex_lite::Regex;

pub use kinds::{Kinds, Patterns, kinds_schema};

use crate::find::{Finder, Kind};

/// Whether what was found is really one: its kind, the text, and where it is. Of a long one this is the beginning.
pub type Accept = fn(kind: &str, text: &str, span: &Range<usize>) -> bool;

/// How much of the end of a name is looked at: it may stand before each text of a long list.
const LONGEST_NAME: usize = 64;

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
        self.finder
            .find_accepted(text, &|kind, span| (self.accept)(kind, text, span))
    }

    /// What is found of the known kinds in the text of a member of JSON. Its name says what the text is.
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

    /// The text with everything found redacted, or nothing if there was nothing to redact.
    pub fn redact(&self, text: &str, found: &mut Found) -> Option<String> {
        self.redact_named("", text, found)
    }

    /// The text of a member of JSON with everything found redacted, or nothing if there was nothing to redact. The
    /// operator's patterns see the text alone.
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
