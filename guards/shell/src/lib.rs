//! The commands of a shell script, wherever they are: in pipelines, substitutions, functions and here-documents, after
//! `sudo`, `env` or `xargs`, in the texts that `sh -c`, `eval` and `ssh` are given, and in `find -exec`.
//!
//! Nothing is run. Variables with a fixed text are replaced with it, and `cd` is followed, each within the shell that it
//! changes. A value that differs between two paths through the script is not known. A text that only the shell can know
//! is kept as it is written, and its word is marked as not known.

mod arguments;
mod braces;
mod decode;
mod functions;
mod options;
mod parameter;
mod printed;
mod reader;
mod run;
mod scripts;
mod simple;
mod state;
mod walk;
mod words;
mod wrappers;

use std::ops::Range;

pub use arguments::scripts_in;
pub use options::{Argument, Syntax};
pub use reader::{LONGEST, Unreadable, read};
pub use scripts::{SHELL_OPTIONS, SHELLS};

/// A command that the script would run.
#[derive(Debug, Clone, Default)]
pub struct Command {
    /// Its name and its arguments, without wrappers such as `sudo`.
    pub words: Vec<Word>,
    /// Files that it is redirected from and to.
    pub redirects: Vec<Redirect>,
    /// The commands whose output is its input: those before it in its pipeline, by their indexes.
    pub upstream: Range<usize>,
    /// The commands that run it, outermost first, such as `sudo` and `xargs`.
    pub through: Vec<String>,
    /// Whether it calls the function that it is in, in a pipeline or in the background.
    pub multiplies: bool,
    /// The directories in which it may run, relative to the script's, which is empty; `None` if not known.
    pub dirs: Vec<Option<String>>,
    /// The text of its input, if that is written in the script.
    pub(crate) input: Option<Word>,
}

/// A word as the shell would pass it to the command, as far as that is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Word {
    /// The text. The home directory is `~`; a variable that is not known is `$NAME`.
    pub text: String,
    /// Whether the text is the whole word.
    pub is_known: bool,
    /// The commands whose output is part of the word, by their indexes.
    pub commands: Range<usize>,
}

/// A file that a command is redirected from or to.
#[derive(Debug, Clone)]
pub struct Redirect {
    /// Whether the command writes to it.
    pub writes: bool,
    /// The file.
    pub file: Word,
}

impl Command {
    /// Returns the command's name, without directories; empty if there are only redirects.
    pub fn name(&self) -> &str {
        self.words.first().map_or("", |word| base(&word.text))
    }

    /// Returns the words after the name.
    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Returns the arguments that are not options.
    pub fn operands(&self) -> impl Iterator<Item = &Word> {
        let arguments = self.arguments();
        let end = arguments.iter().position(|word| word.text == "--");
        let is_operand = move |at: usize, word: &Word| match end {
            Some(end) if at >= end => at > end,
            _ => !word.text.starts_with('-') || word.text == "-",
        };
        arguments
            .iter()
            .enumerate()
            .filter(move |(at, word)| is_operand(*at, word))
            .map(|(_, word)| word)
    }

    /// Returns whether it has an option: by its letter, alone or in a group, or by its long name, even abbreviated.
    pub fn has(&self, letter: Option<char>, long: &str) -> bool {
        let options = self.arguments().iter().take_while(|word| word.text != "--");
        options
            .into_iter()
            .any(|word| match word.text.strip_prefix("--") {
                Some(option) => {
                    let option = option.split('=').next().unwrap_or(option);
                    !long.is_empty() && option.len() >= 3 && long.starts_with(option)
                }
                None => {
                    let letters = word.text.strip_prefix('-').unwrap_or_default();
                    letter.is_some_and(|letter| letters.contains(letter))
                }
            })
    }

    /// Returns whether it has an argument with this text.
    pub fn says(&self, text: &str) -> bool {
        self.arguments().iter().any(|word| word.text == text)
    }
}

/// Returns a name without its directories.
pub fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests;
