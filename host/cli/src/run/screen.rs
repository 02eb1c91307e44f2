//! A session for people: the agent's answers on the standard output, everything else on the standard
//! error.

use std::io;
use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis::hooks::Mode;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis_agent::{
    AgentEvent, ApprovalRequest, Emitted, RetryAction, Suspension, TurnEnd, TurnError, TurnOrigin,
};

use super::Again;
use super::args::Verbosity;
use super::armed::Armed;
use super::reload;
use super::suspended;
use super::view::{View, text_of};
use crate::activity::{Detail, Places, Tally, TurnLog, nodes};
use crate::approval::Recorded;
use crate::terminal::format::{print_line, print_text, printable};
use crate::terminal::progress::Waiting;
use crate::terminal::style::{DIM, ERROR, NOTE, REFUSED, paint};
use crate::terminal::{Out, Printable};
use crate::terminal::{text, tree, units, width};

/// The most columns of a tool's arguments or of its result.
const QUOTED: usize = 90;

/// Shows a session to people.
pub struct Screen {
    verbosity: Verbosity,
    approver: Recorded,
    again: Again,
    log: TurnLog,
    waiting: Option<Waiting>,
    /// Whether a line of text that is shown as it arrives has not ended.
    streamed: bool,
    /// Whether text of the step was shown as it arrived.
    step_shown: bool,
    /// Whether text of the turn was shown as it arrived.
    shown: bool,
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
            streamed: false,
            step_shown: false,
            shown: false,
        }
    }

    /// Shows a piece of text as it arrives.
    fn stream(&mut self, piece: &str) -> io::Result<()> {
        self.waiting = None;
        self.streamed = true;
        self.step_shown = true;
        self.shown = true;
        let mut out = Out::stdout();
        print_text!(out, "{}", Printable::prose(piece))?;
        out.flush()
    }

    /// Ends a line of text that arrived in pieces.
    fn end_line(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.streamed) {
            true => print_line!(Out::stdout()),
            false => Ok(()),
        }
    }

    /// Ends the current line and the spinner, before other lines.
    fn pause(&mut self) -> io::Result<()> {
        self.waiting = None;
        self.end_line()
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
        self.end_line()?;
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
        self.end_line()?;
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
                    .filter(|run| !crate::activity::is_quiet(run))
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

    fn event(&mut self, emitted: &Arc<Emitted>) -> anyhow::Result<()> {
        self.log.take(emitted);
        match &emitted.event {
            AgentEvent::StepStarted => self.step_shown = false,
            AgentEvent::LlmCallStarted {
                provider, model, ..
            } => self.waiting = Some(Waiting::drawn(printable!("{}/{}", provider, model))),
            AgentEvent::TextDelta { text } => self.stream(text)?,
            AgentEvent::Steered { text, .. } => {
                self.pause()?;
                print_line!(Out::stderr(), "{DIM}  ↳ taken: {}{DIM:#}", text)?;
            }
            AgentEvent::TurnResumed { .. } => self.waiting = None,
            AgentEvent::HooksDiffer {
                added,
                changed,
                removed,
            } => {
                self.end_line()?;
                let sorts = [("new", added), ("changed", changed), ("removed", removed)];
                let sorts = sorts.into_iter().filter(|(_, ids)| !ids.is_empty());
                let sorts = sorts.map(|(sort, ids)| format!("{sort}: {}", ids.join(", ")));
                print_line!(
                    Out::stderr(),
                    "{NOTE}note:{NOTE:#} the turn began with other hooks ({})",
                    Printable::line(sorts.collect::<Vec<_>>().join("; "))
                )?;
            }
            AgentEvent::LlmCallFinished { .. } => self.waiting = None,
            AgentEvent::LlmCallFailed { error, .. } => {
                self.waiting = None;
                self.end_line()?;
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
            } => {
                self.end_line()?;
                if self.verbosity == Verbosity::Briefly {
                    let arguments = crate::activity::arguments(arguments);
                    let arguments = text::cut(&Printable::line(&arguments), QUOTED);
                    print_line!(Out::stderr(), "{DIM}  → {} {}{DIM:#}", name, arguments)?;
                }
            }
            AgentEvent::ToolFinished {
                name,
                ran: false,
                content,
                ..
            } => {
                self.end_line()?;
                // A trace has both lines of a call, in its tree.
                if self.verbosity != Verbosity::Trace {
                    let content = Printable::line(content);
                    print_line!(
                        Out::stderr(),
                        "{REFUSED}  ✗ {}{REFUSED:#} {DIM}{}{DIM:#}",
                        name,
                        content
                    )?;
                }
            }
            AgentEvent::HooksReloaded { changes, settings } => {
                self.pause()?;
                if self.verbosity != Verbosity::Quiet {
                    reload::changed(&mut Out::stderr(), changes, *settings)?;
                }
                reload::disarmed(&mut Out::stderr(), changes)?;
            }
            AgentEvent::HooksNotReloaded { all, kept, errors } => {
                self.pause()?;
                reload::refused(&mut Out::stderr(), *all, kept, errors)?;
            }
            AgentEvent::AlertChanged {
                firing, message, ..
            } => {
                self.pause()?;
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
        Ok(self.pause()?)
    }

    fn steering_queued(&mut self, text: &str) -> anyhow::Result<()> {
        self.pause()?;
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
        self.pause()?;
        print_line!(Out::stderr(), "{}", text)?;
        Ok(())
    }

    fn turn_ended(&mut self, ended: &Result<TurnEnd, TurnError>) -> anyhow::Result<()> {
        self.waiting = None;
        let step_shown = std::mem::take(&mut self.step_shown);
        let shown = std::mem::take(&mut self.shown);
        self.end_line()?;
        match ended {
            Ok(TurnEnd::Done(report)) => {
                let stopped = matches!(report.origin, TurnOrigin::Stopped { .. });
                // The last text of a turn that was stopped may have been shown already.
                if !(step_shown || stopped && shown) {
                    print_line!(Out::stdout(), "{}", Printable::prose(report.text()))?;
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
