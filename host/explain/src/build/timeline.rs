//! Grouping records by turn, step and tool call.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use portcullis_agent::{EventRow, JournalEvent, NotRun, RunEnd, RunRow, SuspendReason};

use super::end::{interrupt, without_output};
use super::event::note;
use super::permission;
use super::questions::{Answer, answered, changed_by_person, open_question, waits_for};
use super::{Numbers, Record};
use crate::model::{Chain, Item, ModelCall, Run, Step, ToolCall, Turn, TurnEnd, TurnState};

/// Returns the turns of a session that began at `began_ms`.
pub(super) fn turns(records: Vec<Record>, began_ms: u64, numbers: &mut Numbers) -> Vec<Turn> {
    let mut timeline = Timeline {
        began_ms,
        turns: Vec::new(),
        noted: HashSet::new(),
        finished: HashSet::new(),
        answered: HashMap::new(),
        begun: HashSet::new(),
        numbers,
    };
    // A continued session records its opening with the number of its last turn.
    let mut is_opening = false;
    for mut record in records {
        if let Record::Event(row) = &record {
            match row.event {
                JournalEvent::SessionOpened { .. } => is_opening = true,
                JournalEvent::TurnBegan { .. }
                | JournalEvent::TurnResumed
                | JournalEvent::TurnContinued => is_opening = false,
                _ => {}
            }
        }
        if is_opening {
            record.put_outside();
        }
        match record {
            Record::Run(row, end) => timeline.run(row, *end),
            Record::Event(row) => timeline.event(row),
        }
    }
    timeline.note_waiting();
    timeline.turns
}

struct Timeline<'a> {
    began_ms: u64,
    turns: Vec<Turn>,
    /// The turns and calls for which a person answered with a change whose fields are not read yet.
    noted: HashSet<(u32, String)>,
    /// The turns, steps and calls that have their results.
    finished: HashSet<(u32, u32, String)>,
    /// The last answers since their turn was suspended, by turn and call.
    answered: HashMap<(u32, String), Answer>,
    /// The numbers of the turns that began.
    begun: HashSet<u32>,
    numbers: &'a mut Numbers,
}

impl Timeline<'_> {
    fn at_us(&self, ms: u64) -> u64 {
        ms.saturating_sub(self.began_ms).saturating_mul(1_000)
    }

    /// Begins a turn. An earlier one with its number was not saved: its process died, or dropped it.
    fn begin(&mut self, number: u32, at_us: u64) -> &mut Turn {
        if self.begun.insert(number) {
            return self.turn(number, at_us);
        }
        let earlier = self.turn(number, at_us);
        let repeated = earlier.repeated + 1;
        interrupt(
            earlier,
            "its process died or dropped it, and the next turn began in its place",
        );
        self.noted.retain(|(turn, _)| *turn != number);
        self.finished.retain(|(turn, ..)| *turn != number);
        self.answered.retain(|(turn, _), _| *turn != number);
        self.turns.push(Turn {
            number,
            repeated,
            at_us,
            ..Turn::default()
        });
        self.turn(number, at_us)
    }

    /// Returns the turn with this number. A new turn starts at `at_us`.
    fn turn(&mut self, number: u32, at_us: u64) -> &mut Turn {
        // Background work may be recorded in the next turn.
        let known = self.turns.iter().rposition(|turn| turn.number == number);
        let last = self.turns.len();
        let index = match known {
            Some(index) if number > 0 || index + 1 == last => index,
            _ => {
                self.turns.push(Turn {
                    number,
                    at_us,
                    ..Turn::default()
                });
                last
            }
        };
        let turn = &mut self.turns[index];
        turn.took_us = turn.took_us.max(at_us.saturating_sub(turn.at_us));
        turn
    }

    fn items(&mut self, turn: u32, step: u32, at_us: u64) -> &mut Vec<Item> {
        let steps = &mut self.turn(turn, at_us).steps;
        if steps.last().is_none_or(|last| last.number != step) {
            steps.push(Step {
                number: step,
                items: Vec::new(),
            });
        }
        let last = steps.len() - 1;
        &mut steps[last].items
    }

    /// Returns the tool call with this id in the step, and adds the call if it is new. A step has
    /// several parts if another process continued it.
    fn tool(&mut self, (turn, step): (u32, u32), call_id: &str, at_us: u64) -> &mut ToolCall {
        let is_it = |item: &Item| match item {
            Item::Tool(call) => call.call_id == call_id,
            _ => false,
        };
        let parts = self.turn(turn, at_us).steps.iter().enumerate().rev();
        let mut parts = parts.filter(|(_, part)| part.number == step);
        let known = parts.find_map(|(part, of)| Some((part, of.items.iter().rposition(is_it)?)));
        let (part, index) = known.unwrap_or_else(|| {
            let id = self.numbers.id("tool");
            let items = self.items(turn, step, at_us);
            items.push(Item::Tool(Box::new(ToolCall {
                id,
                call_id: call_id.to_owned(),
                at_us,
                unknown: true,
                ..ToolCall::default()
            })));
            let index = items.len() - 1;
            (self.turn(turn, at_us).steps.len() - 1, index)
        });
        match &mut self.turn(turn, at_us).steps[part].items[index] {
            Item::Tool(call) => call,
            _ => unreachable!("the item at this index is a tool call"),
        }
    }

    /// Returns the id of an event's call. A permission request, which has no id, is joined to its
    /// call.
    fn id_of(&mut self, place: (u32, u32), call_id: String, tool: &str, at_us: u64) -> String {
        if !call_id.is_empty() {
            return call_id;
        }
        let finished = std::mem::take(&mut self.finished);
        let is_open =
            |call: &ToolCall| !finished.contains(&(place.0, place.1, call.call_id.clone()));
        let joined = permission::join(self.items(place.0, place.1, at_us), tool, is_open);
        self.finished = finished;
        joined.unwrap_or_default()
    }

    /// Records the events that the calls of suspended turns wait for.
    fn note_waiting(&mut self) {
        for turn in &mut self.turns {
            let end = turn.end.as_ref();
            if end.is_none_or(|end| end.state != TurnState::Suspended) {
                continue;
            }
            for step in &mut turn.steps {
                for item in &mut step.items {
                    let Item::Tool(call) = item else {
                        continue;
                    };
                    let id = call.call_id.clone();
                    let place = (turn.number, step.number, id.clone());
                    if self.finished.contains(&place) {
                        continue;
                    }
                    let is_answered = self.answered.contains_key(&(turn.number, id));
                    call.waits_for = Some(waits_for(call, is_answered));
                }
            }
        }
    }

    fn run(&mut self, row: RunRow, end: RunEnd) {
        let at_us = self.at_us(row.started_ms);
        let place = (row.turn, row.step);
        let (point, call_id) = (row.point.clone(), row.call_id.clone());
        let mut run = run(self.numbers.id("run"), at_us, row, end);
        match call_id {
            Some(call_id) => add(&mut self.tool(place, &call_id, at_us).chains, point, run),
            None => {
                let items = self.items(place.0, place.1, at_us);
                match items.last_mut() {
                    Some(Item::Chain(chain)) if continues(chain, &point, &run) => {
                        follow(chain, &mut run);
                        chain.runs.push(run);
                    }
                    _ => items.push(Item::Chain(Chain {
                        point,
                        runs: vec![run],
                    })),
                }
            }
        }
    }

    /// Returns the chain that was recorded last in a step.
    fn last_chain(&mut self, (turn, step): (u32, u32), at_us: u64) -> &mut [Chain] {
        let last = self
            .items(turn, step, at_us)
            .iter_mut()
            .rev()
            .find_map(|item| match item {
                Item::Chain(chain) => Some(std::slice::from_mut(chain)),
                _ => None,
            });
        last.unwrap_or_default()
    }

    fn event(&mut self, row: EventRow) {
        let at_us = self.at_us(row.at_ms);
        let place = (row.turn, row.step);
        match row.event {
            JournalEvent::TurnBegan { input } => self.begin(row.turn, at_us).input = input,
            JournalEvent::TurnEnded {
                origin,
                input_tokens,
                output_tokens,
                output,
                ..
            } => {
                let from = origin["from"].as_str().unwrap_or("model").to_owned();
                let name = ["by", "name"]
                    .into_iter()
                    .find_map(|key| origin[key].as_str());
                let message = origin["message"].as_str().or(origin["error"].as_str());
                let words = [Some(from.as_str()), name, message].into_iter().flatten();
                self.turn(row.turn, at_us).end = Some(TurnEnd {
                    state: TurnState::Ended,
                    reason: words.collect::<Vec<_>>().join(": "),
                    output,
                    // This is the hook's name, which is replaced by the run's id later.
                    caused_by: origin["by"].as_str().map(str::to_owned),
                    input_tokens,
                    output_tokens,
                });
            }
            JournalEvent::TurnFailed {
                error, cancelled, ..
            } => {
                self.turn(row.turn, at_us).end = Some(without_output(
                    match cancelled {
                        true => TurnState::Cancelled,
                        false => TurnState::Failed,
                    },
                    error,
                ));
            }
            JournalEvent::TurnSuspended { reason } => {
                let until = SuspendReason::from_name(&reason).map(|it| it.until().to_owned());
                let reason = until.unwrap_or(reason);
                self.turn(row.turn, at_us).end = Some(without_output(TurnState::Suspended, reason));
                self.answered.clear();
            }
            JournalEvent::ModelCalled {
                provider,
                model,
                attempt,
                input_tokens,
                output_tokens,
                tool_calls,
                answered_by,
                error,
                elapsed_ms,
            } => {
                let took_us = elapsed_ms.saturating_mul(1_000);
                let call = ModelCall {
                    id: self.numbers.id("model"),
                    provider,
                    model,
                    attempt,
                    at_us: at_us.saturating_sub(took_us),
                    took_us,
                    input_tokens,
                    output_tokens,
                    tool_calls,
                    error,
                    answered_by,
                    caused_by: None,
                };
                self.items(place.0, place.1, at_us).push(Item::Model(call));
            }
            JournalEvent::ToolAsked { call_id, name } => {
                let id = self.id_of(place, call_id, &name, at_us);
                self.tool(place, &id, at_us).name = Some(name);
            }
            JournalEvent::ToolStarted {
                call_id,
                name,
                arguments,
            } => {
                let is_permission = call_id.is_empty();
                let id = self.id_of(place, call_id, &name, at_us);
                let call = self.tool(place, &id, at_us);
                call.name = Some(name);
                if is_permission && !id.is_empty() {
                    // Hooks allowed it, and the user has not answered.
                    return;
                }
                call.unknown = false;
                call.arguments = arguments;
                call.ran = true;
                call.ran_at_us = Some(at_us);
            }
            JournalEvent::ToolFinished {
                call_id,
                name,
                is_error,
                ran,
                not_run,
                elapsed_ms,
                result,
            } => {
                let call_id = self.id_of(place, call_id, &name, at_us);
                self.finished.insert((place.0, place.1, call_id.clone()));
                let call = self.tool(place, &call_id, at_us);
                call.name = Some(name);
                // The tool may have run in a process that died.
                call.unknown = not_run == Some(NotRun::NotRepeated);
                call.result = result;
                // If a turn fails after a tool ran, the tool's result may be lost. A second result then says that
                // the call did not run.
                call.ran = ran || (call.ran_at_us.is_some() && !call.unknown);
                call.not_run = not_run.filter(|_| !call.ran);
                call.is_error = is_error;
                call.took_us = elapsed_ms.saturating_mul(1_000);
            }
            JournalEvent::Decided {
                hook,
                point,
                call_id,
                approval,
                before,
                changes,
                ..
            } => {
                let noted = call_id.clone().map(|call_id| (row.turn, call_id));
                let is_noted =
                    before.is_some() && noted.is_some_and(|noted| self.noted.remove(&noted));
                let chains = match &call_id {
                    Some(call_id) => &mut self.tool(place, call_id, at_us).chains[..],
                    None => self.last_chain(place, at_us),
                };
                let run = match is_noted {
                    true => changed_by_person(chains, &hook),
                    false => open_question(chains, |chain, run| chain == point && run.hook == hook),
                };
                if let Some(run) = run {
                    run.approval = Some(approval);
                    run.approval_changes = changes;
                }
            }
            other => {
                let mut place = place;
                match &other {
                    // The turn runs again.
                    JournalEvent::TurnResumed => self.turn(row.turn, at_us).end = None,
                    // The turn runs again, in the step in which its process died.
                    JournalEvent::TurnContinued => {
                        let turn = self.turn(row.turn, at_us);
                        turn.end = None;
                        if place.1 == 0 {
                            place.1 = turn.steps.last().map_or(0, |step| step.number);
                        }
                    }
                    // The process that took the answer does not know the step.
                    JournalEvent::Answered {
                        call_id,
                        by,
                        answer,
                    } => {
                        let answers = (row.turn, call_id.clone());
                        let before = self.answered.remove(&answers);
                        if before.is_some() {
                            // A change that is replaced is not applied.
                            self.noted.remove(&answers);
                        }
                        let turn = self.turn(row.turn, at_us);
                        let given = answered(turn, call_id, (by, answer), before);
                        place.1 = turn.steps.last().map_or(0, |step| step.number);
                        if given.is_change {
                            self.noted.insert(answers.clone());
                        }
                        self.answered.insert(answers, given);
                    }
                    _ => {}
                }
                if let Some(note) = note(&other, at_us) {
                    self.items(place.0, place.1, at_us).push(Item::Note(note));
                }
            }
        }
    }
}

fn add(chains: &mut Vec<Chain>, point: String, mut run: Run) {
    match chains.last_mut() {
        Some(chain) if continues(chain, &point, &run) => {
            follow(chain, &mut run);
            chain.runs.push(run);
        }
        _ => chains.push(Chain {
            point,
            runs: vec![run],
        }),
    }
}

/// Returns whether a run is in the same pass of the chain. A hook runs once in each pass.
fn continues(chain: &Chain, point: &str, run: &Run) -> bool {
    let again = |other: &Run| other.hook == run.hook || other.attempt != run.attempt;
    chain.point == point && !chain.runs.iter().any(again)
}

/// Moves a run's start after the end of the previous run. Hooks run one after another, which starts
/// in milliseconds do not show.
fn follow(chain: &Chain, run: &mut Run) {
    if let Some(last) = chain.runs.last() {
        run.at_us = run.at_us.max(last.at_us + last.took_us.unwrap_or_default());
    }
}

fn run(id: String, at_us: u64, row: RunRow, end: RunEnd) -> Run {
    let would = end.would.as_ref();
    let would_have = would.and_then(|would| would.at(&row.point));
    Run {
        id,
        hook: row.hook,
        at_us,
        took_us: end.latency_us,
        fuel: end.fuel,
        state: end.state,
        outcome: end.outcome.map(Cow::into_owned),
        mode: end.mode,
        would_have: would_have.map(str::to_owned),
        would: end.would,
        attempt: row.attempt,
        code: end.code.or(end.cause.map(Cow::into_owned)),
        message: end.message,
        fatal: end.fatal,
        approval: None,
        approval_changes: None,
        approval_replaces: None,
        changed: end.after.is_some(),
        changes: end.changes.unwrap_or_default(),
        contributed: end.contributions.len(),
        added: end.added.unwrap_or_default(),
        used: end.used.unwrap_or_default(),
        component: row.component,
        stopped_by: None,
        ended: None,
    }
}
