//! `pre-tool-call`.

use std::sync::Arc;

use portcullis::approval::{ApprovalDecision, Asked};
use portcullis::points::PreToolCall;
use portcullis::points::pre_tool_call::{ExecutionGrant, ToolRequest};
use portcullis::tools::ToolCatalog;
use portcullis::verdict::Cause;
use portcullis::{Decision, HookId};
use portcullis_agent::{ToolOutput, refusal};
use portcullis_telemetry::EntryContext;

use super::{SessionHooks, report};

/// A call of a tool, as hooks see it.
pub(crate) struct ToolRequestFacts {
    pub(crate) turn: u32,
    pub(crate) call_id: String,
    /// The tool that runs.
    pub(crate) name: String,
    /// The name by which the client called it.
    pub(crate) offered_as: String,
    /// A JSON object.
    pub(crate) arguments: Arc<str>,
    pub(crate) tools: Arc<ToolCatalog>,
    /// The span of the call, if it is part of a trace.
    pub(crate) trace: Option<EntryContext>,
}

/// The hooks' decision about a call.
pub(crate) enum Before {
    /// The call runs with these arguments.
    Run(Arc<str>),
    /// A hook answered in place of the tool.
    Answered(Arc<str>, ToolOutput),
    /// The call does not run.
    Refused(Refusal),
}

/// A call that does not run.
pub(crate) struct Refusal {
    /// The output for the client.
    pub(crate) output: ToolOutput,
    /// The hook that refused the call, or that failed.
    pub(crate) by: Option<HookId>,
    /// The code of the refusal.
    pub(crate) code: Option<String>,
    /// The cause of the hook's failure.
    pub(crate) cause: Option<Cause>,
}

/// A refusal by the proxy, such as of a call that is not valid.
impl From<ToolOutput> for Refusal {
    fn from(output: ToolOutput) -> Self {
        Self {
            output,
            by: None,
            code: None,
            cause: None,
        }
    }
}

/// A person who answers the hooks' questions about one call.
pub(crate) trait Person: Send {
    /// Asks a question about a call with these arguments.
    fn ask(
        &mut self,
        asked: &Asked<PreToolCall>,
        tool: &str,
        arguments: &str,
    ) -> impl Future<Output = ApprovalDecision> + Send;
}

impl SessionHooks {
    /// Runs the deciding hooks on a call before it runs.
    pub(crate) async fn before(
        &self,
        facts: &ToolRequestFacts,
        person: &mut impl Person,
    ) -> Before {
        if !self.session.serves::<PreToolCall>() {
            return Before::Run(facts.arguments.clone());
        }
        let request = ToolRequest {
            call_id: facts.call_id.clone(),
            name: facts.name.clone(),
            arguments_bytes: count(facts.arguments.len()),
            grant: ExecutionGrant {
                working_dir: None,
                timeout_ms: u32::MAX,
            },
        };
        let mut call = self.call::<PreToolCall>(facts.turn, request, |views| {
            views.tool_arguments = facts.arguments.clone();
            views.tools = facts.tools.clone();
            views.offered_as = Some(facts.offered_as.as_str().into());
            views.trace = facts.trace.as_ref().map(EntryContext::of_call);
        });
        let mut decided = self.session.decide(&mut call).await;
        while let Decision::Pending(pending) = &decided.verdict.decision {
            let arguments = &call.views.tool_arguments;
            let says = person.ask(&pending.first, &facts.name, arguments).await;
            decided = self.session.answer(&mut call, decided, says).await;
        }
        self.session.observe(&mut call, &mut decided).await;
        report(&decided.verdict.side_outputs);
        self.answered(facts, std::mem::take(&mut decided.verdict.answers));
        let arguments = call.views.tool_arguments.clone();
        match decided.verdict.decision {
            Decision::Passed => Before::Run(arguments),
            Decision::Answered { answer, .. } => Before::Answered(
                arguments,
                ToolOutput {
                    content: answer.content,
                    is_error: answer.is_error,
                },
            ),
            Decision::Rejected { by, rejection } => Before::Refused(Refusal {
                output: refusal::refused(&by, &rejection),
                by: Some(by),
                code: Some(rejection.code),
                cause: None,
            }),
            Decision::Failed(failed) => Before::Refused(Refusal {
                by: Some(failed.hook.clone()),
                cause: Some(failed.failure.cause()),
                ..refusal::blocked(&failed).into()
            }),
            Decision::Pending(_) => {
                Before::Refused(refusal::invalid_call("nobody decided about it").into())
            }
        }
    }
}

/// Converts a length to a fact's integer type.
pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
