//! A build's progress at the terminal.

use portcullis_project::{Progress, Project};

use crate::terminal::Printable;
use crate::terminal::format::printable;
use crate::terminal::progress::Waiting;

/// A spinner with the current step and the last line that a tool wrote. Commands that install something, and notes of
/// tools, are printed in full. Without a terminal, each step has a line.
pub struct Shown(Waiting);

impl Shown {
    /// Shows a build's progress until it is dropped.
    pub fn new(project: &Project) -> Self {
        Self(Waiting::named(project.name()))
    }

    /// Shows the build's progress.
    pub fn update(&self, progress: Progress<'_>) {
        match progress {
            Progress::Installing { what, command } => {
                let command = Printable::whole(command);
                // If the standard error is closed, there is no place to report it.
                let _ = self
                    .0
                    .announce(printable!("installing {}: {}", what, command));
            }
            // A tool's note, such as that the build cannot be repeated.
            Progress::Line(line) if line.starts_with("note: ") => {
                let _ = self.0.announce(Printable::line(line));
            }
            // A warning of a compiler, with the lines of the source that it quotes.
            Progress::Warning(line) => {
                let _ = self.0.announce(Printable::line(line));
            }
            Progress::Step(words) => self.0.begin(words),
            Progress::Line(line) => self.0.set_words(line),
            _ => {}
        }
    }
}
