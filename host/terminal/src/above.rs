//! Output above the line that a person is editing.

use std::io::{self, Write};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use anstream::ColorChoice;
use anstream::adapter::strip_str;

/// The printer of the line that is being edited.
static PRINTER: Mutex<Option<Sender<String>>> = Mutex::new(None);

/// Writes above a line that is being edited.
pub struct Printer(Sender<String>);

impl Printer {
    /// Starts a printer on its own thread, since printing may wait for the editor. The thread ends
    /// when `print` returns false.
    pub fn start(mut print: impl FnMut(String) -> bool + Send + 'static) -> io::Result<Self> {
        let (send, texts) = channel();
        std::thread::Builder::new().spawn(move || {
            for text in texts {
                if !print(text) {
                    return;
                }
            }
        })?;
        Ok(Self(send))
    }
}

/// A guard that sends terminal output through the printer.
pub struct Above;

impl Above {
    /// Starts to use the printer.
    pub fn begin(printer: &Printer) -> Self {
        *PRINTER.lock().unwrap_or_else(PoisonError::into_inner) = Some(printer.0.clone());
        Self
    }
}

impl Drop for Above {
    fn drop(&mut self) {
        stop();
    }
}

/// Stops using the printer.
pub fn stop() {
    *PRINTER.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Returns whether a line is being edited.
pub(super) fn is_edited() -> bool {
    PRINTER
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .is_some()
}

/// Writes above the line that is being edited. Returns false if no line is being edited.
pub(super) fn write(text: &str) -> bool {
    match &*PRINTER.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(printer) => printer.send(text.to_owned()).is_ok(),
        None => false,
    }
}

/// Text for above the line. It is collected, and written at once.
pub(super) struct AboveLine {
    text: String,
    colours: ColorChoice,
}

impl AboveLine {
    pub(super) fn new(colours: ColorChoice) -> Self {
        Self {
            text: String::new(),
            colours,
        }
    }
}

impl Write for AboveLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.push_str(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.text);
        if self.colours == ColorChoice::Never {
            text = strip_str(&text).to_string();
        }
        if !text.is_empty() && !write(&text) {
            // The line was entered meanwhile.
            io::stderr().write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

impl Drop for AboveLine {
    fn drop(&mut self) {
        // If the standard error is closed, there is no place to report it.
        let _ = self.flush();
    }
}
