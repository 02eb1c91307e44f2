//! Causes and effects.

use portcullis::hooks::Mode;
use portcullis::points::PointId;
use portcullis::verdict::Effect;

use crate::model::{Chain, Item, Run, ToolCall, Turn, TurnState};

/// Links each item that a run ended in a turn to that run.
pub(super) fn link(turn: &mut Turn) {
    let turn_id = turn.id();
    let failed = turn
        .end
        .as_ref()
        .is_some_and(|end| end.state == TurnState::Failed);
    let named = turn.end.as_mut().and_then(|end| end.caused_by.take());
    let mut ended_turn: Option<(Option<PointId>, String)> = None;
    for step in &mut turn.steps {
        for index in 0..step.items.len() {
            let (before, rest) = step.items.split_at_mut(index);
            match rest.first_mut() {
                Some(Item::Chain(chain)) => {
                    stop_in(chain);
                    let point = PointId::from_name(&chain.point);
                    for run in &chain.runs {
                        let by_name = named.as_ref() == Some(&run.hook) && takes_place(run);
                        let fails = point.is_some_and(|point| fails_turn(point, run));
                        if by_name || (failed && fails) {
                            ended_turn = Some((point, run.id.clone()));
                        }
                    }
                }
                Some(Item::Tool(call)) => link_call(call),
                Some(Item::Model(call)) => {
                    // A refusal within a compaction ends only the compaction: the turn continues with its own model
                    // call. Hooks decide about the pieces of a response before the call is recorded.
                    ended_turn = ended_turn
                        .filter(|(point, _)| !failed || *point == Some(PointId::LlmDelta));
                    let Some(hook) = &call.answered_by else {
                        continue;
                    };
                    let chains = before.iter_mut().rev().filter_map(|item| match item {
                        Item::Chain(chain) => Some(chain),
                        _ => None,
                    });
                    let mut runs = chains.flat_map(|chain| chain.runs.iter_mut().rev());
                    if let Some(run) = runs.find(|run| run.hook == *hook && takes_place(run)) {
                        run.ended = Some(call.id.clone());
                        call.caused_by = Some(run.id.clone());
                    }
                }
                _ => {}
            }
        }
    }
    let Some((_, cause)) = ended_turn else {
        return;
    };
    for item in turn.steps.iter_mut().flat_map(|step| &mut step.items) {
        if let Item::Chain(chain) = item {
            for run in chain.runs.iter_mut().filter(|run| run.id == cause) {
                run.ended = Some(turn_id.clone());
            }
        }
    }
    if let Some(end) = &mut turn.end {
        end.caused_by = Some(cause);
    }
}

/// Links a call to the run that kept it from running, and to the run that withheld its result.
fn link_call(call: &mut ToolCall) {
    for chain in &mut call.chains {
        stop_in(chain);
        let cause = match PointId::from_name(&chain.point) {
            Some(PointId::PreToolCall | PointId::PreSubagent) if !call.ran => &mut call.caused_by,
            Some(PointId::PostToolCall | PointId::PostSubagent) => &mut call.withheld_by,
            _ => continue,
        };
        // After a replacement, the call continues with the new value.
        let ended = |run: &&mut Run| ends(run) && run.outcome.as_deref() != Some("replace");
        if cause.is_none()
            && let Some(run) = chain.runs.iter_mut().find(ended)
        {
            *cause = Some(run.id.clone());
            run.ended = Some(call.id.clone());
        }
    }
    if call.unknown && call.not_run.is_none() {
        let kept_from = call.caused_by.is_some() || call.waits_for.is_some();
        // Hooks after a tool see only the tool's result, or a hook's answer in its place.
        call.ran = !kept_from && call.chains.iter().any(is_behind);
        call.unknown = !kept_from && !call.ran;
    }
}

fn is_behind(chain: &Chain) -> bool {
    matches!(
        PointId::from_name(&chain.point),
        Some(PointId::PostToolCall | PointId::PostSubagent)
    )
}

/// Returns whether a run's refusal fails the turn.
fn fails_turn(point: PointId, run: &Run) -> bool {
    let effect = match run.fatal {
        true => Effect::Failed,
        false => Effect::Refused,
    };
    run.refused() && effect.fails_turn(point)
}

/// Returns whether the hooks after a run do not run, or its answer ends the operation.
fn ends(run: &Run) -> bool {
    run.refused() || takes_place(run)
}

/// Returns whether a run's answer replaces the operation, its value or the rest of the turn.
fn takes_place(run: &Run) -> bool {
    let answer = run.outcome.as_deref();
    run.mode != Some(Mode::Audit)
        && !run.did_not_run()
        && matches!(answer, Some("answer" | "replace" | "stop"))
}

/// Sets, in each run that did not run or was not applied, the earlier run that ended the chain.
fn stop_in(chain: &mut Chain) {
    let mut by = None;
    for run in &mut chain.runs {
        if run.did_not_run() {
            run.stopped_by.clone_from(&by);
        } else if ends(run) {
            by = Some(run.id.clone());
        }
    }
}
