//! The text of a turn that was shown as it arrived.

/// The last text that was shown as it arrived.
#[derive(Debug, Default)]
pub struct Streamed {
    text: String,
    /// Whether the text is of the last model call.
    is_current: bool,
}

impl Streamed {
    /// Notes that a step or a model call begins. None of its text was shown.
    pub fn begin(&mut self) {
        self.is_current = false;
    }

    /// Notes a piece that is shown.
    pub fn push(&mut self, piece: &str) {
        if !self.is_current {
            self.text.clear();
            self.is_current = true;
        }
        self.text.push_str(piece);
    }

    /// Returns whether the turn's output was shown, or there is none. The output of a turn that was
    /// stopped may be the text of an earlier step.
    pub fn has_shown(&self, output: &str, is_stopped: bool) -> bool {
        let is_last = self.is_current || is_stopped;
        output.trim().is_empty() || is_last && self.text.trim() == output.trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_shown_if_it_is_the_last_text() {
        let shown = |calls: &[&str], output: &str, is_stopped| {
            let mut streamed = Streamed::default();
            for call in calls {
                streamed.begin();
                for piece in call.split_inclusive(' ') {
                    streamed.push(piece);
                }
            }
            streamed.has_shown(output, is_stopped)
        };
        assert!(shown(&["Let me see.", "It is 3."], "It is 3.", false));
        assert!(!shown(&["thinking aloud"], "{\"title\":\"right\"}", false));
        assert!(!shown(&["It is 3.", ""], "It is 3.", false));
        assert!(shown(&["It is 3.", ""], "It is 3.", true));
        assert!(!shown(&[], "It is 3.", true));
    }
}
