//! A decided call of any point.

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis::json::{JsonError, JsonPoint, to_json};
use portcullis::points::{AskPerson as _, Refusal as _};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::session::Decided;
use portcullis::verdict::{HookRun, PersonAnswer};
use portcullis::{Call, Decision as Verdict, Session, Views};
use serde_json::Value;

use crate::reply::{Decision, HookRejection, PendingQuestion};

/// A call that no hook has seen.
pub(crate) trait AnyCall: Send {
    /// Runs the hooks that decide.
    fn decide(self: Box<Self>, session: &Session) -> BoxFuture<'_, Box<dyn AnyDecided>>;
}

impl<P: JsonPoint> AnyCall for Call<P> {
    fn decide(mut self: Box<Self>, session: &Session) -> BoxFuture<'_, Box<dyn AnyDecided>> {
        Box::pin(async move {
            let decided = session.decide(&mut self).await;
            let call = *self;
            Box::new(Of { call, decided }) as Box<dyn AnyDecided>
        })
    }
}

/// A decided call. The hooks that observe have not seen it.
pub(crate) trait AnyDecided: Send {
    /// Returns the questions for a person, if the operation waits for one.
    fn questions(&self) -> Option<Vec<PendingQuestion>>;

    /// Returns the decision; `continue` while the operation waits for a person.
    fn decision(&self) -> Result<Decision, JsonError>;

    /// Returns the value after the hooks have run.
    fn payload(&self) -> Result<Value, JsonError>;

    /// Returns the views after the hooks have run.
    fn views(&self) -> &Views;

    /// Returns the hook runs.
    fn runs(&self) -> &[HookRun];

    /// Returns the hooks' contributions beside the prompt.
    fn side_outputs(&self) -> &[Contributed<SideOutput>];

    /// Returns the answers that people gave since the last call of this function.
    fn take_answers(&mut self) -> Vec<PersonAnswer>;

    /// Runs the hooks that observe.
    fn observe<'a>(&'a mut self, session: &'a Session) -> BoxFuture<'a, ()>;

    /// Continues with a person's decision.
    fn answer(
        self: Box<Self>,
        session: &Session,
        says: ApprovalDecision,
    ) -> BoxFuture<'_, Box<dyn AnyDecided>>;
}

/// A call and its verdict.
struct Of<P: JsonPoint> {
    call: Call<P>,
    decided: Decided<P>,
}

impl<P: JsonPoint> AnyDecided for Of<P> {
    fn questions(&self) -> Option<Vec<PendingQuestion>> {
        let Verdict::Pending(asked) = &self.decided.verdict.decision else {
            return None;
        };
        let asked = [&asked.first].into_iter().chain(&asked.rest);
        let questions = asked.map(|asked| {
            let request = asked.ask.request();
            PendingQuestion {
                by: asked.by.to_string(),
                question: request.question.clone(),
                details: request.details.clone(),
            }
        });
        Some(questions.collect())
    }

    fn decision(&self) -> Result<Decision, JsonError> {
        let verdict = &self.decided.verdict;
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

    fn payload(&self) -> Result<Value, JsonError> {
        to_json(&P::payload(&self.call))
    }

    fn views(&self) -> &Views {
        &self.call.views
    }

    fn runs(&self) -> &[HookRun] {
        &self.decided.verdict.runs
    }

    fn side_outputs(&self) -> &[Contributed<SideOutput>] {
        &self.decided.verdict.side_outputs
    }

    fn take_answers(&mut self) -> Vec<PersonAnswer> {
        std::mem::take(&mut self.decided.verdict.answers)
    }

    fn observe<'a>(&'a mut self, session: &'a Session) -> BoxFuture<'a, ()> {
        Box::pin(session.observe(&mut self.call, &mut self.decided))
    }

    fn answer(
        self: Box<Self>,
        session: &Session,
        says: ApprovalDecision,
    ) -> BoxFuture<'_, Box<dyn AnyDecided>> {
        Box::pin(async move {
            let Self { mut call, decided } = *self;
            let decided = session.answer(&mut call, decided, says).await;
            Box::new(Self { call, decided }) as Box<dyn AnyDecided>
        })
    }
}
