//! One call of a point that is known by its name.

mod pending;

use std::sync::Arc;

use futures::future::BoxFuture;
use portcullis::json::{JsonError, JsonPoint, from_json, to_json, views_from_json};
use portcullis::points::{AskPerson as _, PointId, PointVisitor, Refusal as _};
use portcullis::session::Decided;
use portcullis::trace::CallTrace;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis::{Call, Decision as Verdict, Session, Views};
use serde_json::Value;

use crate::error::BridgeError;
use crate::reply::{
    CallReply, Contributions, Decision, HookRejection, PendingQuestion, Run, RunResult,
};
use crate::request::CallRequest;

pub(crate) use pending::Pending;

/// The point of a request.
pub(crate) fn point(name: &str) -> Result<PointId, BridgeError> {
    PointId::from_name(name).ok_or_else(|| {
        let names = PointId::ALL.iter().map(|point| point.name());
        BridgeError::UnknownPoint {
            name: portcullis::text::sanitize_for_terminal(name),
            nearest: portcullis::text::nearest(name, names),
        }
    })
}

/// Runs the hooks of a point over a call.
pub(crate) async fn run(
    session: &Session,
    point: PointId,
    request: CallRequest,
    trace: Option<Arc<CallTrace>>,
    pending: &Pending,
) -> Result<CallReply, BridgeError> {
    point
        .visit(Visitor {
            session,
            request,
            trace,
            pending,
        })
        .await
}

struct Visitor<'a> {
    session: &'a Session,
    request: CallRequest,
    trace: Option<Arc<CallTrace>>,
    pending: &'a Pending,
}

impl<'a> PointVisitor for Visitor<'a> {
    type Output = BoxFuture<'a, Result<CallReply, BridgeError>>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        Box::pin(async move {
            let wrong = |part| {
                move |error| BridgeError::BadRequest {
                    point: P::ID.name(),
                    part,
                    error,
                }
            };
            let input: P::Input = from_json(self.request.input).map_err(wrong("input"))?;
            let views = views_from_json(self.request.views).map_err(wrong("views"))?;
            let views = Views {
                trace: self.trace,
                ..views
            };
            let mut call = Call::<P>::unchecked(self.request.context.into(), input.into(), views);
            let decided = self.session.decide(&mut call).await;
            finish(self.session, call, decided, self.pending).await
        })
    }
}

/// Observes what was decided and writes it down, or keeps the call until a person has decided.
pub(crate) async fn finish<P: JsonPoint>(
    session: &Session,
    mut call: Call<P>,
    mut decided: Decided<P>,
    pending: &Pending,
) -> Result<CallReply, BridgeError> {
    if let Verdict::Pending(asked) = &decided.verdict.decision {
        let asked = [&asked.first].into_iter().chain(&asked.rest);
        let questions = asked.map(|asked| {
            let request = asked.ask.request();
            PendingQuestion {
                by: asked.by.to_string(),
                question: request.question.clone(),
                details: request.details.clone(),
            }
        });
        let questions = questions.collect();
        let mut reply = reply(&call, &decided, Decision::Continue).map_err(BridgeError::Reply)?;
        let id = pending.keep(call, decided);
        reply.decision = Decision::Pending { id, questions };
        return Ok(reply);
    }
    session.observe(&mut call, &mut decided).await;
    let decision = decision(&decided).map_err(BridgeError::Reply)?;
    reply(&call, &decided, decision).map_err(BridgeError::Reply)
}

fn reply<P: JsonPoint>(
    call: &Call<P>,
    decided: &Decided<P>,
    decision: Decision,
) -> Result<CallReply, JsonError> {
    let verdict = &decided.verdict;
    let contributes = verdict.runs.iter().any(|run| !run.contributed.is_empty());
    let side_outputs = verdict.side_outputs.iter().map(to_json);
    Ok(CallReply {
        decision,
        payload: to_json(&P::payload(call))?,
        contributions: Contributions {
            prompt: match contributes {
                true => to_json(&*Arc::clone(&call.views.prompt))?,
                false => Value::Null,
            },
            side_outputs: side_outputs.collect::<Result<_, _>>()?,
        },
        runs: verdict.runs.iter().map(run_record).collect(),
    })
}

fn decision<P: JsonPoint>(decided: &Decided<P>) -> Result<Decision, JsonError> {
    let verdict = &decided.verdict;
    Ok(match &verdict.decision {
        Verdict::Passed | Verdict::Pending(_) => {
            let by: Vec<String> = verdict.changed_by().map(ToString::to_string).collect();
            match by.is_empty() {
                true => Decision::Continue,
                false => Decision::Transform { by },
            }
        }
        Verdict::Rejected { by, rejection } => {
            let rejection = rejection.rejection();
            Decision::Reject {
                by: by.to_string(),
                rejection: HookRejection {
                    code: rejection.code.clone(),
                    reason: rejection.reason.clone(),
                    details: rejection.details.clone(),
                },
            }
        }
        Verdict::Answered { by, answer } => Decision::Answer {
            by: by.to_string(),
            value: to_json(answer)?,
        },
        Verdict::Stopped { by, stop } => Decision::Stop {
            by: by.to_string(),
            signal: to_json(stop)?,
        },
        Verdict::Failed(failed) => Decision::Failed {
            by: failed.hook.to_string(),
            cause: failed.failure.cause().code().to_owned(),
            message: failed.failure.to_string(),
        },
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
