//! A scripted session in which sixteen of the example hooks act: `portcullis demo`, and a program of its own
//! that is built in less time than the command.
//!
//! The model is a script. Everything else is real: the hooks are components, the tools read and
//! write files, and the agent loop is that of `portcullis run`.

mod approver;
mod direct;
#[cfg(feature = "durable")]
mod durable;
mod narrator;
mod play;
#[cfg(feature = "durable")]
mod record;
mod stage;
mod story;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use portcullis_terminal::activity::Detail;
use portcullis_terminal::load::CacheArgs;

/// Play a scripted session in which example hooks act.
///
/// The model is a script, so nothing leaves this machine. The hooks are real components, and
/// the tools work on real files in a directory made for the demo.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask demo                           build the hooks, then play\n  \
    portcullis demo --interactive              answer the hooks' questions yourself\n  \
    portcullis demo --record demo.sqlite       keep the hooks' calls, for `portcullis replay`\n  \
    portcullis demo --json | jq -c 'select(.outcome != \"continue\")'")]
pub struct DemoArgs {
    /// The directory with the example hooks.
    #[arg(long, value_name = "DIR", default_value = "target/demo-hooks")]
    hooks: PathBuf,
    #[command(flatten)]
    cache: CacheArgs,
    /// Ask you the hooks' questions, instead of answering them by the script.
    #[arg(long, conflicts_with = "json")]
    interactive: bool,
    /// Give every hook run its own line, including runs that changed nothing.
    #[arg(long, conflicts_with = "json")]
    each: bool,
    /// Print one line of JSON for each hook run, and nothing else.
    #[arg(long)]
    json: bool,
    /// Record the hooks' calls in this SQLite file, for `portcullis replay`.
    #[cfg(feature = "durable")]
    #[arg(long, value_name = "FILE", conflicts_with = "durable")]
    record: Option<PathBuf>,
    /// Kill the process in the middle of the third turn, and print how the next process finishes
    /// it.
    #[cfg(feature = "durable")]
    #[arg(long, conflicts_with_all = ["interactive", "json"])]
    durable: bool,
    /// The directory of a durable demo: this is the process that is killed.
    #[cfg(feature = "durable")]
    #[arg(long, value_name = "DIR", hide = true, requires = "durable")]
    stage: Option<PathBuf>,
}

impl DemoArgs {
    fn detail(&self) -> Detail {
        match self.each {
            true => Detail::Each,
            false => Detail::Folded,
        }
    }

    /// Returns the file that the hooks' calls are recorded in.
    #[cfg(feature = "durable")]
    fn record(&self) -> Option<&Path> {
        self.record.as_deref()
    }

    #[cfg(not(feature = "durable"))]
    fn record(&self) -> Option<&Path> {
        None
    }
}

/// Plays the demo.
pub fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    #[cfg(feature = "durable")]
    match &args.stage {
        Some(dir) => return durable::die(args, dir),
        None if args.durable => return durable::run(args),
        None => {}
    }
    let hooks = stage::hooks(&args.hooks, &args.cache)?;
    let stage = stage::Stage::build()?;
    play(direct::play(args, hooks, &stage))?;
    Ok(ExitCode::SUCCESS)
}

/// Plays until the end, or Ctrl-C.
fn play<T>(played: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = portcullis_terminal::runtime::start()?;
    let played = runtime.block_on(async {
        tokio::select! {
            played = played => played,
            _ = tokio::signal::ctrl_c() => Err(anyhow::anyhow!("interrupted")),
        }
    });
    // A thread may still wait for a line of input.
    runtime.shutdown_background();
    played
}
