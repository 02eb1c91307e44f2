//! Expanding a word as it is written into the words that the command is given.

use brush_parser::word::{self, TildeExpr, WordPiece, WordPieceWithSource};

use crate::Word;
use crate::braces::{self, Braces};
use crate::decode::ansi_c;
use crate::printed::{Printed, printed};
use crate::reader::{Reader, Unreadable, options};

/// The file with the output of `<(…)`.
pub(crate) const SUBSTITUTED: &str = "/dev/fd/63";

impl Word {
    /// Creates a word whose text is known.
    pub(crate) fn known(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_known: true,
            commands: 0..0,
        }
    }

    /// Returns the word with another text, such as a part of its own.
    pub(crate) fn with(&self, text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..self.clone()
        }
    }

    /// Joins the words with spaces between them.
    pub(crate) fn joined(words: &[Self]) -> Self {
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let outputs = || {
            words
                .iter()
                .map(|word| &word.commands)
                .filter(|range| !range.is_empty())
        };
        let start = outputs().map(|range| range.start).min();
        let end = outputs().map(|range| range.end).max();
        Self {
            text: texts.join(" "),
            is_known: words.iter().all(|word| word.is_known),
            commands: start.unwrap_or_default()..end.unwrap_or_default(),
        }
    }
}

/// The expansion of a word while it is computed.
pub(crate) struct Making {
    words: Vec<Word>,
    /// Whether the last word has begun.
    is_open: bool,
}

impl Making {
    fn last(&mut self) -> &mut Word {
        if !self.is_open {
            self.words.push(Word::known(""));
            self.is_open = true;
        }
        if self.words.is_empty() {
            self.words.push(Word::known(""));
        }
        let last = self.words.len() - 1;
        &mut self.words[last]
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.last().text.push_str(text);
    }

    pub(crate) fn unknown(&mut self, text: &str) {
        let last = self.last();
        last.text.push_str(text);
        last.is_known = false;
    }

    /// Adds a value that the shell splits at blanks.
    pub(crate) fn split(&mut self, value: &str) {
        if value.starts_with(char::is_whitespace) {
            self.is_open = false;
        }
        let mut parts = value.split_whitespace().peekable();
        while let Some(part) = parts.next() {
            self.push(part);
            self.is_open = parts.peek().is_none();
        }
        if value.ends_with(char::is_whitespace) {
            self.is_open = false;
        }
    }
}

impl Reader {
    /// Expands a word into words.
    pub(crate) fn words(&mut self, raw: &str) -> Result<Vec<Word>, Unreadable> {
        self.spend()?;
        let (raws, are_known) = match braces::expand(raw)? {
            Braces::Words(raws) => (raws, true),
            Braces::Unknown => (vec![raw.to_owned()], false),
        };
        let mut all = Vec::new();
        for raw in raws {
            let pieces = word::parse(&raw, &options())
                .map_err(|_| Unreadable("it has a word that the parser does not read"))?;
            all.extend(self.made(&raw, &pieces)?);
        }
        if !are_known {
            all.iter_mut().for_each(|word| word.is_known = false);
        }
        Ok(all)
    }

    /// Reads the commands in a text that the parser does not parse, such as the pattern of a `case`.
    pub(crate) fn hidden(&mut self, raw: &str) -> Result<(), Unreadable> {
        match raw.contains(['$', '`']) || raw.contains("<(") || raw.contains(">(") {
            true => self.words(raw).map(drop),
            false => Ok(()),
        }
    }

    /// Expands a here-document into one word.
    pub(crate) fn here_document(&mut self, raw: &str) -> Result<Word, Unreadable> {
        let pieces = word::parse_heredoc(raw, &options())
            .map_err(|_| Unreadable("it has a here-document that the parser does not read"))?;
        let words = vec![Word::known("")];
        let mut making = Making {
            words,
            is_open: true,
        };
        self.pieces(raw, &pieces, true, &mut making)?;
        Ok(making.words.swap_remove(0))
    }

    fn made(&mut self, raw: &str, pieces: &[WordPieceWithSource]) -> Result<Vec<Word>, Unreadable> {
        let mut making = Making {
            words: Vec::new(),
            is_open: false,
        };
        if !raw.contains('$') {
            making.last();
        }
        self.pieces(raw, pieces, false, &mut making)?;
        Ok(making.words)
    }

    fn pieces(
        &mut self,
        raw: &str,
        pieces: &[WordPieceWithSource],
        is_quoted: bool,
        making: &mut Making,
    ) -> Result<(), Unreadable> {
        for piece in pieces {
            match &piece.piece {
                WordPiece::Text(text) | WordPiece::SingleQuotedText(text) => making.push(text),
                WordPiece::AnsiCQuotedText(text) => making.push(&ansi_c(text)),
                WordPiece::DoubleQuotedSequence(pieces)
                | WordPiece::GettextDoubleQuotedSequence(pieces) => {
                    making.last();
                    self.pieces(raw, pieces, true, making)?;
                }
                WordPiece::TildeExpansion(TildeExpr::UserHome(user)) => {
                    making.push(&format!("~{user}"))
                }
                WordPiece::TildeExpansion(TildeExpr::Home) => making.push("~"),
                WordPiece::TildeExpansion(_) => making.unknown("~+"),
                WordPiece::ParameterExpansion(parameter) => {
                    let source = raw.get(piece.start_index..piece.end_index);
                    // The text between `${` and `}`.
                    let inner =
                        source.and_then(|source| source.get(2..source.len().checked_sub(1)?));
                    self.hidden(inner.unwrap_or_default())?;
                    self.parameter(parameter, is_quoted, making);
                }
                WordPiece::CommandSubstitution(script)
                | WordPiece::BackquotedCommandSubstitution(script) => {
                    self.substitution(script, is_quoted, making)?;
                }
                WordPiece::EscapeSequence(text) => {
                    making.push(text.strip_prefix('\\').unwrap_or(text))
                }
                WordPiece::ArithmeticExpression(expression) => {
                    self.hidden(&expression.value)?;
                    making.unknown("0");
                }
            }
        }
        Ok(())
    }

    fn substitution(
        &mut self,
        script: &str,
        is_quoted: bool,
        making: &mut Making,
    ) -> Result<(), Unreadable> {
        let outside = self.state.clone();
        let commands = self.script(script)?;
        self.state = outside;
        let printed = match self.commands.get(commands.clone()) {
            Some([command]) if command.redirects.is_empty() => printed(command),
            _ => Printed::Other,
        };
        match printed {
            Printed::Text(text) if is_quoted => making.push(text.trim_end_matches('\n')),
            Printed::Text(text) => self.split(text.trim_end_matches('\n'), making),
            Printed::Unseen | Printed::Other => {
                making.unknown("");
                making.last().commands = commands;
            }
        }
        Ok(())
    }
}
