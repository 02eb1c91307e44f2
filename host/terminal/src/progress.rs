//! Progress on the standard error: bars and spinners on a terminal, elsewhere lines when a step begins.

use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use portcullis::hooks::Progress;

use super::format::printable;
use super::output::Out;
use super::printable::Printable;

/// The interval of a spinner's frames.
const TICK: Duration = Duration::from_millis(100);

/// The most lines for a known number of steps.
const MOST_LINES: u64 = 20;

/// Writes a line if no spinner can be drawn, such as in a log.
fn tell(line: Printable) {
    if !io::stderr().is_terminal() {
        // If the standard error is closed, there is no place to report it.
        let _ = Out::stderr().line(line);
    }
}

/// Writes a line as a step begins, with its number and the number of all steps. Of many steps, at most [`MOST_LINES`]
/// have a line.
fn tell_step(doing: &str, before: u64, all: u64, name: &Printable) {
    if before.is_multiple_of(all.div_ceil(MOST_LINES).max(1)) {
        tell(printable!(
            "{} {}/{}: {}",
            doing,
            before.saturating_add(1),
            all,
            name
        ));
    }
}

/// A bar for the hooks that are loaded. It appears once one has to be compiled, since hooks from the
/// cache load faster than anyone can read.
pub struct LoadBar {
    bar: ProgressBar,
    shown: OnceLock<()>,
    /// The number of files that are compiled or being compiled.
    compiled: AtomicU64,
}

impl LoadBar {
    /// Creates a bar that is not shown yet.
    pub fn hidden() -> Self {
        let style = ProgressStyle::with_template(
            "{spinner} compiling hooks {bar:24} {pos}/{len}  {msg:.dim}",
        )
        .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style);
        Self {
            bar,
            shown: OnceLock::new(),
            compiled: AtomicU64::new(0),
        }
    }

    /// Shows the loader's progress.
    pub fn update(&self, progress: Progress<'_>) {
        match progress {
            Progress::Found(files) => self.bar.set_length(files as u64),
            Progress::Compiling(file) => {
                self.shown.get_or_init(|| {
                    self.bar.set_draw_target(ProgressDrawTarget::stderr());
                    self.bar.enable_steady_tick(TICK);
                });
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let name = Printable::line(name);
                let before = self.compiled.fetch_add(1, Ordering::Relaxed);
                let all = self.bar.length().unwrap_or_default();
                tell_step("compiling hooks", before, all, &name);
                self.bar.set_message(name.0);
            }
            Progress::Loaded { .. } | Progress::Failed(_) => self.bar.inc(1),
        }
    }
}

impl Drop for LoadBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for a known number of steps.
pub struct Steps {
    bar: ProgressBar,
    word: &'static str,
}

impl Steps {
    /// Creates a bar for this number of steps, with this word before it.
    pub fn new(word: &'static str, steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64);
        let style = ProgressStyle::with_template(&format!(
            "{{spinner}} {word} {{bar:24}} {{pos}}/{{len}}  {{msg:.dim}}"
        ))
        .unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.enable_steady_tick(TICK);
        Self { bar, word }
    }

    /// Begins the next step.
    pub fn next(&self, name: impl Into<Printable>) {
        let name = name.into();
        let all = self.bar.length().unwrap_or_default();
        tell_step(self.word, self.bar.position(), all, &name);
        self.bar.set_message(name.0);
        self.bar.inc(1);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for a download.
pub struct Download(ProgressBar);

impl Download {
    /// Creates a bar for a download of this name.
    pub fn new(name: impl std::fmt::Display) -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {bytes:>10} {msg:.dim} {elapsed:.dim}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let name = Printable::line(name);
        tell(printable!("fetching {}", name));
        bar.set_message(name.0);
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// Shows the number of bytes received, and of all bytes if it is known.
    pub fn update(&self, came: u64, of: Option<u64>) {
        if let Some(of) = of
            && self.0.length().is_none()
        {
            let style = ProgressStyle::with_template(
                "{spinner} {bar:24} {bytes}/{total_bytes}  {msg:.dim}",
            );
            self.0
                .set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.0.set_length(of);
        }
        self.0.set_position(came);
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A spinner that turns until it is dropped.
pub struct Waiting(ProgressBar);

impl Waiting {
    /// Creates a spinner with these words.
    pub fn new(words: impl Into<Printable>) -> Self {
        let words = words.into();
        tell(words.clone());
        Self::drawn(words)
    }

    /// Creates a spinner without a line in a log, for frequent operations.
    pub fn drawn(words: impl Into<Printable>) -> Self {
        let spinner = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {msg:.dim} {elapsed:.dim}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        spinner.set_style(style);
        spinner.set_message(words.into().0);
        spinner.enable_steady_tick(TICK);
        Self(spinner)
    }

    /// Creates a spinner of something with a name, which fills the line.
    pub fn named(name: impl Into<Printable>) -> Self {
        let waiting = Self(ProgressBar::new_spinner());
        let style =
            ProgressStyle::with_template("{spinner} {prefix}: {wide_msg:.dim} {elapsed:.dim}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
        waiting.0.set_draw_target(ProgressDrawTarget::stderr());
        waiting.0.set_style(style);
        waiting.0.set_prefix(name.into().0);
        waiting.0.enable_steady_tick(TICK);
        waiting
    }

    /// Prints a line that stays, also without a terminal.
    pub fn announce(&self, line: impl Into<Printable>) -> io::Result<()> {
        match io::stderr().is_terminal() {
            true => {
                self.0.println(line.into().0);
                Ok(())
            }
            false => Out::stderr().line(line),
        }
    }

    /// Begins a step, and changes the words.
    pub fn begin(&self, words: impl Into<Printable>) {
        let words = words.into();
        tell(match self.0.prefix().as_str() {
            "" => words.clone(),
            name => printable!("{}: {}", Printable::whole(name), words),
        });
        self.0.set_message(words.0);
    }

    /// Changes the words, which a terminal alone shows.
    pub fn set_words(&self, words: impl Into<Printable>) {
        self.0.set_message(words.into().0);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
