//! The output of a session whose turns workers run.

use portcullis::verdict::HookRun;
use portcullis_agent::Suspension;
use portcullis_restate::Outcome;
use portcullis_store::FeedEvent;
use serde_json::Value;

use crate::activity::RunRecord;
use crate::run::Again;
use crate::run::agents::Agents;
use crate::run::args::Verbosity;
use crate::run::json::JsonLines;
use crate::run::protocol::FrontEvent;
use crate::run::streamed::Streamed;
use crate::run::suspended;
use crate::run::tool_lines::{self, Finished};
use crate::run::view::View as _;
use crate::terminal::format::{print_line, print_text, printable};
use crate::terminal::style::{ERROR, NOTE};
use crate::terminal::{Out, Printable, json};

/// Shows a session.
pub(super) struct Shown {
    json: bool,
    quiet: bool,
    again: Again,
    agents: Agents,
    streamed: Streamed,
    /// Whether a hook has stopped the turn.
    is_stopped: bool,
    /// Whether an event has reported the turn's failure.
    told_failure: bool,
}

impl Shown {
    pub(super) fn new(json: bool, verbosity: Verbosity, again: Again) -> Self {
        Self {
            json,
            quiet: verbosity == Verbosity::Quiet,
            again,
            agents: Agents::default(),
            streamed: Streamed::default(),
            is_stopped: false,
            told_failure: false,
        }
    }

    pub(super) fn turn_begins(&mut self) {
        self.agents.turn_ended();
        self.streamed = Streamed::default();
        (self.is_stopped, self.told_failure) = (false, false);
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
            print_line!(
                Out::stderr(),
                "{NOTE}note:{NOTE:#} another worker continues the turn"
            )?;
        }
        let session = word("session-id");
        let is_main = self.agents.is_main(session);
        match word("event") {
            "session-started" | "turn-started" | "turn-resumed" => self.agents.begin(session),
            "step-started" | "llm-call-started" if is_main => self.streamed.begin(),
            "text-delta" if is_main => {
                self.streamed.push(word("text"));
                let mut out = Out::stdout();
                print_text!(out, "{}", Printable::prose(word("text")))?;
                out.flush()?;
            }
            "llm-call-finished" | "llm-call-failed" => Out::end_line()?,
            "stopping" if is_main => self.is_stopped = true,
            "tool-started" if !self.quiet => {
                tool_lines::started(&self.agents, session, word("name"), word("arguments"))?;
            }
            "subagent-started" => {
                let (call_id, name) = (word("call-id"), word("agent"));
                if !self.quiet {
                    tool_lines::subagent_started(&self.agents, session, name)?;
                }
                self.agents.start(session, call_id, word("session"), name);
            }
            "tool-finished" => {
                let is = |key: &str| value.get(key).and_then(Value::as_bool) == Some(true);
                let call = Finished {
                    session,
                    call_id: word("call-id"),
                    name: word("name"),
                    ran: is("ran"),
                    is_error: is("is-error"),
                    content: word("content"),
                };
                tool_lines::finished(&self.agents, &call, self.quiet)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Shows the end of the turn. In JSON, an event has reported it, unless the turn was refused
    /// before it began.
    pub(super) fn turn_ended(&mut self, outcome: &Outcome) -> anyhow::Result<()> {
        Out::end_line()?;
        match outcome {
            Outcome::Failed { error, .. } if !self.json || !self.told_failure => {
                let error = printable!("{}", Printable::line(error));
                print_line!(Out::stderr(), "{ERROR}the turn failed:{ERROR:#} {}", error)?;
            }
            _ if self.json => {}
            Outcome::Done { text } => {
                if !self.streamed.has_shown(text, self.is_stopped) {
                    let text = text.strip_suffix('\n').unwrap_or(text);
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
        suspended::write_not_sent(text)?;
        Ok(())
    }

    /// Shows that an input line was refused. It changed nothing.
    pub(super) fn bad_request(&mut self, line: u64, why: &str) -> anyhow::Result<()> {
        if self.json {
            return JsonLines.bad_request(line, why);
        }
        print_line!(Out::stderr(), "{NOTE}{}{NOTE:#}", why)?;
        Ok(())
    }

    /// Writes this note.
    pub(super) fn note(&mut self, what: Option<&str>) -> anyhow::Result<()> {
        if let Some(what) = what {
            let what = Printable::line(what);
            print_line!(Out::stderr(), "{NOTE}note:{NOTE:#} {}", what)?;
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
