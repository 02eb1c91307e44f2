//! A line of text in several styles, whose width is known.

use std::fmt::{self, Display};

use anstyle::Style;

use super::text;

/// A line of text in several styles.
#[derive(Debug, Clone, Default)]
pub struct Line(Vec<(Style, String)>);

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// A line in one style.
    pub fn styled(style: Style, text: impl Into<String>) -> Self {
        Self::new().with(style, text)
    }

    /// The line with more text behind it.
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        self.0.push((style, text.into()));
        self
    }

    /// The line with more plain text behind it.
    pub fn plain(self, text: impl Into<String>) -> Self {
        self.with(Style::new(), text)
    }

    /// The line with another behind it.
    pub fn joined(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// How many columns it takes.
    pub fn columns(&self) -> usize {
        self.0.iter().map(|(_, text)| text::columns(text)).sum()
    }

    /// The line in pieces of at most `most` columns, broken at spaces where there are any.
    pub fn wrap(&self, most: usize) -> Vec<Self> {
        if self.columns() <= most {
            return vec![self.clone()];
        }
        let mut lines = Vec::new();
        let mut line = Self::new();
        let mut taken = 0;
        for (style, text) in &self.0 {
            for word in text.split_inclusive(' ') {
                let mut word = word.to_owned();
                loop {
                    let room = most.saturating_sub(taken);
                    if text::columns(word.trim_end()) <= room {
                        break;
                    }
                    if taken == 0 {
                        let head: String = word.chars().take(most.max(1)).collect();
                        word = word.chars().skip(most.max(1)).collect();
                        lines.push(Self::styled(*style, head));
                    } else {
                        lines.push(std::mem::take(&mut line));
                        taken = 0;
                    }
                }
                taken += text::columns(&word);
                line = line.with(*style, word);
            }
        }
        if taken > 0 {
            lines.push(line);
        }
        lines
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

    fn lines(line: &Line, most: usize) -> Vec<String> {
        line.wrap(most)
            .iter()
            .map(|line| line.0.iter().map(|(_, text)| text.as_str()).collect::<String>())
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    #[test]
    fn wraps_across_styles() {
        let line = Line::styled(Style::new().bold(), "one two").plain(" three").plain("four");
        assert_eq!(line.columns(), 17);
        assert_eq!(lines(&line, 17), ["one two threefour"]);
        assert_eq!(lines(&line, 9), ["one two", "threefour"]);
        assert_eq!(lines(&Line::new().plain("abcdefgh ij"), 3), ["abc", "def", "gh", "ij"]);
    }
}
