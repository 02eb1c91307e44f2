//! A session as a tree of rows.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use portcullis::hooks::Mode;
use portcullis::points::OutcomeKind;
use portcullis::verdict::Approval;
use portcullis_agent::{FieldChange, NotRun, RunState};
use portcullis_explain::{
    Chain, Explanation, Item, ModelCall, Run, Step, ToolCall, Totals, Turn, TurnEnd, TurnState,
};

use super::difference;
use crate::terminal::activity::{Detail, Mark, arguments, ended};
use crate::terminal::format::{print_line, printable};
use crate::terminal::line::Line;
use crate::terminal::style::{BOLD, DIM, ERROR, GOOD, NOTE, REFUSED};
use crate::terminal::tree::{self, Fit, Node, Row};
use crate::terminal::{Out, Printable, text, units, width};

/// The number of columns for the answer's word.
const WORDS: usize = 14;
/// The number of columns in a row for labels, times and fuel.
const BESIDE: usize = 39;

/// Prints a session. `is_latest` is whether no session was named, so that this is the latest one.
pub(super) fn print(explanation: &Explanation, detail: Detail, is_latest: bool) -> io::Result<()> {
    let mut out = Out::stdout();
    let view = View {
        detail,
        runs: explanation
            .runs()
            .map(|(_, run)| (run.id.as_str(), run.hook.as_str()))
            .collect(),
    };
    let latest = match is_latest {
        true => printable!(
            " {DIM}the latest; name another one, of those that `portcullis runs` lists{DIM:#}"
        ),
        false => Printable::default(),
    };
    print_line!(
        out,
        "{BOLD}session {}{BOLD:#}{}",
        Printable::line(&explanation.session),
        latest
    )?;
    for line in text::wrap(&totals(&explanation.totals), width()) {
        print_line!(out, "{DIM}{}{DIM:#}", line)?;
    }
    for turn in &explanation.turns {
        print_line!(out)?;
        view.turn(&mut out, turn)?;
    }
    Ok(())
}

fn totals(totals: &Totals) -> Printable {
    let counts = [
        (totals.turns, "turn"),
        (totals.model_calls, "model call"),
        (totals.tool_calls, "tool call"),
        (totals.runs, "hook run"),
        (totals.refusals, "refusal"),
        (totals.would_refuse, "refusal in audit mode"),
        (totals.changes, "change"),
        (totals.failures, "failure"),
    ];
    let counts = counts.into_iter().filter(|(n, _)| *n > 0);
    let counts = counts.map(|(n, what)| match what {
        "refusal in audit mode" => printable!("{} in audit mode", units::plural(n, "refusal")),
        what => units::plural(n, what),
    });
    Printable::join(counts.collect::<Vec<_>>(), ", ")
}

struct View<'a> {
    detail: Detail,
    /// The hook of each run.
    runs: HashMap<&'a str, &'a str>,
}

impl View<'_> {
    fn turn(&self, out: &mut Out, turn: &Turn) -> io::Result<()> {
        let title = match turn.number {
            0 => Line::styled(BOLD, "outside of turns"),
            number => Line::styled(BOLD, printable!("turn {}", number)),
        };
        tree::write_rule(out, &title, width())?;
        if let Some(input) = turn.input.as_deref().filter(|input| !input.is_empty()) {
            said(out, "user", input)?;
        }
        tree::write(out, &self.steps(&turn.steps), width())?;
        let Some(end) = &turn.end else {
            return Ok(());
        };
        if let Some(output) = end.output.as_deref().filter(|output| !output.is_empty()) {
            said(out, "agent", output)?;
        }
        self.end(out, end)
    }

    fn end(&self, out: &mut Out, end: &TurnEnd) -> io::Result<()> {
        let (style, word) = match end.state {
            TurnState::Ended if end.reason == "model" => return Ok(()),
            TurnState::Ended => (NOTE, "ended: "),
            TurnState::Failed => (REFUSED, "failed: "),
            TurnState::Cancelled => (NOTE, "cancelled: "),
            TurnState::Suspended if end.reason.starts_with("until ") => (NOTE, "suspended "),
            TurnState::Suspended => (NOTE, "suspended: "),
            TurnState::Interrupted => (REFUSED, "interrupted: "),
        };
        let cause = end.caused_by.as_deref();
        let cause = cause.filter(|run| !self.is_named(run, &end.reason));
        let why = printable!(
            "{}{}{}",
            word,
            Printable::line(&end.reason),
            self.because(cause)
        );
        for line in Line::styled(style, why).wrap(width() - 2, 2) {
            print_line!(out, "  {}", line)?;
        }
        Ok(())
    }

    /// Returns the hook of a run that caused something.
    fn because(&self, run: Option<&str>) -> Printable {
        match run.and_then(|run| self.runs.get(run)) {
            Some(hook) => printable!(" (because of {})", Printable::line(*hook)),
            None => Printable::default(),
        }
    }

    /// Returns whether a text names the run's hook.
    fn is_named(&self, run: &str, text: &str) -> bool {
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let mut words = text.split(|c: char| !is_of_name(c));
        let hook = self.runs.get(run);
        hook.is_some_and(|hook| words.any(|word| word == *hook))
    }

    fn steps(&self, steps: &[Step]) -> Vec<Node> {
        let mut nodes = Vec::new();
        for step in steps {
            let items: Vec<Node> = step.items.iter().map(|item| self.item(item)).collect();
            match step.number {
                0 => nodes.extend(items),
                number => nodes.push(Node {
                    rows: vec![
                        Row::default().label(Line::styled(BOLD, printable!("step {}", number))),
                    ],
                    children: items,
                }),
            }
        }
        nodes
    }

    fn item(&self, item: &Item) -> Node {
        match item {
            Item::Chain(chain) => self.chain(chain),
            Item::Model(call) => Node::leaf(self.model(call)),
            Item::Tool(call) => self.tool(call),
            Item::Note(note) => {
                let hook = note
                    .hook
                    .as_deref()
                    .map(|hook| printable!("{}: ", Printable::line(hook)));
                let said = printable!(
                    "{}{}",
                    hook.unwrap_or_default(),
                    Printable::line(&note.text)
                );
                Node::leaf(vec![
                    Row::body(Line::styled(NOTE, said)).label(Line::styled(BOLD, "then")),
                ])
            }
            _ => Node::default(),
        }
    }

    fn chain(&self, chain: &Chain) -> Node {
        let mut rows = Vec::new();
        let mut quiet: Vec<&Run> = Vec::new();
        for run in &chain.runs {
            if self.detail == Detail::Folded && run.is_quiet() && run.mode != Some(Mode::Audit) {
                quiet.push(run);
                continue;
            }
            rows.extend(folded(&std::mem::take(&mut quiet)));
            rows.extend(self.run(run));
        }
        rows.extend(folded(&quiet));
        if let Some(first) = rows.first_mut() {
            first.label = Line::styled(DIM, Printable::line(&chain.point));
        }
        Node::leaf(rows)
    }

    fn run(&self, run: &Run) -> Vec<Row> {
        let mut body = answer(mark(run)).with(BOLD, Printable::line(&run.hook));
        if let Some(code) = &run.code {
            body = body.plain(" ").with(REFUSED, Printable::line(code));
        }
        if run.contributed > 0 {
            let contributions = units::plural(run.contributed, "contribution");
            body = body.with(DIM, printable!(" · {}", contributions));
        }
        if run.mode == Some(Mode::Audit) {
            body = body.with(NOTE, " (audit)");
        }
        let mut rows = vec![Row {
            body,
            time: took(run),
            fuel: run.fuel.map(units::short).unwrap_or_default(),
            ..Row::default()
        }];
        let mut said = Vec::new();
        let mut say = |line: Line| said.push(indented(line));
        if let Some(message) = &run.message {
            say(Line::new().plain(Printable::line(message)));
        }
        if let Some(approval) = run.approval {
            let decision = match approval {
                Approval::Approved => Line::styled(GOOD, "approved"),
                Approval::Denied => Line::styled(REFUSED, "denied"),
                Approval::Unanswered => Line::styled(REFUSED, "nobody answered, so it was denied"),
                Approval::Changed => Line::styled(NOTE, "approved with a change"),
            };
            say(match &run.approval_replaces {
                Some(by) => decision.with(
                    DIM,
                    printable!(" · replaces the answer of {}", Printable::line(by)),
                ),
                None => decision,
            });
            match &run.approval_changes {
                Some(changes) => changed(changes).for_each(&mut say),
                None if approval == Approval::Changed => say(Line::styled(
                    DIM,
                    "the journal does not have what was changed",
                )),
                None => {}
            }
        }
        if run.failed() {
            say(match (run.state, run.fatal) {
                (RunState::Lost, _) => {
                    Line::styled(NOTE, "its process died: not known what followed")
                }
                (_, true) => Line::styled(REFUSED, "fails closed: refused"),
                (_, false) => Line::styled(GOOD, "fails open: continued without the hook"),
            });
        }
        if let Some(words) = &run.would_have {
            say(Line::styled(NOTE, printable!("enforced, {}", words)));
        } else if run.would_refuse() {
            say(Line::styled(NOTE, "enforced, it would have refused"));
        }
        if let Some(would) = run.would.as_ref() {
            if let Some(message) = &would.message {
                say(Line::new().plain(Printable::line(message)));
            }
            if !would.not_run.is_empty() {
                let hooks = Printable::line(would.not_run.join(", "));
                say(Line::styled(
                    DIM,
                    printable!("would not have run: {}", hooks),
                ));
            }
        }
        if run.stopped_by.is_some() {
            let why = match run.state {
                RunState::NotApplied => "its answer was not applied",
                _ => "it was not called",
            };
            say(Line::styled(
                DIM,
                printable!("{}{}", why, self.because(run.stopped_by.as_deref())),
            ));
        }
        changed(&run.changes).for_each(&mut say);
        if !run.added.is_empty() && run.mode == Some(Mode::Audit) {
            say(Line::styled(
                NOTE,
                "enforced, it would have contributed this",
            ));
        }
        changed(&run.added).for_each(&mut say);
        if run.changed && run.changes.is_empty() {
            say(Line::styled(
                DIM,
                "changed the value, which the journal did not keep",
            ));
        }
        if !run.used.is_empty() {
            say(Line::styled(
                DIM,
                printable!("used {}", Printable::line(run.used.join(", "))),
            ));
        }
        rows.extend(said);
        rows
    }

    fn model(&self, call: &ModelCall) -> Vec<Row> {
        let whom = Line::styled(
            BOLD,
            printable!(
                "{}/{}",
                Printable::line(&call.provider),
                Printable::line(&call.model)
            ),
        );
        let body = match (&call.error, &call.answered_by) {
            (Some(error), _) => whom.plain(" ").with(ERROR, Printable::line(error)),
            (None, Some(hook)) => whom.plain(printable!(
                " was not called: {} answered",
                Printable::line(hook)
            )),
            (None, None) => {
                let wants = match call.tool_calls {
                    0 => Printable::from(" answers"),
                    n => printable!(" wants {}", units::plural(n, "tool")),
                };
                let tokens = printable!(
                    " · {} + {} tokens",
                    units::count(call.input_tokens),
                    units::count(call.output_tokens)
                );
                whom.plain(wants).with(DIM, tokens)
            }
        };
        vec![Row {
            label: Line::styled(BOLD, "model"),
            body,
            time: millis(call.took_us),
            ..Row::default()
        }]
    }

    fn tool(&self, call: &ToolCall) -> Node {
        let name = call.name.as_deref().unwrap_or("(unknown)");
        let (before, after): (Vec<_>, Vec<_>) = call
            .chains
            .iter()
            .partition(|chain| chain.point.starts_with("pre-"));
        let below = call.subagent.as_deref();
        let below = below.into_iter().flat_map(|below| {
            let view = View {
                detail: self.detail,
                runs: below
                    .runs()
                    .map(|(_, run)| (run.id.as_str(), run.hook.as_str()))
                    .collect(),
            };
            below
                .turns
                .iter()
                .flat_map(|turn| view.steps(&turn.steps))
                .collect::<Vec<_>>()
        });
        let children = before.into_iter().map(|chain| self.chain(chain));
        let children = children.chain([Node::leaf(self.ran(call))]).chain(below);
        Node {
            rows: vec![
                Row::default().label(Line::styled(BOLD, "tool ").plain(Printable::line(name))),
            ],
            children: children
                .chain(after.into_iter().map(|chain| self.chain(chain)))
                .collect(),
        }
    }

    fn ran(&self, call: &ToolCall) -> Vec<Row> {
        if let Some(waits) = call.waits_for {
            let waits = Row::body(Line::styled(NOTE, waits.words()));
            return vec![waits.label(Line::styled(BOLD, "not run yet"))];
        }
        if let Some(why) = call.why_unknown() {
            let why = Row::body(Line::styled(NOTE, why));
            return vec![why.label(Line::styled(BOLD, "not known"))];
        }
        let (label, style) = match (call.ran, call.is_error) {
            (false, _) => ("not run", REFUSED),
            (true, true) => ("run", ERROR),
            (true, false) => ("run", DIM),
        };
        let given = call
            .arguments
            .as_deref()
            .map(|json| Printable::line(arguments(json)));
        let cause = call.caused_by.as_deref();
        let why = match (cause.and_then(|run| self.runs.get(run)), call.not_run) {
            (Some(hook), _) => printable!("because of {}", Printable::line(*hook)),
            (None, Some(why)) => Printable::from(why.words()),
            (None, None) => Printable::default(),
        };
        let first = match (call.ran, given) {
            (false, _) => Line::styled(REFUSED, why),
            (true, Some(given)) => Line::new().plain(given),
            (true, None) => Line::new(),
        };
        let mut rows = vec![Row {
            label: Line::styled(BOLD, label),
            body: first,
            fit: Fit::Cut,
            time: match call.ran {
                true => millis(call.took_us),
                false => Printable::default(),
            },
            ..Row::default()
        }];
        if call.withheld_by.is_some() {
            let by = self.because(call.withheld_by.as_deref());
            rows.push(Row::body(Line::styled(
                REFUSED,
                printable!("the result was withheld{}", by),
            )));
        }
        if let Some(result) = &call.result {
            // The result of a call that did not run says why.
            let fit = match call.ran || call.not_run == Some(NotRun::HookAnswered) {
                true => Fit::Cut,
                false => Fit::Wrap(0),
            };
            rows.push(Row::body(Line::styled(style, Printable::line(result))).fit(fit));
        }
        rows
    }
}

fn said(out: &mut Out, who: &str, words: &str) -> io::Result<()> {
    let said = Line::styled(BOLD, text::pad(Printable::line(who), 8)).plain(Printable::line(words));
    for line in said.wrap(width() - 2, 8) {
        print_line!(out, "  {}", line)?;
    }
    Ok(())
}

/// Returns a line for each changed field, with its old and its new value.
fn changed(changes: &[FieldChange]) -> impl Iterator<Item = Line> {
    let columns = width().saturating_sub(BESIDE + WORDS);
    changes.iter().flat_map(move |change| {
        let path = Line::styled(DIM, Printable::line(change.name()));
        std::iter::once(path).chain(difference::rows(change, columns))
    })
}

fn mark(run: &Run) -> Mark {
    let outcome = run.outcome.as_deref();
    let outcome = OutcomeKind::ALL
        .into_iter()
        .find(|kind| Some(kind.name()) == outcome);
    ended(run.state, outcome)
}

fn took(run: &Run) -> Printable {
    match run.state {
        RunState::Skipped => Printable::default(),
        _ => run.took_us.map(micros).unwrap_or_default(),
    }
}

fn micros(us: u64) -> Printable {
    units::time(Duration::from_micros(us))
}

/// Returns a time that the journal has in milliseconds.
fn millis(us: u64) -> Printable {
    units::millis(us / 1_000)
}

/// Returns a row under a hook's name.
fn indented(body: Line) -> Row {
    Row::indented(WORDS, body)
}

fn answer(mark: Mark) -> Line {
    let word = text::pad(printable!("{} {} ", mark.sign, mark.word), WORDS);
    Line::styled(mark.style, word)
}

/// Returns one row for all runs that only continued.
fn folded(runs: &[&Run]) -> Option<Row> {
    let first = runs.first()?;
    let names: Vec<&str> = runs.iter().map(|run| run.hook.as_str()).collect();
    let fuel: u64 = runs.iter().filter_map(|run| run.fuel).sum();
    Some(Row {
        body: answer(mark(first)).with(DIM, Printable::line(names.join(", "))),
        fit: Fit::Wrap(WORDS),
        time: micros(runs.iter().filter_map(|run| run.took_us).sum()),
        fuel: units::short(fuel),
        ..Row::default()
    })
}
