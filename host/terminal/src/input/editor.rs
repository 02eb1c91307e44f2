//! A line that is edited at the prompt.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anyhow::Context as _;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{
    Behavior, Cmd, ConditionalEventHandler, Config, Context, Event, EventContext, EventHandler,
    ExternalPrinter as _, Helper, KeyCode, KeyEvent, Modifiers, Movement, RepeatCount,
};

use super::Typed;
use super::history::{ENTRIES, History};
use super::keyboard::Read;
use crate::Out;
use crate::above::{Above, Printer};
use crate::format::print_line;
use crate::style::BOLD;

const PROMPT: &str = "› ";

/// The settings of the line editor.
pub struct Editing {
    /// The words that a line may begin with, for completion.
    pub words: Vec<&'static str>,
    /// The file with the history; without one the history ends with the session.
    pub history: Option<PathBuf>,
}

impl Editing {
    /// Returns whether lines can be edited: a person types at a terminal and sees the input.
    pub fn is_possible() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }
}

pub(super) struct Editor {
    editor: rustyline::Editor<Words, FileHistory>,
    history: History,
    printer: Option<Printer>,
    prompt: (String, String),
}

impl Editor {
    pub(super) fn new(editing: Editing) -> anyhow::Result<Self> {
        let config = Config::builder()
            .behavior(Behavior::PreferTerm)
            .history_ignore_space(true)
            .max_history_size(ENTRIES)?
            .build();
        let mut editor = rustyline::Editor::with_config(config)?;
        editor.set_helper(Some(Words(editing.words)));
        editor.bind_sequence(
            KeyEvent::ctrl('C'),
            EventHandler::Conditional(Box::new(CtrlC)),
        );
        let newline = KeyEvent(KeyCode::Enter, Modifiers::ALT);
        editor.bind_sequence(newline, Cmd::Newline);
        // A terminal without cursor movement has no such printer.
        let printer = editor.create_external_printer().ok().map(|mut printer| {
            Printer::start(move |text| printer.print(text).is_ok())
                .context("there is no thread to write beside the prompt")
        });
        let has_colours =
            anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        let styled = match has_colours {
            true => format!("{BOLD}{PROMPT}{BOLD:#}"),
            false => PROMPT.to_owned(),
        };
        Ok(Self {
            history: History::load(editing.history, &mut editor),
            editor,
            printer: printer.transpose()?,
            prompt: (PROMPT.to_owned(), styled),
        })
    }

    /// Reads a line at the prompt; `None` at Ctrl-D on an empty line. Meanwhile all other output is
    /// written above the line.
    pub(super) fn read(&mut self) -> io::Result<Option<Read>> {
        print_line!(Out::stderr())?;
        let above = self.printer.as_ref().map(Above::begin);
        let entered = self.editor.readline(&self.prompt);
        drop(above);
        let typed = match entered {
            Ok(text) => {
                self.history.keep(&text, &mut self.editor);
                Typed::Text(text)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            Err(ReadlineError::Eof) => return Ok(None),
            Err(error) => {
                tracing::error!("the terminal cannot be read: {error}");
                return Ok(None);
            }
        };
        Ok(Some(Read::Typed(typed)))
    }
}

/// Discards the input at Ctrl-C. On an empty line, Ctrl-C interrupts.
struct CtrlC;

impl ConditionalEventHandler for CtrlC {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, line: &EventContext<'_>) -> Option<Cmd> {
        Some(match line.line().is_empty() {
            true => Cmd::Interrupt,
            false => Cmd::Kill(Movement::WholeBuffer),
        })
    }
}

/// Completes the first word of a line.
pub(super) struct Words(Vec<&'static str>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or(line);
        let fitting = (self.0.iter())
            .filter(|word| !typed.is_empty() && word.starts_with(typed))
            .map(|word| (*word).to_owned());
        Ok((0, fitting.collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}
