//! Asking a person the hooks' questions, after the chain has run.

use std::collections::VecDeque;

use super::{Chain, ChainContext};
use crate::chain::merge;
use crate::contract::Rejection;
use crate::model::approval::{ApprovalDecision, Question};
use crate::model::call::Call;
use crate::model::points::{AskPerson, Point};
use crate::model::verdict::{Approval, Asked, Decision, Digest, Pending, PersonAnswer, Verdict};

/// The code of the refusal for a person's "no".
const DENIED: &str = "denied";

/// The code of the refusal for a person's change that cannot be used.
const INVALID_CHANGE: &str = "invalid-change";
/// The most changes by a person to one value.
const MOST_CHANGES: u32 = 4;

/// A hook's question, and the index of its run if the verdict contains the run.
pub(super) struct Open<P: Point> {
    pub(super) asked: Asked<P>,
    pub(super) run: Option<usize>,
}

impl<P: Point> Chain<P> {
    /// Asks the questions in order; `said` answers the first, if given. After a person's change,
    /// the whole chain runs again, so that every hook has agreed to the final value. The questions
    /// of that run are asked next, except a question of the same hook about the same value, unless
    /// several hooks have its id.
    pub(super) async fn ask(
        &self,
        call: &mut Call<P>,
        cx: &ChainContext,
        asks: Vec<Open<P>>,
        mut said: Option<ApprovalDecision>,
        verdict: &mut Verdict<P>,
    ) {
        let mut asks = VecDeque::from(asks);
        let mut changes = 0;
        while let Some(open) = asks.pop_front() {
            let Asked { by: hook, ask } = &open.asked;
            let said = said.take();
            // An answer to another process's question was recorded where it was given.
            let is_given = !matches!(said, Some(ApprovalDecision::Unanswered(_)));
            let is_recorded = said.is_some() && open.run.is_none() && is_given;
            let says = match said {
                Some(says) => says,
                None => {
                    let value = P::payload(call).to_json_text();
                    let question = Question {
                        hook,
                        point: P::ID,
                        context: &call.context,
                        request: ask.request(),
                        value: &value,
                    };
                    cx.approver.ask(question).await
                }
            };
            let refuse = |code: &str, reason: String| Decision::Rejected {
                by: hook.clone(),
                rejection: ask.refusal(Rejection {
                    code: code.into(),
                    reason,
                    details: None,
                }),
            };
            let mut change = None;
            let approval = match says {
                ApprovalDecision::Approve => Approval::Approved,
                ApprovalDecision::Deny(reason) => {
                    verdict.decision = refuse(DENIED, reason);
                    Approval::Denied
                }
                ApprovalDecision::Unanswered(reason) => {
                    verdict.decision = refuse(DENIED, reason);
                    Approval::Unanswered
                }
                ApprovalDecision::Edit(_) if changes == MOST_CHANGES => {
                    let reason = format!("it was changed {MOST_CHANGES} times already");
                    verdict.decision = refuse(INVALID_CHANGE, reason);
                    Approval::Denied
                }
                ApprovalDecision::Edit(text) => {
                    let kept = cx.kept().map(|secrets| &**secrets);
                    match merge::change(call, ask.changed(text), kept) {
                        Ok(changed) => {
                            change = Some(changed);
                            Approval::Changed
                        }
                        Err(failure) => {
                            verdict.decision = refuse(INVALID_CHANGE, failure.to_string());
                            Approval::Denied
                        }
                    }
                }
                ApprovalDecision::Defer => {
                    verdict.decision = Decision::Pending(Pending {
                        first: open.asked,
                        rest: asks.into_iter().map(|open| open.asked).collect(),
                    });
                    return;
                }
            };
            if let Some(run) = open.run.and_then(|run| verdict.runs.get_mut(run)) {
                run.approval = Some(approval);
                run.change = change.clone();
            }
            if !is_recorded || change.is_some() {
                verdict.answers.push(PersonAnswer {
                    hook: hook.clone(),
                    approval,
                    change: change.clone(),
                });
            }
            if let Some(change) = change {
                changes += 1;
                let again = self.run_deciding(call, cx, verdict).await;
                let unchanged = change.after == Digest::of_payload(&P::payload(call));
                // Hooks of a sub-agent and of its parent agents may share an id. In that case, the
                // questions of all of them are asked.
                let members = self.deciding.iter();
                let is_one = members.filter(|it| it.profile.id == *hook).count() == 1;
                asks = again
                    .into_iter()
                    .filter(|again| !(is_one && unchanged && again.asked.by == *hook))
                    .collect();
            }
            if !verdict.decision.passed() {
                return;
            }
        }
    }
}
