//! Approval by a program.

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};
use serde_json::Value;

use super::ApprovalRequest;
use crate::tool::LineCommand;

/// The maximum number of bytes of an answer.
const LARGEST: usize = 1 << 20;

/// Asks a program. The program receives the question as one line of JSON on its standard input, an
/// [`ApprovalRequest`], and writes an [`ApprovalDecision`] as JSON to its standard output:
/// `"approve"`, `{"deny": "the reason"}`, `{"unanswered": "the reason"}`,
/// `{"edit": "{\"path\": \"b\"}"}` or `"defer"`.
///
/// It approves nothing if it cannot be started, takes too long, does not exit with 0 or writes
/// anything else. The model then reads that the approval failed, and the log contains the cause.
#[derive(Debug, Clone)]
pub struct CommandApprover(pub LineCommand);

impl CommandApprover {
    async fn decide(&self, request: &ApprovalRequest) -> Result<ApprovalDecision, String> {
        let input = serde_json::to_value(request).map_err(|e| e.to_string())?;
        let output = self.0.run(&input, LARGEST).await?;
        if output.len() > LARGEST {
            return Err(format!("its answer is longer than {LARGEST} bytes"));
        }
        decision(&output).map_err(|why| format!("`{}` answered {why}", self.0.program.display()))
    }
}

fn decision(output: &[u8]) -> Result<ApprovalDecision, String> {
    let decision: ApprovalDecision = serde_json::from_slice(output).map_err(|e| {
        format!(
            "with no decision: {e}; it must write \"approve\", {{\"deny\": REASON}}, \
             {{\"unanswered\": REASON}}, {{\"edit\": ARGUMENTS}} or \"defer\" as JSON, and nothing else"
        )
    })?;
    if let ApprovalDecision::Edit(arguments) = &decision
        && !matches!(serde_json::from_str(arguments), Ok(Value::Object(_)))
    {
        return Err("with an edit that is not the text of a JSON object".into());
    }
    Ok(decision)
}

impl Approver for CommandApprover {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(async move {
            self.decide(&question.into()).await.unwrap_or_else(|why| {
                tracing::warn!("not approved, because the approval command failed: {why}");
                let why = "it was not approved: the approval command failed";
                ApprovalDecision::Unanswered(why.into())
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_decision_as_json() {
        let deny = ApprovalDecision::Deny("no".into());
        for (answer, expected) in [
            ("\"approve\"\n", Ok(ApprovalDecision::Approve)),
            ("{\"deny\":\"no\"}", Ok(deny)),
            ("\"defer\"", Ok(ApprovalDecision::Defer)),
            (
                r#"{"edit":"{\"a\":1}"}"#,
                Ok(ApprovalDecision::Edit("{\"a\":1}".into())),
            ),
            (r#"{"edit":"[]"}"#, Err("JSON object")),
            ("", Err("no decision")),
            ("approve", Err("no decision")),
            ("\"approve\" \"approve\"", Err("no decision")),
            ("{\"approve\":true}", Err("no decision")),
        ] {
            match (decision(answer.as_bytes()), expected) {
                (Ok(got), Ok(expected)) => assert_eq!(got, expected, "{answer}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{answer}: {why}"),
                (got, expected) => panic!("{answer}: {got:?}, expected {expected:?}"),
            }
        }
    }
}
