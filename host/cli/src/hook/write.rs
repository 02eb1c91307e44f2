//! Writing an answer.

use std::io;
use std::process::ExitCode;

use portcullis_dialects::{Answer, BLOCKS, Output};

use crate::terminal::{Out, Printable, json};

/// Writes an answer. Returns the exit code, which blocks if the answer cannot be written: otherwise
/// the agent would not learn of a refusal.
pub fn write(answer: &Answer) -> ExitCode {
    match written(answer) {
        Ok(()) => ExitCode::from(answer.code),
        Err(error) => blocked(&format!("the answer cannot be written: {error:#}")),
    }
}

/// Blocks for this reason. It is written to the standard error if possible.
pub fn blocked(why: &str) -> ExitCode {
    let _ = Out::stderr().line(Printable::prose(why));
    ExitCode::from(BLOCKS)
}

fn written(answer: &Answer) -> anyhow::Result<()> {
    if !answer.error.is_empty() {
        Out::stderr().line(Printable::prose(&answer.error))?;
    }
    match &answer.output {
        Output::None => Ok(()),
        Output::Json(value) => json::line(value),
        Output::Text(text) => Ok(line(text)?),
    }
}

fn line(text: &str) -> io::Result<()> {
    let mut out = Out::stdout();
    out.line(Printable::prose(text))?;
    out.flush()
}
