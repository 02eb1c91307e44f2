//! The end of a call's standard error, which explains its trap.

use crate::contract::text::{LONGEST_SHOWN, sanitize_for_terminal};
use crate::model::secrets::Secrets;

/// The text that Rust's standard library writes before a panic message.
const PANICKED: &str = " panicked at ";
/// The start of the standard library's advice, which does not apply to hooks.
const ADVICE: &str = "note: run with `RUST_BACKTRACE";
/// The most lines that are kept.
const LINES: usize = 16;

/// The last lines of a call.
#[derive(Default)]
pub(super) struct LastWords(Vec<String>);

impl LastWords {
    #[inline]
    pub(super) fn clear(&mut self) {
        if !self.0.is_empty() {
            self.0.clear();
        }
    }

    pub(super) fn push(&mut self, line: &str) {
        if line.starts_with(ADVICE) {
            return;
        }
        // Lines before a panic do not explain it.
        if line.contains(PANICKED) {
            self.0.clear();
        }
        if self.0.len() == LINES {
            self.0.remove(0);
        }
        self.0.push(line.to_owned());
    }

    /// Returns the lines as one, safe to show and without secrets; `None` if there are none. If the
    /// text is too long to be shown, its last lines are returned.
    pub(super) fn text(&self, secrets: &Secrets) -> Option<String> {
        // A secret may contain line breaks.
        let said = self.0.join("\n");
        let said = secrets.redact(&said);
        let mut told = String::new();
        for line in said.lines().rev().map(sanitize_for_terminal) {
            if told.is_empty() {
                told = line;
            } else if line.len() + 1 + told.len() <= LONGEST_SHOWN {
                told = format!("{line} {told}");
            } else {
                break;
            }
        }
        (!told.is_empty()).then_some(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_without_what_was_before_it_and_without_advice() {
        let mut words = LastWords::default();
        let none = Secrets::default();
        assert_eq!(words.text(&none), None);
        for line in [
            "reading the list",
            "thread '<unnamed>' panicked at src/lib.rs:9:5:",
            "no word 3",
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
        ] {
            words.push(line);
        }
        let told = "thread '<unnamed>' panicked at src/lib.rs:9:5: no word 3";
        assert_eq!(words.text(&none).as_deref(), Some(told));
    }

    #[test]
    fn the_very_end_is_told() {
        let mut words = LastWords::default();
        for line in 0..20 {
            words.push(&format!("{line} {}", "x".repeat(500)));
        }
        words.push("Error: why");
        let told = words.text(&Secrets::default()).unwrap_or_default();
        assert!(told.len() <= LONGEST_SHOWN, "{told}");
        assert!(
            told.starts_with("17 x") && told.ends_with("x Error: why"),
            "{told}"
        );
    }

    #[test]
    fn a_secret_with_line_ends_is_not_told() {
        let secrets = Secrets::of([("PEM".to_owned(), "short\nMIIBVQIBADAN".to_owned())].into());
        let mut words = LastWords::default();
        for line in ["bad key:", "short", "MIIBVQIBADAN", "MIIBVQIBADAN"] {
            words.push(line);
        }
        let told = "bad key: [secret PEM] [secret PEM]";
        assert_eq!(words.text(&secrets).as_deref(), Some(told));
    }
}
