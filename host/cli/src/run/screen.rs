//! A session for people: the agent's answers on the standard output, everything else on the standard
//! error.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;

use portcullis::{HookRun, RunStatus};
use portcullis_agent::{AgentEvent, Emitted, RetryAction, TurnEnd, TurnError, TurnOrigin};

use super::args::Verbosity;
use super::armed::Armed;
use super::reload;
use super::view::View;
use crate::activity::{Detail, Places, Tally, TurnLog, nodes};
use crate::approval::Recorded;
use crate::terminal::progress::Waiting;
use crate::terminal::style::{BOLD, DIM, ERROR, NOTE, REFUSED, paint};
use crate::terminal::{text, tree, units, width};

/// The most columns of a tool's arguments or of its result.
const QUOTED: usize = 90;

/// Shows a session to people.
pub struct Screen {
    verbosity: Verbosity,
    approver: Recorded,
    log: TurnLog,
    waiting: Option<Waiting>,
    /// Whether part of the step's text was shown.
    streamed: bool,
    /// Whether text of the turn was shown as it arrived.
    shown: bool,
}

impl Screen {
    /// An empty screen.
    pub fn new(verbosity: Verbosity, approver: Recorded) -> Self {
        Self {
            verbosity,
            approver,
            log: TurnLog::default(),
            waiting: None,
            streamed: false,
            shown: false,
        }
    }

    /// Shows a piece of text as it arrives.
    fn stream(&mut self, piece: &str) -> io::Result<()> {
        self.waiting = None;
        self.streamed = true;
        self.shown = true;
        let mut out = anstream::stdout().lock();
        write!(out, "{}", harmless(piece))?;
        out.flush()
    }

    /// Ends a line of text that came in pieces.
    fn end_line(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.streamed) {
            true => writeln!(anstream::stdout().lock()),
            false => Ok(()),
        }
    }

    /// Ends the current line and the spinner, before other lines.
    fn pause(&mut self) -> io::Result<()> {
        self.waiting = None;
        self.end_line()
    }

    fn failed_hook(&self, run: &HookRun) -> io::Result<()> {
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
        writeln!(
            anstream::stderr().lock(),
            "{ERROR}! hook {} failed at {}{ERROR:#} ({cause}): {}; {then}",
            run.hook,
            run.point,
            portcullis::sanitize_for_terminal(message)
        )
    }

    /// What the hooks did in the turn.
    fn activity(&mut self) -> io::Result<()> {
        let mut log = std::mem::take(&mut self.log);
        log.asked = self.approver.take().into();
        let mut err = anstream::stderr().lock();
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
                if tally.runs == 0 {
                    return Ok(());
                }
                let loud: Vec<String> = log
                    .runs()
                    .filter(|run| !crate::activity::is_quiet(run))
                    .map(|run| format!("{} {}", run.hook, crate::activity::word(run)))
                    .collect();
                let loud = match loud.as_slice() {
                    [] => String::new(),
                    loud => format!(": {}", loud.join(", ")),
                };
                writeln!(
                    err,
                    "{DIM}  {} in {}{loud}{DIM:#}",
                    units::plural(tally.runs, "hook run"),
                    units::time(tally.time)
                )
            }
        }
    }
}

impl View for Screen {
    fn opening(&mut self, armed: &Armed) -> anyhow::Result<()> {
        let mut err = anstream::stderr().lock();
        if self.verbosity != Verbosity::Quiet {
            if !armed.armed.is_empty() {
                let what = units::plural(armed.armed.len(), "hook") + " armed";
                list(&mut err, &what, &armed.armed)?;
            }
            list(
                &mut err,
                &units::plural(armed.tools.len(), "tool"),
                &armed.tools,
            )?;
        }
        // Guards that do not run are reported with `--quiet` too.
        if armed.armed.is_empty() {
            let why = if armed.no_hooks { " (--no-hooks)" } else { "" };
            writeln!(err, "{NOTE}no hook is armed{why}{NOTE:#}")?;
        }
        for (what, hooks) in [
            ("audit only", &armed.audit_only),
            ("disabled", &armed.off),
            ("scripts, outside the sandbox", &armed.outside),
        ] {
            if !hooks.is_empty() {
                writeln!(err, "{NOTE}{what}: {}{NOTE:#}", hooks.join(", "))?;
            }
        }
        if self.verbosity != Verbosity::Quiet {
            for risk in &armed.exfiltration_risk {
                writeln!(err, "{NOTE}note:{NOTE:#} {risk}")?;
            }
        }
        for unpinned in &armed.unpinned {
            writeln!(err, "{NOTE}not as pinned:{NOTE:#} {unpinned}")?;
        }
        for broken in &armed.broken {
            writeln!(err, "{ERROR}not running:{ERROR:#} {broken}")?;
        }
        Ok(())
    }

    fn event(&mut self, emitted: &Arc<Emitted>) -> anyhow::Result<()> {
        self.log.take(emitted);
        match &emitted.event {
            AgentEvent::LlmCallStarted {
                provider, model, ..
            } => self.waiting = Some(Waiting::new(format!("{provider}/{model}"))),
            AgentEvent::TextDelta { text } => self.stream(text)?,
            AgentEvent::LlmCallFinished { .. } => self.waiting = None,
            AgentEvent::LlmCallFailed { error, .. } => {
                self.waiting = None;
                self.end_line()?;
                if self.verbosity == Verbosity::Briefly {
                    writeln!(anstream::stderr().lock(), "{DIM}  ! {error}{DIM:#}")?;
                }
            }
            // Giving up is reported when the turn ends.
            AgentEvent::Retry {
                action: RetryAction::GiveUp { .. },
                ..
            } => {}
            AgentEvent::Retry { action, by } if self.verbosity == Verbosity::Briefly => {
                let what = crate::activity::retry(action, by.as_deref());
                writeln!(anstream::stderr().lock(), "{DIM}  ↻ {what}{DIM:#}")?;
            }
            AgentEvent::ToolStarted {
                name, arguments, ..
            } => {
                self.end_line()?;
                if self.verbosity == Verbosity::Briefly {
                    let arguments = crate::activity::arguments(arguments);
                    let arguments =
                        text::cut(&portcullis::sanitize_for_terminal(&arguments), QUOTED);
                    writeln!(
                        anstream::stderr().lock(),
                        "{DIM}  → {name} {arguments}{DIM:#}"
                    )?;
                }
            }
            AgentEvent::ToolFinished {
                name,
                ran: false,
                content,
                ..
            } => {
                self.end_line()?;
                let content = portcullis::sanitize_for_terminal(content);
                writeln!(
                    anstream::stderr().lock(),
                    "{REFUSED}  ✗ {name}{REFUSED:#} {DIM}{content}{DIM:#}"
                )?;
            }
            AgentEvent::HooksReloaded { changes, settings } => {
                self.pause()?;
                if self.verbosity != Verbosity::Quiet {
                    reload::changed(&mut anstream::stderr().lock(), changes, *settings)?;
                }
                reload::disarmed(&mut anstream::stderr().lock(), changes)?;
            }
            AgentEvent::HooksNotReloaded { all, kept, errors } => {
                self.pause()?;
                reload::refused(&mut anstream::stderr().lock(), *all, kept, errors)?;
            }
            AgentEvent::HookRun { run } => {
                self.waiting = None;
                self.failed_hook(run)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn asking(&mut self) -> anyhow::Result<()> {
        Ok(self.pause()?)
    }

    fn turn_ended(&mut self, ended: &Result<TurnEnd, TurnError>) -> anyhow::Result<()> {
        self.waiting = None;
        let streamed = self.streamed;
        let shown = std::mem::take(&mut self.shown);
        self.end_line()?;
        match ended {
            Ok(TurnEnd::Done(report)) => {
                let stopped = matches!(report.origin, TurnOrigin::Stopped { .. });
                // The last text of a turn that was stopped may have been shown already.
                if !(streamed || stopped && shown) {
                    writeln!(anstream::stdout().lock(), "{}", harmless(&report.text()))?;
                }
                if let TurnOrigin::Stopped { by, message, .. } = &report.origin {
                    writeln!(
                        anstream::stderr().lock(),
                        "{} {message} ({by})",
                        paint(REFUSED, "■ the turn was stopped:")
                    )?;
                }
            }
            Ok(TurnEnd::Suspended(suspension)) => {
                writeln!(
                    anstream::stderr().lock(),
                    "the turn is suspended: checkpoint {}",
                    suspension.checkpoint
                )?;
            }
            Err(error) => {
                writeln!(
                    anstream::stderr().lock(),
                    "{} {error}",
                    paint(REFUSED, "✗ the turn failed:")
                )?;
            }
        }
        self.activity()?;
        Ok(())
    }

    fn prompt(&mut self) -> anyhow::Result<()> {
        if io::stdin().is_terminal() {
            let mut err = anstream::stderr().lock();
            write!(err, "\n{BOLD}›{BOLD:#} ")?;
            err.flush()?;
        }
        Ok(())
    }
}

fn list(out: &mut impl io::Write, what: &str, names: &[String]) -> io::Result<()> {
    let line = match names {
        [] => what.to_owned(),
        names => format!("{what}: {}", names.join(", ")),
    };
    text::wrap(&line, width())
        .iter()
        .try_for_each(|line| writeln!(out, "{DIM}{line}{DIM:#}"))
}

/// A model's text as it may reach a terminal: lines and tabs stay, other control characters are
/// shown as escapes.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}
