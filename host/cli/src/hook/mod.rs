//! `portcullis hook`: a command hook of another agent, which runs the hooks directory.

mod collector;
#[cfg(unix)]
mod daemon;
mod deadline;
mod decide;
#[cfg(unix)]
mod light;
mod running;
mod write;

use std::io::{self, Read as _};
use std::process::ExitCode;

use clap::{
    Args, Parser, ValueEnum, builder::PossibleValuesParser, builder::TypedValueParser as _,
};
use portcullis_dialects::{Answer, Dialect, Event, MOST_BYTES, PointCall, unread};

use self::deadline::Deadline;
#[cfg(unix)]
pub use self::light::run_light;
use crate::daemon::DaemonArgs;
use crate::terminal::Out;
use crate::terminal::format::printable;

/// Answer a hook event of another agent with the hooks of a directory.
///
/// The event comes as JSON on the standard input. It is mapped to lifecycle points, and the hooks'
/// decisions are written in the agent's own format. `portcullis install` enters this command into
/// an agent's settings. If the event cannot be decided, the answer blocks where the event can be
/// blocked: exit code 2, and the reason on the standard error. It also blocks if the answer cannot
/// be written.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis hook --dialect claude --hooks ./hooks < event.json")]
pub struct HookArgs {
    /// The agent: claude, codex or gemini.
    #[arg(long, value_name = "AGENT", value_parser = dialects())]
    dialect: Dialect,
    #[command(flatten)]
    hooks: DaemonArgs,
    /// Whether the event goes to the daemon of these hooks, if one runs: see `portcullis serve`.
    #[arg(
        long,
        value_name = "WHETHER",
        env = "PORTCULLIS_DAEMON",
        default_value = "auto"
    )]
    daemon: UseDaemon,
    /// Answer within so many seconds. An event that is not decided by then is blocked.
    #[arg(long, value_name = "SECONDS", default_value_t = DEADLINE, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    deadline: u64,
    /// The deadline of the program that this one replaced, on the monotonic clock.
    #[arg(long, hide = true, value_name = "NANOSECONDS")]
    until: Option<u64>,
    /// Say on the standard error which points were called, which hooks ran and where, and which of their requests are
    /// not carried out.
    #[arg(long, short)]
    verbose: bool,
}

/// Whether an event goes to a daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UseDaemon {
    /// If one runs.
    Auto,
    /// Never.
    Never,
    /// If one runs. If none does, one is started for later events.
    Start,
}

/// The default deadline, in seconds.
pub const DEADLINE: u64 = 50;

/// Returns the names of the dialects.
pub fn dialects() -> impl clap::builder::TypedValueParser<Value = Dialect> {
    let names = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name));
    names.try_map(|name: String| name.parse::<Dialect>())
}

/// The command line of `portcullis hook` alone. That of all commands takes longer to be made than the daemon takes to
/// answer.
#[derive(Debug, Parser)]
#[command(name = "portcullis", version)]
enum HookCli {
    Hook(Box<HookArgs>),
}

/// Returns this process's arguments, if they are a valid `portcullis hook` command. The full parser
/// handles help and errors.
pub fn parsed() -> Option<HookArgs> {
    let is_hook = std::env::args_os().nth(1)? == "hook";
    let HookCli::Hook(args) = is_hook.then(HookCli::try_parse)?.ok()?;
    Some(*args)
}

/// Runs the command.
pub fn run(args: HookArgs) -> ExitCode {
    #[cfg(unix)]
    let daemon = daemon::ask;
    // Daemons listen on Unix sockets.
    #[cfg(not(unix))]
    let daemon = |_: &Incoming, _: &HookArgs| None;
    write::write(&answered(args, daemon, decide::here))
}

/// Returns the answer of the daemon, or else of this process or another one.
fn answered(
    args: HookArgs,
    daemon: impl FnOnce(&Incoming, &HookArgs) -> Option<Answer>,
    otherwise: impl FnOnce(Incoming, HookArgs) -> Answer,
) -> Answer {
    let deadline = Deadline::new(args.deadline, args.until);
    let dialect = args.dialect;
    let mut text = Vec::new();
    let read = read(&mut text).and_then(|()| Ok(Event::read(dialect, &text)?));
    let event = match read {
        Ok(event) => event,
        Err(error) => return unread(dialect, &text, &error.to_string()),
    };
    if !event.calls_hooks() {
        let (agent, name) = (dialect.agent(), event.name());
        if !event.is_known() {
            crate::logging::start();
            tracing::warn!("the event {name} of {agent} is not known: no hook runs");
        }
        return Answer::nothing();
    }
    let incoming = Incoming {
        event,
        text,
        deadline,
    };
    daemon(&incoming, &args).unwrap_or_else(|| otherwise(incoming, args))
}

/// An event that is to be answered.
struct Incoming {
    event: Event,
    #[cfg_attr(
        not(unix),
        expect(dead_code, reason = "daemons take it on, on Unix only")
    )]
    text: Vec<u8>,
    deadline: Deadline,
}

/// Writes to the standard error which points were called.
fn say(calls: &[PointCall], place: &'static str) {
    let mut out = Out::stderr();
    for call in calls {
        let hooks = match call.hooks.as_slice() {
            [] => "no hook".to_owned(),
            hooks => hooks.join(", "),
        };
        let decision = serde_json::to_string(&call.decision);
        let decision = decision.unwrap_or_else(|_| call.decision.name().to_owned());
        let line = printable!("{}, {}: {} by {}", call.point, place, decision, hooks);
        // A closed standard error does not keep the event from being decided.
        let _ = out.line(line);
        for not_done in &call.not_done {
            let _ = out.line(printable!("{}: {}", call.point, not_done));
        }
    }
}

/// Reads the event, up to the size limit. After an error, the text contains the part that was read.
fn read(text: &mut Vec<u8>) -> anyhow::Result<()> {
    let most = MOST_BYTES as u64 + 1;
    io::stdin().lock().take(most).read_to_end(text)?;
    Ok(())
}
