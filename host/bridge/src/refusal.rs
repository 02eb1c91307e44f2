//! Refusals of hooks, as text.

use portcullis::text::sanitize_for_terminal as line;

use crate::reply::Decision;

impl Decision {
    /// Returns the reason that the operation does not go ahead, for the model or a person: one line
    /// in which the texts of hooks are escaped. `what` names the outcome, such as "The tool was not
    /// run". `None` if the operation goes ahead, or a person must decide first.
    pub fn refusal(&self, what: &str) -> Option<String> {
        let (by, why) = match self {
            Self::Continue | Self::Transform { .. } | Self::Pending { .. } => return None,
            Self::Reject { by, rejection } => {
                let (code, reason) = (line(&rejection.code), line(&rejection.reason));
                (by, format!("refused. Its reason ({code}): {reason}"))
            }
            Self::Answer { by, value } => {
                let value = line(&value.to_string());
                (by, format!("answered in its place: {value}"))
            }
            Self::Stop { by, signal } => {
                let message = signal.get("message").and_then(|message| message.as_str());
                let message = line(message.unwrap_or_default());
                (by, format!("ends the turn: {message}"))
            }
            Self::Failed { by, cause, message } => {
                let message = line(message);
                let why = format!("failed ({cause}), and nothing is done without it: {message}");
                (by, why)
            }
        };
        Some(format!("[{what}: hook `{}` {why}]", line(by)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::HookRejection;

    #[test]
    fn texts_of_hooks_are_escaped() {
        let refused = Decision::Reject {
            by: "h".into(),
            rejection: HookRejection {
                code: "a\nb".into(),
                reason: "no\u{7}".into(),
                details: None,
            },
        };
        assert_eq!(
            refused.refusal("It was not run").as_deref(),
            Some("[It was not run: hook `h` refused. Its reason (a\\nb): no\\u{7}]")
        );
        assert_eq!(Decision::Continue.refusal("It was not run"), None);
    }
}
