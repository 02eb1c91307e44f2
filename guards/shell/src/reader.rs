//! The reader of scripts, and its limits.

use std::fmt::{self, Display, Formatter};
use std::io::Cursor;
use std::ops::Range;

use brush_parser::{Parser, ParserOptions};

use crate::functions::Functions;
use crate::state::State;
use crate::{Command, Word};

/// The longest script that is read, in bytes.
pub const LONGEST: usize = 32 * 1024;
/// The deepest nesting of brackets: the parser's stack grows with it.
const DEEPEST_BRACKETS: usize = 24;
/// The deepest nesting of scripts.
const DEEPEST: usize = 12;
/// The most scripts, commands and words in all.
const MOST: usize = 2_000;

/// The reason why a script cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub(crate) &'static str);

impl Display for Unreadable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Reads the commands of a script. Those of a function come where it is called, or last.
///
/// # Errors
///
/// The script cannot be parsed, is too long or is nested too deeply.
pub fn read(script: &str) -> Result<Vec<Command>, Unreadable> {
    let mut reader = Reader::default();
    reader.script(script)?;
    reader.uncalled()?;
    Ok(reader.commands)
}

#[derive(Default)]
pub(crate) struct Reader {
    pub(crate) commands: Vec<Command>,
    /// The known state of the shell.
    pub(crate) state: State,
    /// The directories before the last `cd`: the shell stays in them if the `cd` fails.
    pub(crate) left: Option<Vec<Option<String>>>,
    /// The input of commands without an input of their own, if it is written in the script.
    pub(crate) input: Option<Word>,
    pub(crate) functions: Functions,
    /// The commands that run the commands being read.
    pub(crate) through: Vec<String>,
    /// Whether the commands being read are in a pipeline or in the background.
    pub(crate) is_parallel: bool,
    depth: usize,
    spent: usize,
}

impl Reader {
    /// Reads a script, and returns the range of its commands.
    pub(crate) fn script(&mut self, text: &str) -> Result<Range<usize>, Unreadable> {
        if text.len() > LONGEST {
            return Err(Unreadable("it is too long"));
        }
        if self.depth >= DEEPEST {
            return Err(Unreadable("it has too many scripts within each other"));
        }
        if brackets(text) > DEEPEST_BRACKETS {
            return Err(Unreadable("it has too many brackets within each other"));
        }
        self.spend()?;
        // The parser requires a line break at the end.
        let text = format!("{text}\n");
        let mut parser = Parser::new(Cursor::new(text), &options());
        let program = parser
            .parse_program()
            .map_err(|_| Unreadable("it is not a shell script that the parser reads"))?;
        let start = self.commands.len();
        self.depth += 1;
        for list in &program.complete_commands {
            self.list(list)?;
        }
        self.depth -= 1;
        Ok(start..self.commands.len())
    }

    /// Reads something that runs in a shell of its own: its changes are undone afterwards.
    pub(crate) fn apart(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<(), Unreadable>,
    ) -> Result<(), Unreadable> {
        let outside = self.state.clone();
        read(self)?;
        self.state = outside;
        Ok(())
    }

    /// Counts a script, a command or a word against the limit.
    pub(crate) fn spend(&mut self) -> Result<(), Unreadable> {
        self.spent += 1;
        match self.spent > MOST {
            true => Err(Unreadable("it has too many commands")),
            false => Ok(()),
        }
    }
}

/// Returns the deepest nesting of brackets, wherever they are.
fn brackets(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut most = 0;
    for byte in text.bytes() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

pub(crate) fn options() -> ParserOptions {
    ParserOptions::default()
}
