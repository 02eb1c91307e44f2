//! A turn's events, as a tree of rows.

use std::collections::VecDeque;
use std::time::Duration;

use portcullis::hooks::Mode;
use portcullis::trace::{TraceEvent, events};
use portcullis::verdict::{Approval, HookRun, RunStatus};
use portcullis_agent::RetryAction;

use super::excerpt::{arguments, excerpt};
use super::happened::happened;
use super::marks::{Mark, is_quiet, mark};
use super::turn::{Chain, Entry, ModelCall, ModelEnd, Step, ToolCall};
use super::{Places, TurnLog};
use crate::Printable;
use crate::approval::Asked;
use crate::format::printable;
use crate::line::Line;
use crate::style::{BOLD, DIM, ERROR, GOOD, NOTE, REFUSED};
use crate::tree::{Fit, Node, Row};
use crate::{text, units};

/// The number of columns for the answer's word.
const WORDS: usize = 12;
/// The most columns of the old and of the new value.
const QUOTED: usize = 47;

/// The level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Hooks that changed nothing share a row.
    Folded,
    /// Every hook run has a row.
    Each,
}

/// Returns a turn's events as a tree.
pub fn nodes(log: &TurnLog, detail: Detail, places: &Places) -> Vec<Node> {
    let mut view = View {
        detail,
        places,
        asked: log.asked.clone(),
    };
    let mut nodes = Vec::new();
    for step in &log.steps {
        let entries: Vec<Node> = step.entries.iter().map(|entry| view.entry(entry)).collect();
        match step {
            Step { step: 0, .. } => nodes.extend(entries),
            Step { step, .. } => nodes.push(Node {
                rows: vec![Row::default().label(Line::styled(BOLD, printable!("step {}", step)))],
                children: entries,
            }),
        }
    }
    nodes
}

struct View<'a> {
    detail: Detail,
    places: &'a Places,
    /// Questions that were asked and are not shown yet.
    asked: VecDeque<Asked>,
}

impl View<'_> {
    fn entry(&mut self, entry: &Entry) -> Node {
        match entry {
            Entry::Chain(chain) => self.chain(chain),
            Entry::Model(call) => Node::leaf(self.model(call)),
            Entry::Retry { action, by } => {
                let what = self.places.show(retry(action, by.as_deref()));
                Node::leaf(vec![labelled("then", Line::new().plain(what))])
            }
            Entry::Tool(call) => self.tool(call),
            Entry::Compacted {
                removed,
                messages,
                tokens_before,
                tokens_after,
            } => {
                let body = printable!(
                    "{} replaced by a summary; {} left, about {} → {} tokens",
                    units::plural(*removed, "message"),
                    units::count(*messages as u64),
                    units::count(*tokens_before),
                    units::count(*tokens_after)
                );
                Node::leaf(vec![labelled("compacted", Line::new().plain(body))])
            }
            Entry::Note(words) => Node::leaf(vec![labelled(
                "note",
                Line::styled(NOTE, self.places.show(words)),
            )]),
        }
    }

    fn chain(&mut self, chain: &Chain) -> Node {
        let mut rows = Vec::new();
        let mut quiet: Vec<&HookRun> = Vec::new();
        for run in &chain.runs {
            let folds = self.detail == Detail::Folded
                && is_quiet(run)
                && run.mode == Mode::Enforce
                && quiet.last().is_none_or(|last| mark(last) == mark(run));
            if folds {
                quiet.push(run);
                continue;
            }
            rows.extend(folded(&std::mem::take(&mut quiet)));
            if self.detail == Detail::Folded && is_quiet(run) && run.mode == Mode::Enforce {
                quiet.push(run);
            } else {
                rows.extend(self.run(run));
            }
        }
        rows.extend(folded(&quiet));
        if let Some(first) = rows.first_mut() {
            first.label = Line::styled(DIM, chain.point.name());
        }
        Node::leaf(rows)
    }

    /// Returns the rows of one run.
    fn run(&mut self, run: &HookRun) -> Vec<Row> {
        let style = if is_quiet(run) { DIM } else { BOLD };
        let mut body = answer(mark(run)).with(style, run.hook.to_string());
        if let Some(cause) = run.cause() {
            body = body.plain(" ").with(ERROR, cause.code());
        }
        if run.mode == Mode::Audit {
            body = body.with(NOTE, " (audit only: has no effect)");
        }
        if run.restarted {
            body = body.with(NOTE, " (started again: its instance was given up)");
        }
        let time = match run.status {
            RunStatus::Skipped => Printable::default(),
            _ => units::time(run.latency),
        };
        let mut rows = vec![Row {
            body,
            time,
            fuel: run.fuel.map(units::short).unwrap_or_default(),
            ..Row::default()
        }];
        rows.extend(calls(run));
        rows.extend(self.what(run));
        rows.extend(self.change(run));
        rows
    }

    /// Returns rows for the details of a run: the refusal, the failure or the approval.
    fn what(&mut self, run: &HookRun) -> Vec<Row> {
        match &run.status {
            RunStatus::Completed {
                rejection: Some(rejection),
                ..
            } => vec![indented(
                Line::styled(REFUSED, Printable::line(&rejection.code))
                    .plain(": ")
                    .plain(self.places.show(&rejection.reason)),
            )],
            RunStatus::Failed { message, fatal, .. } => {
                let then = match fatal {
                    true => Line::styled(REFUSED, "fails closed: refused"),
                    false => Line::styled(GOOD, "fails open: continues without the hook"),
                };
                let message = Line::new().plain(self.places.show(message));
                vec![indented(message), indented(then)]
            }
            _ => match run.approval {
                Some(approval) => self.approval(approval),
                None => Vec::new(),
            },
        }
    }

    /// Returns rows for the question and the answer.
    fn approval(&mut self, approval: Approval) -> Vec<Row> {
        let (style, word) = match approval {
            Approval::Approved => (GOOD, "approved"),
            Approval::Denied => (REFUSED, "denied"),
            Approval::Unanswered => (REFUSED, "nobody answered, so it was denied"),
            Approval::Changed => (NOTE, "approved with a change"),
        };
        let said = Line::styled(DIM, "→ ").with(style, word);
        let Some(asked) = self.asked.pop_front() else {
            return vec![indented(said)];
        };
        let value = self.places.show(arguments(&asked.value));
        let said = match asked.reason {
            Some(reason) => said.plain(printable!(": {}", self.places.show(&reason))),
            None => said,
        };
        vec![
            indented(Line::new().plain(self.places.show(&asked.question))),
            indented(Line::styled(DIM, value)).fit(Fit::Cut),
            indented(said),
        ]
    }

    /// Returns rows for a run's change: the values, or their digests where the values are not kept.
    fn change(&self, run: &HookRun) -> Vec<Row> {
        let Some(change) = run.change.as_deref() else {
            return Vec::new();
        };
        match &change.values {
            Some((before, after)) => {
                let excerpt = excerpt(before, after, self.places, QUOTED);
                let row = |sign: &str, style, text: &Printable| {
                    indented(Line::styled(style, printable!("{} {}", sign, text))).fit(Fit::Cut)
                };
                let before = excerpt.before.iter().map(|text| row("-", REFUSED, text));
                let after = excerpt.after.iter().map(|text| row("+", GOOD, text));
                before.chain(after).collect()
            }
            None => {
                let short = |digest: portcullis::verdict::Digest| -> String {
                    digest.to_string().chars().take(12).collect()
                };
                let text = printable!("{}… → {}…", short(change.before), short(change.after));
                vec![indented(Line::styled(DIM, text))]
            }
        }
    }

    fn model(&self, call: &ModelCall) -> Vec<Row> {
        let label = if call.summary {
            "model (summary)"
        } else {
            "model"
        };
        let whom = Line::styled(BOLD, printable!("{}/{}", call.provider, call.model));
        let body = match &call.end {
            Some(ModelEnd::Answered {
                input,
                output,
                tool_calls,
                by,
            }) => {
                let wants = match tool_calls {
                    0 => Printable::from("answers"),
                    n => printable!("wants {}", units::plural(*n, "tool")),
                };
                let wants = match by {
                    Some(by) => printable!("{} (from the hook {})", wants, by),
                    None => wants,
                };
                let counts = printable!(
                    " · {}, {} + {} tokens",
                    units::plural(call.messages, "message"),
                    units::count(*input),
                    units::count(*output)
                );
                whom.plain(printable!(" {}", wants)).with(DIM, counts)
            }
            Some(ModelEnd::Failed(error)) => whom.plain(" ").with(ERROR, self.places.show(error)),
            None => whom.with(NOTE, " was canceled"),
        };
        let mut rows = vec![Row {
            label: Line::styled(BOLD, label),
            body,
            time: units::millis(call.elapsed_ms),
            ..Row::default()
        }];
        if !call.text.is_empty() {
            let said = call.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let said = printable!("“{}”", self.places.show(&said));
            rows.push(Row::body(Line::styled(DIM, said)).fit(Fit::Cut));
        }
        rows
    }

    fn tool(&mut self, call: &ToolCall) -> Node {
        let name = call.name.as_deref().unwrap_or("(unknown)");
        let before = call.before.as_ref().map(|chain| self.chain(chain));
        let ran = self.ran(call);
        let after = call.after.as_ref().map(|chain| self.chain(chain));
        Node {
            rows: vec![
                Row::default().label(Line::styled(BOLD, "tool ").plain(Printable::line(name))),
            ],
            children: before.into_iter().chain([ran]).chain(after).collect(),
        }
    }

    fn ran(&self, call: &ToolCall) -> Node {
        let mut rows = Vec::new();
        if let Some(given) = &call.arguments {
            rows.push(Row {
                label: Line::styled(BOLD, "run"),
                body: Line::new().plain(self.places.show(arguments(given))),
                fit: Fit::Cut,
                time: units::millis(call.elapsed_ms),
                ..Row::default()
            });
        }
        if let Some((content, is_error)) = &call.told {
            let content = content.lines().collect::<Vec<_>>().join(" ⏎ ");
            let content = self.places.show(&content);
            rows.push(match (call.ran, is_error) {
                // The reason why it did not run may take more than one line.
                (false, _) => labelled("not run", Line::styled(REFUSED, content)),
                (true, true) => Row::body(Line::styled(ERROR, content)).fit(Fit::Cut),
                (true, false) => Row::body(Line::styled(DIM, content)).fit(Fit::Cut),
            });
        }
        Node::leaf(rows)
    }
}

/// Returns rows for a run's host calls, if they are kept.
fn calls(run: &HookRun) -> Vec<Row> {
    let Some(reached) = run.reached.as_deref() else {
        return Vec::new();
    };
    let row = |event: &TraceEvent| Row {
        time: units::time(Duration::from_micros(event.micros)),
        fuel: event.fuel.map(units::short).unwrap_or_default(),
        ..indented(happened(&event.what)).fit(Fit::Cut)
    };
    let mut rows: Vec<Row> = events(&reached.calls).iter().map(row).collect();
    if reached.more_calls > 0 {
        let more = printable!("… and {} more calls", units::count(reached.more_calls));
        rows.push(indented(Line::styled(DIM, more)));
    }
    rows
}

/// Returns a row under a hook's name.
fn indented(body: Line) -> Row {
    Row::indented(WORDS, body)
}

fn labelled(label: &str, body: Line) -> Row {
    Row::body(body).label(Line::styled(BOLD, label))
}

fn answer(mark: Mark) -> Line {
    let word = text::pad(printable!("{} {} ", mark.sign, mark.word), WORDS);
    Line::styled(mark.style, word)
}

/// Returns one row for all runs that changed nothing.
fn folded(runs: &[&HookRun]) -> Option<Row> {
    let mark = mark(runs.first()?);
    let names: Vec<&str> = runs.iter().map(|run| run.hook.as_str()).collect();
    let time: Duration = runs.iter().map(|run| run.latency).sum();
    let fuel = runs
        .iter()
        .filter_map(|run| run.fuel)
        .reduce(|sum, fuel| sum + fuel);
    Some(Row {
        body: answer(mark).with(DIM, names.join(", ")),
        fit: Fit::Wrap(WORDS),
        time: match time {
            Duration::ZERO => Printable::default(),
            time => units::time(time),
        },
        fuel: fuel.map(units::short).unwrap_or_default(),
        ..Row::default()
    })
}

/// Describes the action after a failed call, and the hook that decided it.
pub fn retry(action: &RetryAction, by: Option<&str>) -> Printable {
    let what = match action {
        RetryAction::Retry { delay_ms } => printable!("call again after {} ms", delay_ms),
        RetryAction::SwitchProvider { provider, model } => {
            printable!("switch to {}/{}", provider, model)
        }
        RetryAction::GiveUp { reason } => printable!("give up: {}", reason),
    };
    match (by, action) {
        (Some(hook), _) => printable!("{}, decided by {}", what, hook),
        (None, RetryAction::GiveUp { .. }) => what,
        (None, _) => printable!("{}, by the agent's default rule", what),
    }
}
