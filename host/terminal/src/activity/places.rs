//! Short names for long paths.

use std::fmt::Display;

use crate::Printable;

/// Short names for long paths, so that no line repeats them.
#[derive(Debug, Clone, Default)]
pub struct Places(Vec<(String, &'static str)>);

impl Places {
    /// Shows this directory by a short name.
    pub fn name(mut self, directory: impl Into<String>, name: &'static str) -> Self {
        self.0.push((directory.into(), name));
        self
    }

    /// Returns the text on one line, made printable, with the short names in it.
    pub fn show(&self, text: impl Display) -> Printable {
        let text = Printable::line(text);
        self.0.iter().fold(text, |text, (directory, name)| {
            text.replace(directory, name)
        })
    }
}
