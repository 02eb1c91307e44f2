//! Text that may be printed: the only text that output is made of.

use std::fmt::{self, Display};

use portcullis::HookId;
use portcullis::points::PointId;
use portcullis::text::{escape_hidden, sanitize_for_terminal};

/// Text that may be printed on a terminal: it has no character that a terminal obeys or hides, other
/// than the command's own styles.
///
/// Every constructor escapes such characters, so that text of a hook, a model, a file or the system cannot
/// be printed raw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printable(pub(super) String);

impl Printable {
    /// Returns the text on one line: line breaks are escaped too, and it is cut at 2,000 bytes,
    /// with a mark.
    pub fn line(text: impl Display) -> Self {
        Self(sanitize_for_terminal(&text.to_string()))
    }

    /// Returns the whole text on one line: like [`Printable::line`], but not cut.
    pub fn whole(text: impl Display) -> Self {
        Self(escape_hidden(&text.to_string(), |_| false))
    }

    /// Returns a text of any number of lines: line breaks and tabs stay. So do the selectors of the
    /// style of emoji, which only affect the character before them.
    pub fn prose(text: impl Display) -> Self {
        let stays = |c| matches!(c, '\n' | '\t' | '\u{fe0e}' | '\u{fe0f}');
        Self(escape_hidden(&text.to_string(), stays))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the texts, with a separator between them.
    pub fn join<T: Into<Self>>(
        texts: impl IntoIterator<Item = T>,
        separator: &'static str,
    ) -> Self {
        let texts: Vec<String> = texts.into_iter().map(|text| text.into().0).collect();
        Self(texts.join(separator))
    }

    /// Returns the text repeated `times` times.
    pub fn repeat(&self, times: usize) -> Self {
        Self(self.0.repeat(times))
    }

    /// Returns the text with a literal in place of each occurrence of a text.
    pub fn replace(&self, from: &str, to: &'static str) -> Self {
        Self(self.0.replace(from, to))
    }

    /// Returns the text without spaces at its beginning.
    pub fn trim_start(&self) -> Self {
        Self(self.0.trim_start().to_owned())
    }

    /// Returns the text without spaces at its end.
    pub fn trim_end(&self) -> Self {
        Self(self.0.trim_end().to_owned())
    }

    /// Returns the lines of the text.
    pub fn lines(&self) -> impl Iterator<Item = Self> {
        self.0.lines().map(|line| Self(line.to_owned()))
    }
}

impl Display for Printable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Text becomes printable as by [`Printable::line`].
macro_rules! from_text {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Printable {
            fn from(text: $kind) -> Self {
                Self::line(text)
            }
        }
    )*};
}

from_text!(&str, String, &String, &HookId, PointId, i32);

impl From<&Printable> for Printable {
    fn from(text: &Printable) -> Self {
        text.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_escapes_what_it_must() {
        let text = "a\u{1b}[1m\nb\t\u{200b}⚠\u{fe0f}";
        assert_eq!(
            Printable::line(text).as_str(),
            "a\\u{1b}[1m\\nb\\t\\u{200b}⚠\\u{fe0f}"
        );
        assert_eq!(
            Printable::prose(text).as_str(),
            "a\\u{1b}[1m\nb\t\\u{200b}⚠\u{fe0f}"
        );
        let long = "x".repeat(5_000);
        assert!(Printable::line(&long).as_str().len() < 2_100);
        assert_eq!(Printable::whole(&long).as_str(), long);
    }
}
