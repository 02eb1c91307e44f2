//! Calls that wait for a decision or a result from outside.

use std::collections::BTreeMap;

use portcullis::contract::AskRequest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Resolution;

/// A call that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PendingCall {
    /// The id of the call. A sub-agent's calls have `agent-call-id/call-id`.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// The arguments as the hooks left them: the text of a JSON object.
    pub arguments: String,
    /// The answer that the call waits for.
    pub wants: Wanted,
}

/// The kind of answer that a call waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// A person's decision, with [`Resolution::Decision`].
    Decision {
        /// The hook that asks.
        hook: String,
        /// The question.
        request: Question,
        /// The questions of other hooks about the call. Each waits for its own answer, in this
        /// order, once the question before it is approved.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        then: Vec<HookQuestion>,
    },
    /// The tool's result, with [`Resolution::Result`].
    Result,
}

/// A question, and the hook that asks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HookQuestion {
    /// The hook that asks.
    pub hook: String,
    /// The question.
    pub request: Question,
}

/// A hook's question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// The question, in one sentence.
    pub question: String,
    /// Background that helps a person to answer.
    pub details: Option<String>,
}

impl From<&AskRequest> for Question {
    fn from(request: &AskRequest) -> Self {
        Self {
            question: request.question.clone(),
            details: request.details.clone(),
        }
    }
}

/// Checks that resolutions fit the waiting calls. The error describes the mismatch.
pub(crate) fn check(
    pending: &[PendingCall],
    resolutions: &BTreeMap<String, Resolution>,
) -> Result<(), String> {
    for (id, resolution) in resolutions {
        let mut of_id = pending.iter().filter(|call| call.call_id == *id);
        let Some(call) = of_id.next() else {
            let waiting: Vec<&str> = pending.iter().map(|c| c.call_id.as_str()).collect();
            return Err(format!(
                "no call `{id}` waits; the calls that wait are: {}",
                waiting.join(", ")
            ));
        };
        // Checkpoints of earlier versions may repeat an id.
        if of_id.next().is_some() {
            return Err(format!(
                "two calls that wait have the id `{id}`, so an answer to one may be taken for the other's; discard the \
                 turn, and ask again"
            ));
        }
        let (waits_for, not) = match (&call.wants, resolution) {
            (Wanted::Decision { .. }, Resolution::Decision(_))
            | (Wanted::Result, Resolution::Result(_)) => continue,
            (Wanted::Decision { .. }, _) => ("a decision", "a result"),
            (Wanted::Result, _) => ("a result", "a decision"),
        };
        return Err(format!("call `{id}` waits for {waits_for}, not for {not}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_two_calls_may_take_is_refused() {
        let waits = |id: &str, arguments: &str| PendingCall {
            call_id: id.into(),
            tool: "run_command".into(),
            arguments: arguments.into(),
            wants: Wanted::Result,
        };
        let pending = [waits("x", "rm"), waits("x", "ls"), waits("y", "ls")];
        let answer = |id: &str| BTreeMap::from([(id.to_owned(), Resolution::result("done"))]);
        let error = check(&pending, &answer("x")).unwrap_err();
        assert!(error.contains("two calls"), "{error}");
        assert_eq!(check(&pending, &answer("y")), Ok(()));
    }
}
