//! Lines from the standard input, with one reader for all callers.
//!
//! If a turn is cancelled while a person is asked, the next line belongs to the next question. So all questions share
//! one reader.

mod editor;
mod history;
mod keyboard;
mod plain;
mod stream;

use self::keyboard::Keyboard;
use self::stream::Stream;

pub use self::editor::Editing;

/// The most bytes of a line.
pub const LONGEST: usize = 16 << 20;

/// A line without its line break. The bytes need not be text. A line that is longer than [`LONGEST`] is cut to one byte
/// more than that.
pub type Bytes = Vec<u8>;

/// Lines from the standard input.
pub struct Lines(Source);

enum Source {
    Stream(Stream),
    Keyboard(Keyboard),
}

/// A person's action at the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// Entered this text, which may have several lines.
    Text(String),
    /// Pressed Ctrl-C on an empty line.
    Interrupt,
}

impl Default for Lines {
    fn default() -> Self {
        Self(Source::Stream(Stream::default()))
    }
}

impl Lines {
    /// Returns lines that a person edits at the prompt of a terminal.
    pub fn edited(editing: Editing) -> Self {
        Self(Source::Keyboard(Keyboard::new(editing)))
    }

    /// Returns the next line; `None` at the end of the input. Dropping the future loses no line.
    pub async fn next_bytes(&self) -> Option<Bytes> {
        match &self.0 {
            Source::Stream(stream) => stream.next().await,
            Source::Keyboard(keyboard) => keyboard.line().await,
        }
    }

    /// Returns the next line as text; `None` at the end of the input. Dropping the future loses no
    /// line.
    pub async fn next(&self) -> Option<String> {
        self.next_bytes().await.map(text)
    }

    /// Returns the next input at the prompt, if there is one, or else the next line; `None` at the
    /// end of the input. Dropping the future loses nothing: the prompt stays.
    pub async fn at_prompt(&self) -> Option<Typed> {
        match &self.0 {
            Source::Stream(stream) => stream.next().await.map(text).map(Typed::Text),
            Source::Keyboard(keyboard) => keyboard.at_prompt().await,
        }
    }

    /// Restores the terminal, if a person is at the prompt. After this, nothing is read.
    pub fn release(&self) {
        if let Source::Keyboard(keyboard) = &self.0 {
            keyboard.release();
        }
    }
}

fn text(line: Bytes) -> String {
    String::from_utf8_lossy(&line).into_owned()
}
