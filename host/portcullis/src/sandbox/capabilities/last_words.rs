//! The end of what a call wrote to its standard error, which says why it trapped.

/// How Rust's standard library says that a thread panicked, before the message.
const PANICKED: &str = " panicked at ";
/// How its advice begins, which does not hold for a hook.
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
        // What was said before a panic does not explain it.
        if line.contains(PANICKED) {
            self.0.clear();
        }
        if self.0.len() == LINES {
            self.0.remove(0);
        }
        self.0.push(line.to_owned());
    }

    /// What was said, on one line; `None` if nothing was.
    pub(super) fn text(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_without_what_was_before_it_and_without_advice() {
        let mut words = LastWords::default();
        assert_eq!(words.text(), None);
        for line in [
            "reading the list",
            "thread '<unnamed>' panicked at src/lib.rs:9:5:",
            "no word 3",
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
        ] {
            words.push(line);
        }
        let told = "thread '<unnamed>' panicked at src/lib.rs:9:5: no word 3";
        assert_eq!(words.text().as_deref(), Some(told));
    }
}
