//! A line of text in several styles, whose width is known.

use std::fmt::{self, Display};

use anstyle::Style;

use super::printable::Printable;
use super::text;

/// A line of text in several styles.
#[derive(Debug, Clone, Default)]
pub struct Line(Vec<(Style, Printable)>);

impl Line {
    /// Creates an empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a line in one style.
    pub fn styled(style: Style, text: impl Into<Printable>) -> Self {
        Self::new().with(style, text)
    }

    /// Returns the line with more text after it.
    pub fn with(mut self, style: Style, text: impl Into<Printable>) -> Self {
        self.0.push((style, text.into()));
        self
    }

    /// Returns the line with more plain text after it.
    pub fn plain(self, text: impl Into<Printable>) -> Self {
        self.with(Style::new(), text)
    }

    /// Returns the line with another after it.
    pub fn joined(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Returns the width in columns.
    pub fn columns(&self) -> usize {
        self.0.iter().map(|(_, text)| text::columns(text)).sum()
    }

    /// Returns the beginning of the line, with a mark if it is cut.
    pub fn cut(&self, most: usize) -> Self {
        if self.columns() <= most {
            return self.clone();
        }
        let mut line = Self::new();
        for (style, text) in &self.0 {
            let room = most.saturating_sub(line.columns());
            if text::columns(text) >= room {
                // The mark must be there even if the text itself would just fit.
                let longer = Printable(format!("{text} "));
                return line.with(*style, text::cut(&longer, room));
            }
            line = line.with(*style, text.clone());
        }
        line
    }

    /// Returns the line in pieces of at most `most` columns, broken at spaces where there are any;
    /// all but the first begin with `indent` spaces.
    pub fn wrap(&self, most: usize, indent: usize) -> Vec<Self> {
        let mut lines = Vec::new();
        let mut line = Self::new();
        // The start and the end of the line's text.
        let (mut start, mut taken) = (0, 0);
        for (style, text) in &self.0 {
            for word in text.0.split_inclusive(' ') {
                let mut word = word.to_owned();
                while taken + text::width(word.trim_end()) > most {
                    if taken == start {
                        let room = most.saturating_sub(start).max(1);
                        let head: String = word.chars().take(room).collect();
                        word = word.chars().skip(room).collect();
                        line = line.with(*style, Printable(head));
                    }
                    let next = Self::new().plain(Printable::from(" ").repeat(indent));
                    lines.push(std::mem::replace(&mut line, next).trimmed());
                    (start, taken) = (indent, indent);
                }
                taken += text::width(&word);
                line = line.with(*style, Printable(word));
            }
        }
        if taken > start || lines.is_empty() {
            lines.push(line.trimmed());
        }
        lines
    }

    /// Returns the line without spaces at its end.
    fn trimmed(mut self) -> Self {
        while let Some((_, text)) = self.0.last_mut() {
            text.0.truncate(text.0.trim_end().len());
            if !text.is_empty() {
                break;
            }
            self.0.pop();
        }
        self
    }
}

impl From<Line> for Printable {
    fn from(line: Line) -> Self {
        Self(line.to_string())
    }
}

impl From<&Line> for Printable {
    fn from(line: &Line) -> Self {
        Self(line.to_string())
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (style, text) in &self.0 {
            write!(f, "{style}{text}{style:#}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &Line) -> String {
        line.0.iter().map(|(_, text)| text.as_str()).collect()
    }

    fn lines(line: &Line, most: usize, indent: usize) -> Vec<String> {
        let lines = line.wrap(most, indent);
        lines.iter().map(text).collect()
    }

    #[test]
    fn wraps_across_styles() {
        let line = Line::styled(Style::new().bold(), "one two")
            .plain(" three")
            .plain("four");
        assert_eq!(line.columns(), 17);
        assert_eq!(lines(&line, 17, 0), ["one two threefour"]);
        assert_eq!(lines(&line, 11, 2), ["one two", "  threefour"]);
        let long = Line::new().plain("abcdefgh ij");
        assert_eq!(lines(&long, 3, 0), ["abc", "def", "gh", "ij"]);
        assert_eq!(lines(&long, 4, 2), ["abcd", "  ef", "  gh", "  ij"]);
        assert_eq!(lines(&Line::new(), 4, 2), [""]);
    }

    #[test]
    fn cuts_across_styles() {
        let line = Line::styled(Style::new().bold(), "one").plain(" two");
        assert_eq!(text(&line.cut(7)), "one two");
        assert_eq!(text(&line.cut(6)), "one t…");
        assert_eq!(text(&line.cut(3)), "on…");
    }
}
