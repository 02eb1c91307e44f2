//! Reports a failed program's error, with its causes.

use std::io;
use std::process::ExitCode;

use portcullis::ErrorReport;

use crate::format::print_line;
use crate::style::ERROR;
use crate::{Out, Printable};

/// Reports an error on the standard error, written by `write`. Returns the exit code.
pub fn report(
    error: &anyhow::Error,
    write: impl FnOnce(&anyhow::Error) -> io::Result<()>,
) -> ExitCode {
    if is_closed_pipe(error) {
        // The reader of the output has closed it.
        return ExitCode::SUCCESS;
    }
    // If the standard error is closed, there is no place to report it.
    let _ = write(error);
    ExitCode::FAILURE
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Writes an error and its causes on the standard error.
///
/// # Errors
///
/// The standard error cannot be written.
pub fn write(error: &anyhow::Error) -> io::Result<()> {
    let mut out = Out::stderr();
    let mut texts = ErrorReport::chain(error.as_ref());
    let text = texts.next().unwrap_or_default();
    print_line!(out, "{ERROR}error:{ERROR:#} {}", Printable::prose(&text))?;
    texts.try_for_each(|cause| print_line!(out, "  because: {}", Printable::prose(&cause)))
}
