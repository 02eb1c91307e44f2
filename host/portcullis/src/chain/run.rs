//! Runs a chain, or a part of it.
//!
//! A chain runs by plain calls, without a future, until a hook must wait.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::ask::Open;
use super::progress::{Progress, Waiting};
use super::{Chain, ChainContext, Part};
use crate::model::approval::ApprovalDecision;
use crate::model::call::Call;
use crate::model::points::{OutcomeKind, Point};
use crate::model::purpose::Purpose;
use crate::model::verdict::{Decision, Pending, Verdict};

/// Implements [`Chain::run`].
pub(super) fn run<'a, P: Point>(
    chain: &'a Chain<P>,
    part: Part<P>,
    call: &'a mut Call<P>,
    cx: &'a ChainContext,
    verdict: &'a mut Verdict<P>,
) -> Option<BoxFuture<'a, ()>> {
    match part {
        Part::All => chain.decide(true, call, cx, verdict),
        Part::Deciding => chain.decide(false, call, cx, verdict),
        Part::Observing => chain.observe(call, cx, verdict),
        Part::Answered(pending, says) => {
            Some(Box::pin(chain.answer(call, cx, pending, says, verdict)))
        }
    }
}

impl<P: Point> Chain<P> {
    /// Runs the deciding hooks, and asks their questions. Then runs the observing hooks, if
    /// requested.
    #[inline]
    fn decide<'a>(
        &'a self,
        observed: bool,
        call: &'a mut Call<P>,
        cx: &'a ChainContext,
        verdict: &'a mut Verdict<P>,
    ) -> Option<BoxFuture<'a, ()>> {
        verdict.runs = Vec::with_capacity(self.deciding.len() + self.observing.len());
        let mut progress = Progress::new(&self.deciding, call, cx, Purpose::Deciding);
        let waiting = progress.advance(call, verdict);
        if waiting.is_some() || progress.asks() {
            return Some(Box::pin(async move {
                let asks = end(progress, waiting, call, verdict).await;
                if !asks.is_empty() {
                    self.ask(call, cx, asks, None, verdict).await;
                }
                let is_open = matches!(verdict.decision, Decision::Pending(_));
                if observed
                    && !is_open
                    && let Some(rest) = self.observe(call, cx, verdict)
                {
                    rest.await;
                }
            }));
        }
        progress.end(call, verdict);
        match observed {
            true => self.observe(call, cx, verdict),
            false => None,
        }
    }

    /// Continues a chain after a person's answer to a pending decision.
    async fn answer(
        &self,
        call: &mut Call<P>,
        cx: &ChainContext,
        pending: Pending<P>,
        says: ApprovalDecision,
        verdict: &mut Verdict<P>,
    ) {
        // Searches from the end, since hooks of several agents may share an id, and hooks may have
        // asked before.
        let mut before = verdict.runs.len();
        let asked = std::iter::once(pending.first).chain(pending.rest).rev();
        let mut asks: Vec<Open<P>> = asked
            .map(|asked| {
                let runs = verdict.runs.get(..before).unwrap_or_default();
                let run = runs.iter().rposition(|run| {
                    run.hook == asked.by && run.outcome() == Some(OutcomeKind::Ask)
                });
                before = run.unwrap_or(before);
                Open { asked, run }
            })
            .collect();
        asks.reverse();
        self.ask(call, cx, asks, Some(says), verdict).await;
    }

    /// Runs the deciding hooks. Returns the questions that a person must still answer.
    pub(super) async fn run_deciding(
        &self,
        call: &mut Call<P>,
        cx: &ChainContext,
        verdict: &mut Verdict<P>,
    ) -> Vec<Open<P>> {
        let mut progress = Progress::new(&self.deciding, call, cx, Purpose::Deciding);
        let waiting = progress.advance(call, verdict);
        end(progress, waiting, call, verdict).await
    }

    /// Runs the observing hooks, after the decision.
    #[inline]
    fn observe<'a>(
        &'a self,
        call: &'a mut Call<P>,
        cx: &'a ChainContext,
        verdict: &'a mut Verdict<P>,
    ) -> Option<BoxFuture<'a, ()>> {
        match self.observing.is_empty() {
            true => None,
            false => self.run_observing(call, cx, verdict),
        }
    }

    fn run_observing<'a>(
        &'a self,
        call: &'a mut Call<P>,
        cx: &'a ChainContext,
        verdict: &'a mut Verdict<P>,
    ) -> Option<BoxFuture<'a, ()>> {
        // A replayed call already has the recorded verdict.
        if call.views.verdict.is_none() {
            call.views.verdict = Some(Arc::new(verdict.view()));
        }
        let mut progress = Progress::new(&self.observing, call, cx, Purpose::Observing);
        let waiting = progress.advance(call, verdict);
        if waiting.is_some() {
            return Some(Box::pin(async move {
                end(progress, waiting, call, verdict).await;
                call.views.verdict = None;
            }));
        }
        call.views.verdict = None;
        None
    }
}

/// Runs a chain to its end, from a hook that it waits for. Returns the questions that a person must
/// still answer.
async fn end<'a, P: Point>(
    mut progress: Progress<'a, P>,
    mut waiting: Option<Box<Waiting<'a, P>>>,
    call: &mut Call<P>,
    verdict: &mut Verdict<P>,
) -> Vec<Open<P>> {
    while let Some(waited) = waiting {
        progress.wait(waited, call, verdict).await;
        waiting = progress.advance(call, verdict);
    }
    progress.end(call, verdict);
    progress.into_asks()
}
