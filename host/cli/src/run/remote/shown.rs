//! The output of a session whose turns workers run.

use portcullis::verdict::HookRun;
use portcullis_agent::Suspension;
use portcullis_restate::Outcome;
use portcullis_store::FeedEvent;
use serde_json::Value;

use crate::activity::RunRecord;
use crate::run::Again;
use crate::run::args::Verbosity;
use crate::run::json::JsonLines;
use crate::run::protocol::FrontEvent;
use crate::run::suspended;
use crate::run::view::View as _;
use crate::terminal::format::{print_line, print_text, printable};
use crate::terminal::style::{DIM, ERROR, NOTE};
use crate::terminal::{Out, Printable, json, text};

/// The most columns of a tool's arguments.
const QUOTED: usize = 90;

/// Shows a session.
pub(super) struct Shown {
    json: bool,
    quiet: bool,
    again: Again,
    /// Whether text of the turn was shown as it arrived.
    text: bool,
    /// Whether a line of text has not ended.
    within_line: bool,
    /// Whether an event has reported the turn's failure.
    told_failure: bool,
}

impl Shown {
    pub(super) fn new(json: bool, verbosity: Verbosity, again: Again) -> Self {
        Self {
            json,
            quiet: verbosity == Verbosity::Quiet,
            again,
            text: false,
            within_line: false,
            told_failure: false,
        }
    }

    pub(super) fn turn_begins(&mut self) {
        (self.text, self.within_line, self.told_failure) = (false, false, false);
    }

    /// Shows an event. `continues` is whether another worker ran the turn before.
    pub(super) fn event(
        &mut self,
        value: Value,
        continues: bool,
        event: &FeedEvent,
    ) -> anyhow::Result<()> {
        let word = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        self.told_failure |= word("event") == "turn-failed";
        if self.json {
            return json::line(&numbered(value, event)?);
        }
        if continues {
            self.end_line()?;
            print_line!(
                Out::stderr(),
                "{NOTE}note:{NOTE:#} another worker continues the turn"
            )?;
        }
        match word("event") {
            "text-delta" => {
                (self.text, self.within_line) = (true, true);
                let mut out = Out::stdout();
                print_text!(out, "{}", Printable::prose(word("text")))?;
                out.flush()?;
            }
            "tool-started" if !self.quiet => {
                self.end_line()?;
                let arguments = text::cut(&Printable::line(word("arguments")), QUOTED);
                let name = Printable::line(word("name"));
                print_line!(Out::stderr(), "{DIM}  → {} {}{DIM:#}", name, arguments)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Shows the end of the turn. In JSON, an event has reported it, unless the turn was refused
    /// before it began.
    pub(super) fn turn_ended(&mut self, outcome: &Outcome) -> anyhow::Result<()> {
        self.end_line()?;
        match outcome {
            Outcome::Failed { error, .. } if !self.json || !self.told_failure => {
                let error = printable!("{}", Printable::line(error));
                print_line!(Out::stderr(), "{ERROR}the turn failed:{ERROR:#} {}", error)?;
            }
            _ if self.json => {}
            Outcome::Done { text } => {
                if !self.text && !text.is_empty() {
                    print_line!(Out::stdout(), "{}", Printable::prose(text))?;
                }
            }
            Outcome::Suspended {
                checkpoint,
                reason,
                pending,
                until_ms,
            } => {
                let suspension = Suspension {
                    checkpoint: checkpoint.clone(),
                    reason: *reason,
                    pending: pending.clone(),
                    until_ms: *until_ms,
                };
                suspended::write(&suspension, &self.again)?;
            }
            Outcome::Failed { .. } => {}
        }
        Ok(())
    }

    /// Shows that the suspended turn is continued here once the answers are given.
    pub(super) fn waiting(&mut self, suspension: &Suspension) -> anyhow::Result<()> {
        if self.json {
            return JsonLines.waiting(suspension);
        }
        print_line!(
            Out::stderr(),
            "{NOTE}waiting for the answers to {}{NOTE:#}",
            &suspension.checkpoint
        )?;
        Ok(())
    }

    /// Shows why the suspended turn is not continued here.
    pub(super) fn not_waiting(&mut self, why: &str) -> anyhow::Result<()> {
        if self.json {
            return JsonLines.not_waiting(why);
        }
        print_line!(
            Out::stderr(),
            "{NOTE}the turn is not continued here:{NOTE:#} {}",
            why
        )?;
        Ok(())
    }

    /// Shows that a user's message was not sent, because the turn before it waits.
    pub(super) fn not_sent(&mut self, text: &str) -> anyhow::Result<()> {
        if self.json {
            return JsonLines.not_sent(text);
        }
        self.end_line()?;
        suspended::write_not_sent(text)?;
        Ok(())
    }

    /// Shows that an input line was refused. It changed nothing.
    pub(super) fn bad_request(&mut self, line: u64, why: &str) -> anyhow::Result<()> {
        if self.json {
            return JsonLines.bad_request(line, why);
        }
        self.end_line()?;
        print_line!(Out::stderr(), "{NOTE}{}{NOTE:#}", why)?;
        Ok(())
    }

    /// Ends the line of text, and writes this note.
    pub(super) fn note(&mut self, what: Option<&str>) -> anyhow::Result<()> {
        self.end_line()?;
        if let Some(what) = what {
            let what = Printable::line(what);
            print_line!(Out::stderr(), "{NOTE}note:{NOTE:#} {}", what)?;
        }
        Ok(())
    }

    fn end_line(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.within_line) {
            print_line!(Out::stdout())?;
        }
        Ok(())
    }
}

/// Returns an event as a local session writes it, with its attempt and its number.
fn numbered(mut value: Value, event: &FeedEvent) -> anyhow::Result<Value> {
    if value.get("event").and_then(Value::as_str) == Some("hook-run")
        && let Some(run) = value.get_mut("run").map(Value::take)
    {
        let run: HookRun = serde_json::from_value(run)?;
        let session_id = value.get("session-id").and_then(Value::as_str);
        let session_id = session_id.unwrap_or_default();
        value = serde_json::to_value(FrontEvent::HookRun {
            session_id,
            at_ms: value
                .get("at-ms")
                .and_then(Value::as_u64)
                .unwrap_or_default(),
            replayed: value.get("replayed").and_then(Value::as_bool) == Some(true),
            run: &RunRecord::new(session_id, &run),
        })?;
    }
    if let Some(object) = value.as_object_mut() {
        object.insert("attempt".into(), event.attempt.into());
        object.insert("number".into(), event.number.into());
    }
    Ok(value)
}
