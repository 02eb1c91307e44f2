//! Errors, and refusals as text.

use portcullis::json::JsonError;
use portcullis::text::sanitize_for_terminal;
use portcullis_bridge::{BridgeError, Decision};

/// The reason that a session was not started or ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// Nothing was decided, or the session cannot be saved.
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    /// A call has no JSON form.
    #[error("the call cannot be written as JSON: {0}")]
    Json(#[from] JsonError),
    /// A hook refused, or one that fails closed failed.
    #[error("{0}")]
    Refused(String),
}

/// Returns the reason for a refusal, for the model or a person. `what` names its result, such as
/// "The model was not called".
pub(crate) fn refusal(what: &str, decision: &Decision) -> String {
    match decision {
        Decision::Answer { by, .. } => {
            format!("[{what}: hook `{by}` answered in its place, which rig has no form for]")
        }
        Decision::Pending { questions, .. } => {
            let asked = questions.first();
            let by = asked.map_or("", |asked| asked.by.as_str());
            let question =
                asked.map_or_else(String::new, |asked| sanitize_for_terminal(&asked.question));
            format!("[{what}: hook `{by}` asks a person, and nobody has answered: {question}]")
        }
        decision => {
            let refusal = decision.refusal(what);
            refusal.unwrap_or_else(|| format!("[{what}]"))
        }
    }
}

/// Returns the reason, if nothing was decided or rig cannot apply the decision.
pub(crate) fn undecided(what: &str, why: &impl std::fmt::Display) -> String {
    format!("[{what}: {}]", sanitize_for_terminal(&why.to_string()))
}
