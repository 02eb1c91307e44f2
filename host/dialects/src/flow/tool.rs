//! Tool calls.

use std::sync::Arc;

use portcullis::Views;
use portcullis::contract::StopReason;
use portcullis::points::post_step::StepReport;
use portcullis::points::post_tool_call::{ToolOutcome, ToolOutput};
use portcullis::points::pre_tool_call::{ExecutionGrant, ToolAnswer, ToolRequest};
use portcullis::points::{PostStep, PostToolCall, PreToolCall};
use portcullis_bridge::{CallReply, Decision, PendingQuestion};
use serde_json::Value;

use super::{Caller, Decided, Flow, NO_USAGE, Undecided, count, payload};
use crate::text;
use crate::verdict::Verdict;

/// The time limit in milliseconds of a tool whose input has none. Agents do not report one.
const TOOL_MS: u32 = 600_000;

const NOT_RUN: &str = "The tool was not run";
const WITHHELD: &str = "The tool ran, and its output is withheld";

impl<C: Caller> Flow<'_, C> {
    pub(super) async fn before_tool(&mut self) -> Decided<C::Error> {
        if let Some(text) = self.refused_before() {
            return Ok(Verdict::Refused(text));
        }
        let reply = self.pre_tool_call().await?;
        let input = self.changed_input(&reply)?;
        Ok(match &reply.decision {
            Decision::Pending { questions, .. } => Verdict::Asked {
                question: asked(questions),
                input,
            },
            Decision::Answer { by, value } => {
                let answer: ToolAnswer =
                    portcullis::json::from_json(value.clone()).map_err(Undecided::Reply)?;
                Verdict::Refused(format!(
                    "[{NOT_RUN}: hook `{}` answered in its place:]\n{}",
                    text::line(by),
                    text::prose(&answer.content)
                ))
            }
            decision => match (decision.refusal(NOT_RUN), input) {
                (Some(text), _) => Verdict::Refused(text),
                (None, Some(input)) => Verdict::ChangedInput(input),
                (None, None) => Verdict::Passed,
            },
        })
    }

    /// Decides about a permission request. The input that the person sees may differ from the input that hooks decided.
    /// A hook's change would not be shown to the person, so it becomes a refusal.
    pub(super) async fn permission(&mut self) -> Decided<C::Error> {
        if let Some(text) = self.refused_before() {
            return Ok(Verdict::Refused(text));
        }
        let reply = self.pre_tool_call().await?;
        if let Some(text) = reply.decision.refusal(NOT_RUN) {
            return Ok(Verdict::Refused(text));
        }
        Ok(match self.changed_input(&reply)? {
            Some(_) => Verdict::Refused(format!(
                "[{NOT_RUN}: hooks change its input, which is not what the person is asked about]"
            )),
            None => Verdict::Passed,
        })
    }

    pub(super) async fn after_tool(&mut self) -> Decided<C::Error> {
        let response = self.event.value("tool_response")?;
        // Gemini CLI reports the output for the model and the output for the user.
        let output = response.get("llmContent").unwrap_or(response);
        let reply = self.post_tool_call(written(output), false).await?;
        Ok(match reply.decision.refusal(WITHHELD) {
            Some(text) => Verdict::Withheld(text),
            None => changed_output(&reply)?,
        })
    }

    pub(super) async fn tool_failure(&mut self) -> Decided<C::Error> {
        let error = self.event.text("error")?.to_owned();
        let reply = self.post_tool_call(error, true).await?;
        Ok(match reply.decision.refusal(WITHHELD) {
            Some(text) => Verdict::Withheld(text),
            None => changed_output(&reply)?,
        })
    }

    /// Decides about the end of a step: all tool calls of a response have ended.
    pub(super) async fn batch(&mut self) -> Decided<C::Error> {
        let calls = self
            .event
            .value("tool_calls")?
            .as_array()
            .map_or(0, Vec::len);
        let input = StepReport {
            stop: StopReason::ToolUse,
            tool_calls: count(calls),
            step_usage: NO_USAGE,
            usage: NO_USAGE,
            elapsed_us: 0,
        };
        let reply = self.call::<PostStep>(input, Views::default()).await?;
        self.progress.next_step();
        Ok(match reply.decision.refusal("The turn was ended") {
            Some(text) => Verdict::Halt(text),
            None => Verdict::Passed,
        })
    }

    async fn pre_tool_call(&self) -> Result<CallReply, Undecided<C::Error>> {
        let arguments = self.event.value("tool_input")?.to_string();
        let timeout = self.event.value("tool_input")?.get("timeout");
        let timeout = timeout.and_then(Value::as_u64);
        let input = ToolRequest {
            call_id: self.call_id(),
            name: self.event.text("tool_name")?.to_owned(),
            arguments_bytes: count(arguments.len()),
            grant: ExecutionGrant {
                working_dir: self.event.optional("cwd").map(str::to_owned),
                timeout_ms: timeout.map_or(TOOL_MS, |ms| u32::try_from(ms).unwrap_or(u32::MAX)),
            },
        };
        let views = Views {
            tool_arguments: arguments.into(),
            ..Views::default()
        };
        self.call::<PreToolCall>(input, views).await
    }

    async fn post_tool_call(
        &self,
        output: String,
        is_error: bool,
    ) -> Result<CallReply, Undecided<C::Error>> {
        let ms = self.event.number("duration_ms").unwrap_or_default();
        let input = ToolOutcome {
            call_id: self.call_id(),
            name: self.event.text("tool_name")?.to_owned(),
            output_bytes: count(output.len()),
            is_error,
            elapsed_us: ms.saturating_mul(1_000),
        };
        let views = Views {
            tool_arguments: self.event.value("tool_input")?.to_string().into(),
            tool_output: Some(Arc::from(output)),
            ..Views::default()
        };
        self.call::<PostToolCall>(input, views).await
    }

    fn call_id(&self) -> String {
        let id = self.event.optional("tool_use_id");
        id.unwrap_or_default().to_owned()
    }

    /// Returns the hooks' input, if it differs from the event's.
    fn changed_input(&self, reply: &CallReply) -> Result<Option<Value>, Undecided<C::Error>> {
        let text: String = payload(reply)?;
        let wrong = |e: serde_json::Error| Undecided::Reply(serde::de::Error::custom(e));
        let input: Value = serde_json::from_str(&text).map_err(wrong)?;
        Ok((input != *self.event.value("tool_input")?).then_some(input))
    }
}

/// Returns an output as hooks see it: text as it is, and anything else as JSON.
fn written(output: &Value) -> String {
    match output {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn changed_output<E: std::error::Error>(reply: &CallReply) -> Result<Verdict, Undecided<E>> {
    Ok(match &reply.decision {
        Decision::Transform { .. } => {
            Verdict::ChangedOutput(payload::<ToolOutput, E>(reply)?.content)
        }
        _ => Verdict::Passed,
    })
}

fn asked(questions: &[PendingQuestion]) -> String {
    let lines = questions.iter().map(|question| {
        let asks = format!(
            "[Hook `{}` asks] {}",
            text::line(&question.by),
            text::line(&question.question)
        );
        match &question.details {
            Some(details) => format!("{asks}\n{}", text::prose(details)),
            None => asks,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
