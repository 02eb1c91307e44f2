//! The standard output and the standard error, which take printable text alone.

use std::io::{self, IsTerminal as _, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::AutoStream;

use super::above::{self, AboveLine};
use super::open_line::STDOUT;
use super::printable::Printable;

/// The standard output or the standard error. It takes [`Printable`] text and does not implement `Write`, so that raw
/// text cannot be written. Colours are removed if it is not a terminal. While a line is edited at a terminal, it writes
/// above that line.
///
/// Text on the standard error begins on a line of its own: if both streams are the same file, it ends the open
/// line of the standard output first.
pub struct Out {
    to: Box<dyn Write>,
    stream: Stream,
}

/// A destination of [`Out`].
enum Stream {
    Stdout,
    Stderr,
    /// Above the line that is edited. It takes whole lines only.
    Above,
}

impl Out {
    /// Returns the standard output.
    pub fn stdout() -> Self {
        match above::is_edited() && io::stdout().is_terminal() {
            true => Self::above(AboveLine::new(AutoStream::choice(&io::stdout()))),
            false => Self {
                to: Box::new(anstream::stdout().lock()),
                stream: Stream::Stdout,
            },
        }
    }

    /// Returns the standard error. It is locked for each write alone: other threads log meanwhile.
    pub fn stderr() -> Self {
        // A log that cannot be emptied is written nevertheless.
        let _ = keep_bounded(&io::stderr().lock());
        match above::is_edited() && io::stderr().is_terminal() {
            true => Self::above(AboveLine::new(AutoStream::choice(&io::stderr()))),
            false => Self {
                to: Box::new(anstream::stderr()),
                stream: Stream::Stderr,
            },
        }
    }

    fn above(line: AboveLine) -> Self {
        Self {
            to: Box::new(line),
            stream: Stream::Above,
        }
    }

    /// Ends the line of the standard output, if it is open.
    pub fn end_line() -> io::Result<()> {
        match STDOUT.end() {
            true => Self::stdout().line(""),
            false => Ok(()),
        }
    }

    /// Writes a text.
    pub fn text(&mut self, text: impl Into<Printable>) -> io::Result<()> {
        self.write(text.into().as_str())
    }

    /// Writes a text and a line break.
    pub fn line(&mut self, text: impl Into<Printable>) -> io::Result<()> {
        let mut text = text.into().0;
        text.push('\n');
        self.write(&text)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        match self.stream {
            Stream::Stdout => STDOUT.wrote(text),
            Stream::Stderr => STDOUT.interrupt(&mut self.to)?,
            Stream::Above => {}
        }
        self.to.write_all(text.as_bytes())
    }

    /// Writes the buffered output.
    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Diagnostics on the standard error, written as bytes.
#[derive(Debug, Default)]
pub struct Diagnostics;

/// The most bytes of a log that is bounded.
#[cfg(unix)]
const MOST_BYTES: u64 = 1 << 20;

/// Whether the log is bounded.
static IS_BOUNDED: AtomicBool = AtomicBool::new(false);

impl Diagnostics {
    /// Bounds the log: empties the standard error before a write once it is longer than 1 MiB. The
    /// standard error must be a file that is written at its end.
    pub fn bound() {
        IS_BOUNDED.store(true, Ordering::Relaxed);
    }
}

/// Empties a log that is bounded if it is too long.
fn keep_bounded(file: &io::StderrLock<'_>) -> io::Result<()> {
    match IS_BOUNDED.load(Ordering::Relaxed) {
        true => empty_if_too_long(file),
        false => Ok(()),
    }
}

/// Empties the file if it is too long.
#[cfg(unix)]
fn empty_if_too_long(file: &io::StderrLock<'_>) -> io::Result<()> {
    let length = rustix::fs::fstat(file)?.st_size;
    if u64::try_from(length).is_ok_and(|length| length > MOST_BYTES) {
        rustix::fs::ftruncate(file, 0)?;
    }
    Ok(())
}

/// Does nothing: no daemon is started on demand on this system.
#[cfg(not(unix))]
fn empty_if_too_long(_: &io::StderrLock<'_>) -> io::Result<()> {
    Ok(())
}

impl Write for Diagnostics {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = Printable::prose(String::from_utf8_lossy(bytes));
        if io::stderr().is_terminal() && above::write(text.as_str()) {
            return Ok(bytes.len());
        }
        let mut file = io::stderr().lock();
        keep_bounded(&file)?;
        STDOUT.interrupt(&mut file)?;
        file.write_all(text.as_str().as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
