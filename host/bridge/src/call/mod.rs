//! One call of a point that is given by its name.

mod decided;
mod pending;

use std::sync::Arc;

use portcullis::json::{JsonError, JsonPoint, from_json, to_json, views_from_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis::tools::ToolArguments;
use portcullis::trace::CallTrace;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis::{Call, Session, Views};
use serde_json::Value;

use self::decided::{AnyCall, AnyDecided};
use crate::error::BridgeError;
use crate::record::Noted;
use crate::reply::{CallReply, Contributions, Decision, Run, RunResult};
use crate::request::CallRequest;

use pending::Waiting;

pub(crate) use pending::Pending;

/// Returns the point of a request.
pub(crate) fn point(name: &str) -> Result<PointId, BridgeError> {
    PointId::from_name(name).ok_or_else(|| {
        let names = PointId::ALL.iter().map(|point| point.name());
        BridgeError::UnknownPoint {
            name: portcullis::text::sanitize_for_terminal(name),
            nearest: portcullis::text::nearest(name, names),
        }
    })
}

/// Parses a call of a point.
pub(crate) fn parse(
    point: PointId,
    request: CallRequest,
    trace: Option<Arc<CallTrace>>,
) -> Result<Box<dyn AnyCall>, BridgeError> {
    point.visit(Visitor { request, trace })
}

/// Runs the hooks of a point over a call.
pub(crate) async fn run(
    session: &Session,
    call: Box<dyn AnyCall>,
    noted: Option<Noted>,
    pending: &Pending,
) -> Result<CallReply, BridgeError> {
    let decided = call.decide(session).await;
    finish(session, Waiting { decided, noted }, pending).await
}

struct Visitor {
    request: CallRequest,
    trace: Option<Arc<CallTrace>>,
}

impl PointVisitor for Visitor {
    type Output = Result<Box<dyn AnyCall>, BridgeError>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let request = self.request;
        let bytes = request.input.get("arguments-bytes").and_then(Value::as_u64);
        let input: P::Input = from_json(request.input).map_err(wrong(P::ID, "input"))?;
        let views = views_from_json(request.views)
            .and_then(|views| with_arguments(P::ID, bytes.unwrap_or_default(), views))
            .map_err(wrong(P::ID, "views"))?;
        let views = Views {
            trace: self.trace,
            ..views
        };
        let call = Call::<P>::unchecked(request.context.into(), input.into(), views);
        Ok(Box::new(call))
    }
}

/// Checks that a tool's arguments are the text of a JSON object. Some models leave the text empty
/// for a tool without arguments, which counts as `{}`, unless the facts say that there are `bytes`.
fn with_arguments(point: PointId, bytes: u64, views: Views) -> Result<Views, JsonError> {
    let has_arguments = matches!(point, PointId::PreToolCall | PointId::PostToolCall);
    if !has_arguments {
        return Ok(views);
    }
    let written = ToolArguments::written(&views.tool_arguments);
    let is_missing = bytes > 0 && views.tool_arguments.trim().is_empty();
    let problem = match serde_json::from_str::<serde_json::Map<String, Value>>(written) {
        _ if is_missing => {
            format!("there are no arguments, although `arguments-bytes` is {bytes}")
        }
        Ok(_) if written == &*views.tool_arguments => return Ok(views),
        Ok(_) => {
            return Ok(Views {
                tool_arguments: written.into(),
                ..views
            });
        }
        Err(error) => format!("the arguments are not the text of a JSON object: {error}"),
    };
    Err(JsonError {
        path: "/tool-data/input".into(),
        problem,
        unknown: None,
    })
}

fn wrong(point: PointId, part: &'static str) -> impl FnOnce(JsonError) -> BridgeError {
    move |error| BridgeError::BadRequest {
        point: point.name(),
        part,
        error: error.with_key(),
    }
}

/// Runs the hooks that observe and records the decision, or keeps the call until a person has
/// decided.
async fn finish(
    session: &Session,
    call: Waiting,
    pending: &Pending,
) -> Result<CallReply, BridgeError> {
    let Waiting { mut decided, noted } = call;
    let answers = decided.take_answers();
    if let Some(noted) = &noted {
        answers
            .into_iter()
            .for_each(|answer| noted.answered(answer));
    }
    if let Some(questions) = decided.questions() {
        let mut reply = reply(&*decided, Decision::Continue).map_err(BridgeError::Reply)?;
        if let Some(noted) = &noted {
            noted.asked();
        }
        let id = pending.keep(Waiting { decided, noted });
        reply.decision = Decision::Pending { id, questions };
        return Ok(reply);
    }
    decided.observe(session).await;
    let decision = decided.decision().map_err(BridgeError::Reply)?;
    if let Some(noted) = noted {
        noted.after(&decision);
    }
    reply(&*decided, decision).map_err(BridgeError::Reply)
}

fn reply(decided: &dyn AnyDecided, decision: Decision) -> Result<CallReply, JsonError> {
    let runs = decided.runs();
    let contributes = runs.iter().any(|run| !run.contributed.is_empty());
    let side_outputs = decided.side_outputs().iter().map(to_json);
    Ok(CallReply {
        decision,
        payload: decided.payload()?,
        contributions: Contributions {
            prompt: match contributes {
                true => to_json(&*decided.views().prompt)?,
                false => Value::Null,
            },
            side_outputs: side_outputs.collect::<Result<_, _>>()?,
        },
        runs: runs.iter().map(run_record).collect(),
    })
}

fn run_record(run: &HookRun) -> Run {
    Run {
        hook: run.hook.to_string(),
        result: match &run.status {
            RunStatus::Completed { outcome, .. } => RunResult::Completed {
                outcome: outcome.name().to_owned(),
            },
            RunStatus::Failed {
                cause,
                message,
                fatal,
            } => RunResult::Failed {
                cause: cause.code().to_owned(),
                message: message.to_string(),
                refused: *fatal,
            },
            RunStatus::NotApplied { .. } => RunResult::NotApplied,
            RunStatus::Skipped => RunResult::Skipped,
            RunStatus::Backgrounded => RunResult::Backgrounded,
        },
        audit: run.mode == portcullis::hooks::Mode::Audit,
        changed: run.change.is_some(),
        latency_us: u64::try_from(run.latency.as_micros()).unwrap_or(u64::MAX),
        fuel: run.fuel,
    }
}
