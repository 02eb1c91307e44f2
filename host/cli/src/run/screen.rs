//! A session for people: the main agent's texts on the standard output, everything else on the standard
//! error.

use std::io;
use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis::hooks::Mode;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis_agent::{
    AgentEvent, ApprovalRequest, Emitted, RetryAction, Suspension, TurnEnd, TurnError, TurnOrigin,
    is_guard,
};

use super::Again;
use super::agents::Agents;
use super::args::Verbosity;
use super::armed::Armed;
use super::reload;
use super::streamed::Streamed;
use super::suspended;
use super::tool_lines::{self, Finished};
use super::view::{View, text_of, write_continuing};
use crate::activity::{Detail, Places, Tally, TurnLog, nodes};
use crate::approval::Recorded;
use crate::terminal::format::{print_line, print_text, printable};
use crate::terminal::progress::Waiting;
use crate::terminal::style::{DIM, ERROR, NOTE, REFUSED, paint};
use crate::terminal::{Out, Printable};
use crate::terminal::{text, tree, units, width};

/// Shows a session to people.
pub struct Screen {
    verbosity: Verbosity,
    approver: Recorded,
    again: Again,
    log: TurnLog,
    waiting: Option<Waiting>,
    agents: Agents,
    streamed: Streamed,
}

impl Screen {
    /// Creates an empty screen.
    pub fn new(verbosity: Verbosity, approver: Recorded, again: Again) -> Self {
        Self {
            verbosity,
            approver,
            again,
            log: TurnLog::default(),
            waiting: None,
            agents: Agents::default(),
            streamed: Streamed::default(),
        }
    }

    /// Shows a piece of the main agent's text as it arrives.
    fn stream(&mut self, piece: &str) -> io::Result<()> {
        self.waiting = None;
        self.streamed.push(piece);
        let mut out = Out::stdout();
        print_text!(out, "{}", Printable::prose(piece))?;
        out.flush()
    }

    fn failed_hook(&mut self, run: &HookRun) -> io::Result<()> {
        let RunStatus::Failed {
            cause,
            message,
            fatal,
        } = &run.status
        else {
            return Ok(());
        };
        let then = match fatal {
            true => "it fails closed: refused",
            false => "it fails open: this continued without it",
        };
        print_line!(
            Out::stderr(),
            "{ERROR}! hook {} failed at {}{ERROR:#} ({}): {}; {}",
            run.hook,
            run.point,
            cause,
            unended(message),
            then
        )
    }

    /// Writes the refusal that a hook in audit mode would have given, with the reason.
    fn would_refuse(&mut self, run: &HookRun) -> io::Result<()> {
        let RunStatus::Completed {
            rejection: Some(rejection),
            ..
        } = &run.status
        else {
            return Ok(());
        };
        if run.mode != Mode::Audit || self.verbosity == Verbosity::Quiet {
            return Ok(());
        }
        print_line!(
            Out::stderr(),
            "{NOTE}! hook {} would refuse at {}{NOTE:#} ({}): {}; it is in audit mode: this continued",
            run.hook,
            run.point,
            Printable::line(&rejection.code),
            unended(&rejection.reason)
        )
    }

    /// Writes the hooks' activity in the turn.
    fn activity(&mut self) -> io::Result<()> {
        let mut log = std::mem::take(&mut self.log);
        log.asked = self.approver.take().into();
        let mut err = Out::stderr();
        match self.verbosity {
            Verbosity::Quiet => Ok(()),
            Verbosity::Trace => tree::write(
                &mut err,
                &nodes(&log, Detail::Each, &Places::default()),
                width(),
            ),
            Verbosity::Briefly => {
                let mut tally = Tally::default();
                tally.add(&log);
                let loud: Vec<Printable> = log
                    .runs()
                    .filter(|run| !crate::activity::is_quiet(run) && !is_guard(&run.hook))
                    .map(done)
                    .collect();
                let loud = match loud.as_slice() {
                    [] if tally.runs == 0 => return Ok(()),
                    [] => Printable::default(),
                    loud => printable!(": {}", Printable::join(loud, ", ")),
                };
                print_line!(
                    err,
                    "{DIM}  {} in {}{}{DIM:#}",
                    units::plural(tally.runs, "hook run"),
                    units::time(tally.time),
                    loud
                )
            }
        }
    }
}

impl View for Screen {
    fn opening(&mut self, armed: &Armed) -> anyhow::Result<()> {
        let mut err = Out::stderr();
        if self.verbosity != Verbosity::Quiet {
            if !armed.armed.is_empty() {
                let what = printable!("{} armed", units::plural(armed.armed.len(), "hook"));
                list(&mut err, &what, &armed.armed)?;
            }
            list(
                &mut err,
                &units::plural(armed.tools.len(), "tool"),
                &armed.tools,
            )?;
        }
        // Guards that do not run are reported with `--quiet` too.
        if armed.armed.is_empty() && armed.canary.is_empty() {
            let why = match armed.no_hooks {
                true => " (--no-hooks, or `hooks.enabled = false`)",
                false => "",
            };
            print_line!(err, "{NOTE}no hook is armed{}{NOTE:#}", why)?;
        }
        for (what, hooks) in [
            ("in a share of sessions", &armed.canary),
            ("audit only", &armed.audit_only),
            ("disabled", &armed.off),
            ("scripts, outside the sandbox", &armed.outside),
        ] {
            if !hooks.is_empty() {
                print_line!(
                    err,
                    "{NOTE}{}: {}{NOTE:#}",
                    what,
                    Printable::whole(hooks.join(", "))
                )?;
            }
        }
        if self.verbosity != Verbosity::Quiet {
            for note in armed.capped.iter().chain(&armed.exfiltration_risk) {
                print_line!(err, "{NOTE}note:{NOTE:#} {}", note)?;
            }
        }
        for unpinned in &armed.unpinned {
            print_line!(err, "{NOTE}not as pinned:{NOTE:#} {}", unpinned)?;
        }
        for broken in &armed.broken {
            print_line!(err, "{ERROR}not running:{ERROR:#} {}", broken)?;
        }
        Ok(())
    }

    fn continuing(&mut self, session: &str) -> anyhow::Result<()> {
        if self.verbosity != Verbosity::Quiet {
            write_continuing(session)?;
        }
        Ok(())
    }

    fn event(&mut self, emitted: &Arc<Emitted>) -> anyhow::Result<()> {
        self.log.take(emitted);
        let session = &*emitted.session_id;
        let is_main = self.agents.is_main(session);
        match &emitted.event {
            AgentEvent::StepStarted if is_main => self.streamed.begin(),
            AgentEvent::LlmCallStarted {
                provider, model, ..
            } => {
                if is_main {
                    self.streamed.begin();
                }
                self.waiting = Some(Waiting::drawn(printable!("{}/{}", provider, model)));
            }
            // The text of a sub-agent is its output, which its caller gets.
            AgentEvent::TextDelta { text } if is_main => self.stream(text)?,
            AgentEvent::Steered { text, .. } => {
                self.waiting = None;
                print_line!(Out::stderr(), "{DIM}  ↳ taken: {}{DIM:#}", text)?;
            }
            AgentEvent::SessionStarted { .. } | AgentEvent::TurnStarted => {
                self.agents.begin(session);
            }
            AgentEvent::TurnResumed { .. } => {
                self.agents.begin(session);
                self.waiting = None;
            }
            AgentEvent::HooksDiffer {
                added,
                changed,
                removed,
            } => {
                let sorts = [("new", added), ("changed", changed), ("removed", removed)];
                let sorts = sorts.into_iter().filter(|(_, ids)| !ids.is_empty());
                let sorts = sorts.map(|(sort, ids)| format!("{sort}: {}", ids.join(", ")));
                print_line!(
                    Out::stderr(),
                    "{NOTE}note:{NOTE:#} the turn began with other hooks ({})",
                    Printable::line(sorts.collect::<Vec<_>>().join("; "))
                )?;
            }
            AgentEvent::LlmCallFinished { .. } => {
                self.waiting = None;
                Out::end_line()?;
            }
            AgentEvent::LlmCallFailed { error, .. } => {
                self.waiting = None;
                Out::end_line()?;
                if self.verbosity == Verbosity::Briefly {
                    print_line!(Out::stderr(), "{DIM}  ! {}{DIM:#}", error)?;
                }
            }
            // Giving up is reported when the turn ends.
            AgentEvent::Retry {
                action: RetryAction::GiveUp { .. },
                ..
            } => {}
            AgentEvent::Retry { action, by } if self.verbosity == Verbosity::Briefly => {
                let what = crate::activity::retry(action, by.as_deref());
                print_line!(Out::stderr(), "{DIM}  ↻ {}{DIM:#}", what)?;
            }
            AgentEvent::ToolStarted {
                name, arguments, ..
            } if self.verbosity == Verbosity::Briefly => {
                tool_lines::started(&self.agents, session, name, arguments)?;
            }
            AgentEvent::SubagentStarted {
                call_id,
                agent,
                session: child,
            } => {
                if self.verbosity == Verbosity::Briefly {
                    tool_lines::subagent_started(&self.agents, session, agent)?;
                }
                self.agents.start(session, call_id, child, agent);
            }
            // A trace has both lines of a call, in its tree.
            AgentEvent::ToolFinished {
                call_id,
                name,
                is_error,
                ran,
                content,
                ..
            } if self.verbosity != Verbosity::Trace => {
                let call = Finished {
                    session,
                    call_id,
                    name,
                    ran: *ran,
                    is_error: *is_error,
                    content,
                };
                tool_lines::finished(&self.agents, &call, self.verbosity == Verbosity::Quiet)?;
            }
            AgentEvent::HooksReloaded { changes, settings } => {
                self.waiting = None;
                if self.verbosity != Verbosity::Quiet {
                    reload::changed(&mut Out::stderr(), changes, *settings)?;
                }
                reload::disarmed(&mut Out::stderr(), changes)?;
            }
            AgentEvent::HooksNotReloaded { all, kept, errors } => {
                self.waiting = None;
                reload::refused(&mut Out::stderr(), *all, kept, errors)?;
            }
            AgentEvent::AlertChanged {
                firing, message, ..
            } => {
                self.waiting = None;
                let message = Printable::line(message);
                match firing {
                    true => print_line!(Out::stderr(), "{ERROR}! alert:{ERROR:#} {}", message)?,
                    false => print_line!(Out::stderr(), "{NOTE}resolved:{NOTE:#} {}", message)?,
                }
            }
            AgentEvent::HookRun { run } => {
                self.waiting = None;
                self.failed_hook(run)?;
                self.would_refuse(run)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn asking(&mut self, _: &str, _: &ApprovalRequest) -> anyhow::Result<()> {
        // The person at the terminal is asked, or nobody.
        self.waiting = None;
        Ok(())
    }

    fn steering_queued(&mut self, text: &str) -> anyhow::Result<()> {
        self.waiting = None;
        print_line!(Out::stderr(), "{DIM}  … for this turn: {}{DIM:#}", text)?;
        Ok(())
    }

    fn finishing(&mut self, said: &[ContentPart]) -> anyhow::Result<()> {
        print_line!(
            Out::stderr(),
            "{NOTE}finishing the turn that was interrupted:{NOTE:#} {}",
            &text_of(said)
        )?;
        Ok(())
    }

    fn steering_left(&mut self, texts: &[String]) -> anyhow::Result<()> {
        for text in texts {
            print_line!(
                Out::stderr(),
                "{NOTE}left over for the next turn:{NOTE:#} {}",
                text
            )?;
        }
        Ok(())
    }

    fn waiting(&mut self, suspension: &Suspension) -> anyhow::Result<()> {
        self.waiting = Some(Waiting::new(printable!(
            "waiting for the answers to {}",
            suspension.checkpoint
        )));
        Ok(())
    }

    fn not_waiting(&mut self, why: &str) -> anyhow::Result<()> {
        self.waiting = None;
        print_line!(
            Out::stderr(),
            "{NOTE}the turn is not continued here:{NOTE:#} {}",
            why
        )?;
        Ok(())
    }

    fn not_sent(&mut self, text: &str) -> anyhow::Result<()> {
        suspended::write_not_sent(text)?;
        Ok(())
    }

    fn bad_request(&mut self, _: u64, why: &str) -> anyhow::Result<()> {
        print_line!(Out::stderr(), "{NOTE}{}{NOTE:#}", why)?;
        Ok(())
    }

    fn told(&mut self, text: &Printable) -> anyhow::Result<()> {
        self.waiting = None;
        print_line!(Out::stderr(), "{}", text)?;
        Ok(())
    }

    fn turn_ended(&mut self, ended: &Result<TurnEnd, TurnError>) -> anyhow::Result<()> {
        self.waiting = None;
        if !matches!(ended, Ok(TurnEnd::Suspended(_))) {
            self.agents.turn_ended();
        }
        let streamed = std::mem::take(&mut self.streamed);
        Out::end_line()?;
        match ended {
            Ok(TurnEnd::Done(report)) => {
                let stopped = matches!(report.origin, TurnOrigin::Stopped { .. });
                let text = report.text();
                if !streamed.has_shown(&text, stopped) {
                    let text = text.strip_suffix('\n').unwrap_or(&text);
                    print_line!(Out::stdout(), "{}", Printable::prose(text))?;
                }
                if let TurnOrigin::Stopped { by, message, .. } = &report.origin {
                    print_line!(
                        Out::stderr(),
                        "{} {} ({})",
                        paint(REFUSED, "■ the turn was stopped:"),
                        message,
                        by
                    )?;
                }
            }
            Ok(TurnEnd::Suspended(suspension)) => suspended::write(suspension, &self.again)?,
            Err(error) => {
                print_line!(
                    Out::stderr(),
                    "{} {}",
                    paint(REFUSED, "✗ the turn failed:"),
                    error
                )?;
            }
        }
        self.activity()?;
        Ok(())
    }
}

/// Returns a hook's outcome in a word, and whether it took effect.
fn done(run: &HookRun) -> Printable {
    let word = crate::activity::word(run);
    match run.mode {
        Mode::Audit => printable!("{} {} (audit)", run.hook, word),
        Mode::Enforce => printable!("{} {}", run.hook, word),
    }
}

/// Returns a text on one line without a period at its end, for use before a semicolon.
fn unended(text: &str) -> Printable {
    Printable::line(text.trim_end_matches('.'))
}

fn list(out: &mut Out, what: &Printable, names: &[String]) -> io::Result<()> {
    let line = match names {
        [] => what.clone(),
        names => printable!("{}: {}", what, Printable::whole(names.join(", "))),
    };
    text::wrap(&line, width())
        .iter()
        .try_for_each(|line| print_line!(out, "{DIM}{}{DIM:#}", line))
}
