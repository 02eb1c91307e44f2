//! A build's progress at the terminal.

use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use portcullis_project::{Progress, Project};

/// How often the spinner turns.
const TICK: Duration = Duration::from_millis(100);

/// A spinner with the current step and the last line that a tool wrote. Commands that install something are
/// printed in full, also without a terminal.
pub struct Shown(ProgressBar);

impl Shown {
    /// Shown until it is dropped.
    pub fn new(project: &Project) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_draw_target(ProgressDrawTarget::stderr());
        let style =
            ProgressStyle::with_template("{spinner} {prefix}: {wide_msg:.dim} {elapsed:.dim}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
        bar.set_style(style);
        bar.set_prefix(project.name().to_owned());
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// Shows what the build does.
    pub fn update(&self, progress: Progress<'_>) {
        match progress {
            Progress::Installing { what, command } => {
                let words = format!("installing {what}: {command}");
                match stderr().is_terminal() {
                    true => self.0.println(words),
                    false => eprintln!("{words}"),
                }
            }
            Progress::Step(words) => self.0.set_message(words.to_owned()),
            Progress::Line(line) => self.0.set_message(portcullis::sanitize_for_terminal(line)),
            _ => {}
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
