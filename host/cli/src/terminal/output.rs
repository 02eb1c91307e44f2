//! The standard output and the standard error, which take printable text alone.

use std::io::{self, Write};

use super::printable::Printable;

/// The standard output or the standard error. It takes [`Printable`] text and is no `Write`, so that raw
/// text cannot be written. Colours are removed where it is not a terminal.
pub struct Out(Box<dyn Write>);

impl Out {
    /// The standard output.
    pub fn stdout() -> Self {
        Self(Box::new(anstream::stdout().lock()))
    }

    /// The standard error.
    pub fn stderr() -> Self {
        Self(Box::new(anstream::stderr().lock()))
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

    /// Writes what is buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Diagnostics on the standard error, which come as bytes.
#[derive(Debug, Default)]
pub struct Diagnostics;

impl Write for Diagnostics {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = Printable::prose(String::from_utf8_lossy(bytes));
        io::stderr().lock().write_all(text.as_str().as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
