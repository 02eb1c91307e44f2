//! From a word as it is written to the words that the command is given.

use brush_parser::word::{
    self, BraceExpressionMember, BraceExpressionOrText, Parameter, ParameterExpr, TildeExpr,
    WordPiece, WordPieceWithSource,
};

use crate::decode::ansi_c;
use crate::reader::{Reader, Unreadable, options};
use crate::{Command, Word};

/// How many words braces may make of one.
const MOST_OF_BRACES: usize = 64;

impl Word {
    /// A word whose text is known.
    pub(crate) fn known(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_known: true,
            commands: 0..0,
        }
    }
}

/// The words that are being made of one.
struct Making {
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

    fn push(&mut self, text: &str) {
        self.last().text.push_str(text);
    }

    fn unknown(&mut self, text: &str) {
        let last = self.last();
        last.text.push_str(text);
        last.is_known = false;
    }

    /// Adds a value that the shell splits at blanks.
    fn split(&mut self, value: &str) {
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
    /// The words that the shell makes of one.
    pub(crate) fn words(&mut self, raw: &str) -> Result<Vec<Word>, Unreadable> {
        self.spend()?;
        let mut all = Vec::new();
        for raw in braces(raw) {
            let pieces = word::parse(&raw, &options())
                .map_err(|_| Unreadable("it has a word that the parser does not read"))?;
            all.extend(self.made(&pieces, !raw.contains('$'))?);
        }
        Ok(all)
    }

    /// A here-document whose variables are filled in, as one word.
    pub(crate) fn here_document(&mut self, raw: &str) -> Result<Word, Unreadable> {
        let pieces = word::parse_heredoc(raw, &options())
            .map_err(|_| Unreadable("it has a here-document that the parser does not read"))?;
        let words = vec![Word::known("")];
        let mut making = Making {
            words,
            is_open: true,
        };
        self.pieces(&pieces, true, &mut making)?;
        Ok(making.words.swap_remove(0))
    }

    fn made(
        &mut self,
        pieces: &[WordPieceWithSource],
        is_one: bool,
    ) -> Result<Vec<Word>, Unreadable> {
        let mut making = Making {
            words: Vec::new(),
            is_open: false,
        };
        if is_one {
            making.last();
        }
        self.pieces(pieces, false, &mut making)?;
        Ok(making.words)
    }

    fn pieces(
        &mut self,
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
                    self.pieces(pieces, true, making)?;
                }
                WordPiece::TildeExpansion(TildeExpr::UserHome(user)) => {
                    making.push(&format!("~{user}"))
                }
                WordPiece::TildeExpansion(TildeExpr::Home) => making.push("~"),
                WordPiece::TildeExpansion(_) => making.unknown("~+"),
                WordPiece::ParameterExpansion(parameter) => {
                    self.parameter(parameter, is_quoted, making)
                }
                WordPiece::CommandSubstitution(script)
                | WordPiece::BackquotedCommandSubstitution(script) => {
                    self.substitution(script, is_quoted, making)?;
                }
                WordPiece::EscapeSequence(text) => {
                    making.push(text.strip_prefix('\\').unwrap_or(text))
                }
                WordPiece::ArithmeticExpression(_) => making.unknown("0"),
            }
        }
        Ok(())
    }

    fn parameter(&self, parameter: &ParameterExpr, is_quoted: bool, making: &mut Making) {
        let (name, otherwise) = match parameter {
            ParameterExpr::Parameter {
                parameter: Parameter::Named(name),
                indirect: false,
            } => (name, None),
            ParameterExpr::UseDefaultValues {
                parameter: Parameter::Named(name),
                indirect: false,
                default_value,
                ..
            }
            | ParameterExpr::AssignDefaultValues {
                parameter: Parameter::Named(name),
                indirect: false,
                default_value,
                ..
            } => (name, default_value.as_deref()),
            ParameterExpr::Parameter {
                parameter: Parameter::Special(_) | Parameter::Positional(_),
                ..
            } => {
                return making.unknown("$@");
            }
            _ => return making.unknown("$?"),
        };
        let value = match (self.variables.get(name), name.as_str(), otherwise) {
            (Some(value), ..) => value.as_str(),
            (None, "HOME", _) => "~",
            (None, "PWD", _) => ".",
            (None, "IFS", _) => " ",
            (None, _, Some(otherwise)) => return making.unknown(otherwise),
            (None, ..) => return making.unknown(&format!("${name}")),
        };
        match is_quoted {
            true => making.push(value),
            false => making.split(value),
        }
    }

    fn substitution(
        &mut self,
        script: &str,
        is_quoted: bool,
        making: &mut Making,
    ) -> Result<(), Unreadable> {
        let commands = self.script(script)?;
        let printed = self
            .commands
            .get(commands.clone())
            .and_then(|commands| match commands {
                [command] => printed(command),
                _ => None,
            });
        match printed {
            Some(text) if is_quoted => making.push(&text),
            Some(text) => making.split(&text),
            None => {
                making.unknown("");
                making.last().commands = commands;
            }
        }
        Ok(())
    }
}

/// What a command prints, if that is written in its arguments.
pub(crate) fn printed(command: &Command) -> Option<String> {
    let prints = matches!(command.name(), "echo" | "printf") && command.redirects.is_empty();
    let arguments = command.arguments();
    if !prints || !command.upstream.is_empty() || !arguments.iter().all(|word| word.is_known) {
        return None;
    }
    let is_escaped = command.name() == "printf" || command.says("-e");
    let texts = arguments.iter().map(|word| word.text.as_str());
    let texts: Vec<&str> = texts
        .filter(|text| !matches!(*text, "-e" | "-n" | "-ne" | "-en" | "%s" | "%s\\n" | "%b"))
        .collect();
    let text = texts.join(" ");
    Some(match is_escaped {
        true => ansi_c(&text),
        false => text,
    })
}

/// The words that braces make of one, as they are written.
fn braces(raw: &str) -> Vec<String> {
    let whole = || vec![raw.to_owned()];
    if !raw.contains('{') || !raw.contains(',') || raw.contains(['\'', '"', '$']) {
        return whole();
    }
    let Ok(Some(parts)) = word::parse_brace_expansions(raw, &options()) else {
        return whole();
    };
    let mut all = vec![String::new()];
    for part in parts {
        let texts = match part {
            BraceExpressionOrText::Text(text) => vec![text],
            BraceExpressionOrText::Expr(members) => members.into_iter().flat_map(member).collect(),
        };
        all = all
            .iter()
            .flat_map(|start| texts.iter().map(move |text| format!("{start}{text}")))
            .take(MOST_OF_BRACES)
            .collect();
    }
    all
}

fn member(member: BraceExpressionMember) -> Vec<String> {
    match member {
        BraceExpressionMember::Child(parts) => parts
            .into_iter()
            .map(|part| match part {
                BraceExpressionOrText::Text(text) => text,
                BraceExpressionOrText::Expr(_) => String::new(),
            })
            .collect(),
        _ => vec!["0".to_owned()],
    }
}
