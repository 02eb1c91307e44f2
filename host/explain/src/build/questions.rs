//! The hooks' questions, and people's answers.

use portcullis::hooks::Mode;
use portcullis::verdict::Approval;

use crate::model::{Chain, Item, Run, ToolCall, Turn, WaitsFor};

/// Returns the event that a call of a suspended turn waits for.
pub(super) fn waits_for(call: &mut ToolCall, is_answered: bool) -> WaitsFor {
    match open_question(&mut call.chains, |_, _| true) {
        Some(_) => WaitsFor::Answer,
        None if is_answered => WaitsFor::Continuation,
        None => WaitsFor::Result,
    }
}

/// A person's answer to a call of a suspended turn.
pub(super) struct Answer {
    /// The answerer, and where the answer was given.
    by: String,
    /// The id of the run that asked, if the journal has it.
    run: Option<String>,
    /// Whether the answer is a change. The changed fields follow when it is applied.
    pub(super) is_change: bool,
}

/// Records a person's answer in the run that asked about a call. `before` is the answer that it
/// replaces.
pub(super) fn answered(
    turn: &mut Turn,
    call_id: &str,
    (by, answer): (&str, &str),
    before: Option<Answer>,
) -> Answer {
    let (replaces, run) = before.map(|before| (before.by, before.run)).unzip();
    let mut given = Answer {
        by: by.trim_end_matches(',').to_owned(),
        run: run.flatten(),
        is_change: false,
    };
    let approval = match answer {
        "approved" => Approval::Approved,
        "changed" => Approval::Changed,
        "denied" => Approval::Denied,
        "unanswered" => Approval::Unanswered,
        _ => return given,
    };
    let items = turn.steps.iter_mut().flat_map(|step| &mut step.items);
    let mut calls = items.filter_map(|item| match item {
        Item::Tool(call) if call.call_id == call_id => Some(call),
        _ => None,
    });
    let asked = match &given.run {
        Some(id) => calls
            .flat_map(|call| &mut call.chains)
            .flat_map(|chain| &mut chain.runs)
            .find(|run| run.id == *id),
        None => calls.find_map(|call| open_question(&mut call.chains, |_, _| true)),
    };
    let Some(run) = asked else {
        return given;
    };
    run.approval = Some(approval);
    run.approval_changes = None;
    run.approval_replaces = replaces;
    given.run = Some(run.id.clone());
    given.is_change = approval == Approval::Changed;
    given
}

/// Returns the first run that asked, has no decision and satisfies `fits`. A person's change closes
/// all earlier questions, because the hooks decide again after it. Hooks in audit mode ask nobody.
pub(super) fn open_question(
    chains: &mut [Chain],
    fits: impl Fn(&str, &Run) -> bool,
) -> Option<&mut Run> {
    let is_changed = |run: &Run| run.approval == Some(Approval::Changed);
    let changed = chains
        .iter()
        .rposition(|chain| chain.runs.iter().any(is_changed));
    let open = chains.iter_mut().skip(changed.map_or(0, |last| last + 1));
    let mut runs = open.flat_map(|Chain { point, runs }| {
        let point = &*point;
        runs.iter_mut().map(move |run| (point, run))
    });
    let asked = runs.find(|(point, run)| {
        run.outcome.as_deref() == Some("ask")
            && run.mode != Some(Mode::Audit)
            && run.approval.is_none()
            && fits(point, run)
    });
    asked.map(|(_, run)| run)
}

/// Returns the last run of a hook that a person answered with a change.
pub(super) fn changed_by_person<'a>(chains: &'a mut [Chain], hook: &str) -> Option<&'a mut Run> {
    let runs = chains.iter_mut().flat_map(|chain| &mut chain.runs);
    let mut latest_first = runs.rev();
    latest_first.find(|run| run.hook == hook && run.approval == Some(Approval::Changed))
}
