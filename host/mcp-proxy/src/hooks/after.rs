//! `post-tool-call`.

use std::sync::Arc;
use std::time::Duration;

use portcullis::points::PostToolCall;
use portcullis::points::post_tool_call::ToolOutcome;
use portcullis::session::Decided;
use portcullis::{Call, Decision};
use portcullis_agent::{ToolOutput, refusal};
use portcullis_telemetry::EntryContext;

use super::before::count;
use super::{SessionHooks, ToolRequestFacts, report};

/// The outcome of a call.
pub(crate) struct Outcome<'a> {
    pub(crate) request: &'a ToolRequestFacts,
    /// The arguments that the call ran with.
    pub(crate) arguments: Arc<str>,
    pub(crate) output: ToolOutput,
    pub(crate) elapsed: Duration,
}

/// The hooks' decision about an outcome, before the observing hooks run.
pub(crate) struct Checked {
    /// The output for the client; `None` if it is the call's own.
    pub(crate) changed: Option<ToolOutput>,
    /// Whether a hook withholds the outcome: nothing of it may reach the client.
    pub(crate) withheld: bool,
    observed: Option<(Call<PostToolCall>, Decided<PostToolCall>)>,
}

impl Checked {
    /// Returns the decision if no hook sees results.
    pub(crate) fn unseen() -> Self {
        Self {
            changed: None,
            withheld: false,
            observed: None,
        }
    }
}

impl SessionHooks {
    /// Runs the deciding hooks on the outcome of a call.
    pub(crate) async fn after(&self, outcome: Outcome<'_>) -> Checked {
        if !self.see_results() {
            return Checked::unseen();
        }
        let Outcome {
            request, output, ..
        } = &outcome;
        let subject = ToolOutcome {
            call_id: request.call_id.clone(),
            name: request.name.clone(),
            output_bytes: count(output.content.len()),
            is_error: output.is_error,
            elapsed_us: u64::try_from(outcome.elapsed.as_micros()).unwrap_or(u64::MAX),
        };
        let content: Arc<str> = output.content.as_str().into();
        let mut call = self.call::<PostToolCall>(request.turn, subject, |views| {
            views.tool_arguments = outcome.arguments.clone();
            views.tool_output = Some(content);
            views.tools = request.tools.clone();
            views.trace = request.trace.as_ref().map(EntryContext::of_call);
        });
        let decided = self.session.decide(&mut call).await;
        report(&decided.verdict.side_outputs);
        let (after, withheld) = match decided.verdict.decision {
            Decision::Passed => {
                let content = call.views.tool_output.as_deref().unwrap_or_default();
                let output = ToolOutput {
                    content: content.to_owned(),
                    is_error: call.subject.is_error,
                };
                (output, false)
            }
            Decision::Rejected {
                ref by,
                ref rejection,
            } => (refusal::withheld(by, rejection), true),
            Decision::Failed(ref failed) => (refusal::withheld_unchecked(failed), true),
        };
        Checked {
            changed: (withheld || after != outcome.output).then_some(after),
            withheld,
            observed: Some((call, decided)),
        }
    }

    /// Runs the observing hooks. The client has received its answer.
    pub(crate) async fn observe(&self, checked: Checked) {
        if let Some((mut call, mut decided)) = checked.observed {
            self.session.observe(&mut call, &mut decided).await;
        }
    }
}
