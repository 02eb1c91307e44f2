//! Causes and effects.

use crate::model::{Chain, Item, Run, Turn, TurnState};

/// Links what ended in a turn to the runs that ended it.
pub(super) fn link(turn: &mut Turn) {
    let turn_id = format!("turn-{}", turn.number);
    let failed = turn
        .end
        .as_ref()
        .is_some_and(|end| end.state == TurnState::Failed);
    let named = turn.end.as_mut().and_then(|end| end.caused_by.take());
    let mut ended_turn = None;
    for step in &mut turn.steps {
        for index in 0..step.items.len() {
            let (before, rest) = step.items.split_at_mut(index);
            match rest.first_mut() {
                Some(Item::Chain(chain)) => {
                    stop_in(chain);
                    for run in &mut chain.runs {
                        let by_name =
                            named.as_ref() == Some(&run.hook) && !run.is_quiet() && ends(run);
                        if by_name || (failed && run.refused()) {
                            ended_turn = Some(run.id.clone());
                        }
                    }
                }
                Some(Item::Tool(call)) => {
                    call.chains.iter_mut().for_each(stop_in);
                    let runs = call.chains.iter_mut().flat_map(|chain| &mut chain.runs);
                    for run in runs.filter(|run| ends(run)) {
                        if !call.ran && call.caused_by.is_none() {
                            call.caused_by = Some(run.id.clone());
                            run.ended = Some(call.id.clone());
                        }
                    }
                }
                Some(Item::Model(call)) => {
                    let Some(hook) = &call.answered_by else {
                        continue;
                    };
                    let chains = before.iter_mut().rev().filter_map(|item| match item {
                        Item::Chain(chain) => Some(chain),
                        _ => None,
                    });
                    let mut runs = chains.flat_map(|chain| chain.runs.iter_mut().rev());
                    if let Some(run) = runs.find(|run| run.hook == *hook && ends(run)) {
                        run.ended = Some(call.id.clone());
                        call.caused_by = Some(run.id.clone());
                    }
                }
                _ => {}
            }
        }
    }
    let Some(cause) = ended_turn else {
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

/// Whether the hooks behind a run do not run, or its answer ends the operation.
fn ends(run: &Run) -> bool {
    let answer = run.outcome.as_deref();
    run.refused()
        || (run.mode != Some(portcullis::hooks::Mode::Audit)
            && matches!(answer, Some("answer" | "replace" | "stop")))
}

/// Names in each run that did not run, or was not applied, the one that stands before it and ended the chain.
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
