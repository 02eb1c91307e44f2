//! The calls of tools.

use std::sync::Arc;

use portcullis::Views;
use portcullis::capabilities::View;
use portcullis::points::post_tool_call::{ToolOutcome, ToolOutput};
use portcullis::points::pre_tool_call::{ExecutionGrant, ToolAnswer, ToolRequest};
use portcullis::points::{PostToolCall, PreToolCall};
use portcullis_bridge::Decision;
use rig_agent::agent::{DispatchEvent, HookContext, OutcomeEvent};
use rig_core::effect::Outcome;
use rig_core::error::{ErrorKind, ErrorReport};
use rig_core::tool::{ToolExecutionError, ToolOutput as RigOutput, ToolResult};

use crate::error::undecided;
use crate::message::rendered;
use crate::run::Answered;
use crate::session::{Session, count, passed, read};

const NOT_RUN: &str = "The tool was not run";
const WITHHELD: &str = "The tool's output was withheld";

impl Session {
    /// Calls the hooks before a tool runs. Returns the arguments, if hooks changed them.
    ///
    /// # Errors
    ///
    /// Returns the text that the model reads in place of a result.
    pub(crate) async fn before_tool(
        &self,
        cx: &HookContext,
        event: &DispatchEvent<'_>,
        name: &str,
        arguments: &str,
    ) -> Result<Option<serde_json::Value>, String> {
        let run = self.run(cx);
        let offered = run.offered();
        if offered
            .as_ref()
            .is_some_and(|tools| tools.get(name).is_none())
        {
            let why = format!("no tool called `{name}` was offered");
            return Err(undecided(NOT_RUN, &why));
        }
        let facts = ToolRequest {
            call_id: call_id(event.call_id),
            name: name.to_owned(),
            arguments_bytes: count(arguments.len()),
            grant: ExecutionGrant {
                working_dir: self.working_dir(),
                timeout_ms: u32::MAX,
            },
        };
        let views = Views {
            tool_arguments: arguments.into(),
            tools: offered.unwrap_or_default(),
            ..Views::default()
        };
        let seen = [View::ToolData, View::ToolCatalog];
        let reply = self.call::<PreToolCall>(cx, &facts, &seen, views).await;
        if let Ok(reply) = &reply
            && let Decision::Answer { value, .. } = &reply.decision
        {
            let answer: ToolAnswer = read(NOT_RUN, value.clone())?;
            let arguments = read(NOT_RUN, reply.payload.clone())?;
            let content = answer.content.clone();
            run.begin(event.id, Some(Answered { answer, arguments }));
            return Err(content);
        }
        let left: Option<String> = passed(NOT_RUN, reply)?;
        run.begin(event.id, None);
        let left = left.map(|left| serde_json::from_str(&left)).transpose();
        left.map_err(|error| undecided(NOT_RUN, &error))
    }

    /// Calls the hooks after a tool has run, or after a hook has answered in its place. Returns the
    /// result, if it differs.
    pub(crate) async fn after_tool(
        &self,
        cx: &HookContext,
        event: &OutcomeEvent<'_>,
    ) -> Option<ToolResult> {
        let begun = self.run(cx).end(event.id);
        let elapsed = begun.as_ref().map(|begun| begun.at.elapsed());
        let answered = begun.and_then(|begun| begun.answered);
        let (result, arguments) = match &answered {
            Some(Answered { answer, arguments }) => (
                result_of(answer.content.clone(), answer.is_error),
                arguments.as_str(),
            ),
            None => (given(event.outcome)?, event.tool_args().unwrap_or_default()),
        };
        let output = rendered(result.output().as_content());
        let facts = ToolOutcome {
            call_id: call_id(event.call_id),
            name: event.tool_name().unwrap_or_default().to_owned(),
            output_bytes: count(output.len()),
            is_error: !result.is_success(),
            elapsed_us: u64::try_from(elapsed.unwrap_or_default().as_micros()).unwrap_or(u64::MAX),
        };
        let views = Views {
            tool_arguments: arguments.into(),
            tool_output: Some(Arc::from(output)),
            ..Views::default()
        };
        let reply = self
            .call::<PostToolCall>(cx, &facts, &[View::ToolData], views)
            .await;
        match passed::<ToolOutput>(WITHHELD, reply) {
            Ok(None) => answered.map(|_| result),
            Ok(Some(left)) if left.is_error == facts.is_error => {
                Some(result.with_output(RigOutput::text(left.content)))
            }
            Ok(Some(left)) => Some(result_of(left.content, left.is_error)),
            Err(refusal) => Some(result_of(refusal, true)),
        }
    }
}

/// Returns the result that the model reads if no hook changes it: the tool's result, or its
/// dispatch error. `None` if the tool did not run, or if the error ends the run.
fn given(outcome: &Result<Outcome, ErrorReport>) -> Option<ToolResult> {
    match outcome {
        Ok(Outcome::ToolResult { result }) if !result.is_skipped() => Some(result.clone()),
        Ok(_) => None,
        Err(report) => match report.kind {
            ErrorKind::Denied
            | ErrorKind::Cancelled
            | ErrorKind::BusClosed
            | ErrorKind::HandlerUnavailable
            | ErrorKind::Divergence => None,
            _ => Some(ToolResult::failed(report.clone().into())),
        },
    }
}

fn result_of(content: String, is_error: bool) -> ToolResult {
    let output = RigOutput::text(content.clone());
    match is_error {
        true => ToolResult::failed(ToolExecutionError::other(content).with_model_output(output)),
        false => ToolResult::success(output),
    }
}

fn call_id(id: Option<&rig_core::message::CallId>) -> String {
    id.map_or_else(String::new, |id| id.wire().into_owned())
}
