//! The open line of the standard output: text without a line break after it, such as a model's text that
//! still arrives. Other output must not continue that line.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The line of the standard output.
pub(super) static STDOUT: OpenLine = OpenLine::new();

/// Whether a stream's last line is open.
pub(super) struct OpenLine(AtomicBool);

impl OpenLine {
    const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Notes a text that is written.
    pub(super) fn wrote(&self, text: &str) {
        if let Some(last) = text.chars().next_back() {
            self.0.store(last != '\n', Ordering::Relaxed);
        }
    }

    /// Returns whether the line is open. The caller ends it.
    pub(super) fn end(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }

    /// Ends the line on the standard error before other text is written there, if both streams are the
    /// same file. Elsewhere the line stays open: the text of one stream is not in the other.
    pub(super) fn interrupt(&self, err: &mut dyn Write) -> io::Result<()> {
        match self.0.load(Ordering::Relaxed) && is_shared() && self.end() {
            true => err.write_all(b"\n"),
            false => Ok(()),
        }
    }
}

/// Returns whether the standard output and the standard error are the same file, such as a terminal.
fn is_shared() -> bool {
    static IS_SHARED: OnceLock<bool> = OnceLock::new();
    *IS_SHARED.get_or_init(|| are_same_file().unwrap_or(false))
}

#[cfg(unix)]
fn are_same_file() -> io::Result<bool> {
    let out = rustix::fs::fstat(io::stdout())?;
    let err = rustix::fs::fstat(io::stderr())?;
    Ok((out.st_dev, out.st_ino) == (err.st_dev, err.st_ino))
}

#[cfg(not(unix))]
fn are_same_file() -> io::Result<bool> {
    use std::io::IsTerminal as _;
    Ok(io::stdout().is_terminal() && io::stderr().is_terminal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_open_until_a_line_break() {
        let line = OpenLine::new();
        assert!(!line.end());
        line.wrote("a");
        line.wrote("");
        assert!(line.end());
        assert!(!line.end(), "it was ended");
        line.wrote("a\nb\n");
        assert!(!line.end());
    }
}
