//! The progress of a chain from hook to hook.

use std::slice::Iter;

use super::ask::Open;
use super::one_run::{Begun, Stand, begin, finish, finish_stored, not_run, respond};
use super::watch::Watch;
use super::{ChainContext, Member, detached};
use crate::chain::merge::{Flow, Value};
use crate::model::call::Call;
use crate::model::failure::Cause;
use crate::model::hook::Response;
use crate::model::points::{OutcomeKind, Point};
use crate::model::purpose::Purpose;
use crate::model::verdict::{Asked, Decision, Verdict};

/// A running chain, between two hooks.
pub(super) struct Progress<'a, P: Point> {
    /// The remaining hooks.
    members: Iter<'a, Member<P>>,
    watch: Watch<'a>,
    /// The purpose of the hooks' calls, except for hooks that the operator has not named.
    purpose: Purpose,
    /// Whether the value may change. After a replacement no hook changes it, but every hook still
    /// sees it.
    value: Value,
    /// The questions that a person must still answer. Most chains have none, and a `None` drops
    /// faster than an empty vector.
    #[allow(clippy::box_collection)]
    asks: Option<Box<Vec<Open<P>>>>,
    /// Whether a hook has ended the chain.
    ended: bool,
}

/// A hook that the chain must wait for.
pub(super) struct Waiting<'a, P: Point> {
    member: &'a Member<P>,
    begun: Begun<'a>,
    response: Response<'a, P>,
}

impl<'a, P: Point> Progress<'a, P> {
    #[inline]
    pub(super) fn new(
        members: &'a [Member<P>],
        call: &Call<P>,
        cx: &'a ChainContext,
        purpose: Purpose,
    ) -> Self {
        Self {
            members: members.iter(),
            watch: Watch::new(call, cx, purpose),
            purpose,
            value: Value::Open,
            asks: None,
            ended: false,
        }
    }

    /// Runs hooks until the chain ends or must wait for a hook.
    pub(super) fn advance(
        &mut self,
        call: &mut Call<P>,
        verdict: &mut Verdict<P>,
    ) -> Option<Box<Waiting<'a, P>>> {
        while !self.ended
            && let Some(member) = self.members.next()
        {
            if let Some(run_queue) = &member.run_queue {
                detached::start(member, run_queue, call, &mut self.watch, verdict);
                continue;
            }
            let mut begun = begin(member, call, &mut self.watch);
            let mut response = respond(member, &begun, call);
            let Response::Ready(answer) = &mut response else {
                begun.wait(member, call, &mut self.watch);
                return Some(Box::new(Waiting {
                    member,
                    begun,
                    response,
                }));
            };
            let stand = self.stand(member);
            let flow = finish(stand, begun, answer, call, &mut self.watch, verdict);
            self.follow(member, flow, verdict);
        }
        None
    }

    /// Returns whether a hook has a question for a person.
    pub(super) fn asks(&self) -> bool {
        self.asks.is_some()
    }

    /// Waits for a hook.
    pub(super) async fn wait(
        &mut self,
        waiting: Box<Waiting<'a, P>>,
        call: &mut Call<P>,
        verdict: &mut Verdict<P>,
    ) {
        let Waiting {
            member,
            begun,
            response,
        } = *waiting;
        let mut answer = match response {
            Response::Ready(answer) => answer,
            Response::Future(answer) => answer.await,
        };
        let (stand, watch) = (self.stand(member), &mut self.watch);
        let flow = match answer.waits_for_store() {
            false => finish(stand, begun, &mut answer, call, watch, verdict),
            true => finish_stored(stand, begun, &mut answer, call, watch, verdict).await,
        };
        self.follow(member, flow, verdict);
    }

    #[inline]
    fn stand(&self, member: &'a Member<P>) -> Stand<'a, P> {
        Stand {
            member,
            value: self.value,
            behind: self.members.as_slice(),
        }
    }

    /// Applies an answer's flow to the chain.
    #[inline]
    fn follow(&mut self, member: &Member<P>, flow: Flow<P>, verdict: &mut Verdict<P>) {
        match flow {
            Flow::Next | Flow::WouldEnd => {}
            // Observers decide nothing: `merge` ensures it.
            _ if self.purpose == Purpose::Observing => {}
            Flow::Replaced => self.value = Value::Replaced,
            Flow::NextThenAsk(ask) => self.asks.get_or_insert_default().push(Open {
                asked: Asked {
                    by: member.profile.id.clone(),
                    ask,
                },
                run: Some(verdict.runs.len() - 1),
            }),
            Flow::End(decision) => {
                verdict.decision = decision;
                self.ended = true;
            }
        }
    }

    /// Ends the chain.
    #[inline]
    pub(super) fn end(&mut self, call: &mut Call<P>, verdict: &mut Verdict<P>) {
        if self.ended {
            self.skip_rest(call, verdict);
        }
    }

    /// Returns the questions that a person must still answer, after the chain.
    pub(super) fn into_asks(self) -> Vec<Open<P>> {
        self.asks.map_or_else(Vec::new, |asks| *asks)
    }

    /// Skips the remaining hooks after a hook has ended the chain. No question is asked, since the
    /// operation does not proceed.
    #[cold]
    fn skip_rest(&mut self, call: &mut Call<P>, verdict: &mut Verdict<P>) {
        let answered = P::ANSWERS_AS == OutcomeKind::Answer
            && matches!(verdict.decision, Decision::Answered { .. });
        for member in self.members.by_ref() {
            let run = self.watch.skipped(call, &member.profile);
            if answered {
                not_run(&member.profile, &run, Cause::Answered, false, self.watch.cx);
            }
            verdict.runs.push(run);
        }
        self.asks = None;
    }
}
