//! Putting `[REDACTED:kind]` in place of what is found.

mod config;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use portcullis_sdk::HookResult;
use regex_lite::Regex;

pub use config::Config;

use crate::find::Finder;

/// What to look for.
#[derive(Debug)]
pub struct Redactor {
    finder: Finder,
    patterns: Vec<(String, Regex)>,
}

impl Redactor {
    /// Looks for what the operator's table says.
    pub fn new(config: Config) -> HookResult<Self> {
        Ok(Self {
            finder: config.finder()?,
            patterns: config.patterns()?,
        })
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
        let spans = self.finder.find(text);
        replace(text, &spans, found).or(redacted)
    }
}

fn replace(text: &str, spans: &[(&str, Range<usize>)], found: &mut Found) -> Option<String> {
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
