//! The standard output and the standard error, which take printable text alone.

use std::io::{self, IsTerminal as _, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::AutoStream;

use super::above::{self, AboveLine};
use super::printable::Printable;

/// The standard output or the standard error. It takes [`Printable`] text and does not implement `Write`, so that raw
/// text cannot be written. Colours are removed if it is not a terminal. While a line is edited at a terminal, it writes
/// above that line.
pub struct Out(Box<dyn Write>);

impl Out {
    /// Returns the standard output.
    pub fn stdout() -> Self {
        Self(match above::is_edited() && io::stdout().is_terminal() {
            true => Box::new(AboveLine::new(AutoStream::choice(&io::stdout()))),
            false => Box::new(anstream::stdout().lock()),
        })
    }

    /// Returns the standard error. It is locked for each write alone: other threads log meanwhile.
    pub fn stderr() -> Self {
        // A log that cannot be emptied is written nevertheless.
        let _ = keep_bounded(&io::stderr().lock());
        Self(match above::is_edited() && io::stderr().is_terminal() {
            true => Box::new(AboveLine::new(AutoStream::choice(&io::stderr()))),
            false => Box::new(anstream::stderr()),
        })
    }

    /// Writes a text.
    pub fn text(&mut self, text: impl Into<Printable>) -> io::Result<()> {
        self.0.write_all(text.into().as_str().as_bytes())
    }

    /// Writes a text and a line break.
    pub fn line(&mut self, text: impl Into<Printable>) -> io::Result<()> {
        let mut text = text.into().0;
        text.push('\n');
        self.0.write_all(text.as_bytes())
    }

    /// Writes the buffered output.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
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
        file.write_all(text.as_str().as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
