//! A scripted session in which sixteen of the example hooks act: `portcullis demo`, and a program of its own
//! that is built in less time than the command.
//!
//! The model is a script. Everything else is real: the hooks are components, the tools read and
//! write files, and the agent loop is that of `portcullis run`.

mod approver;
mod narrator;
mod play;
mod stage;
mod story;

use std::path::PathBuf;
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
    /// Give every hook run its own line, also those that changed nothing.
    #[arg(long, conflicts_with = "json")]
    each: bool,
    /// Print one line of JSON for each hook run, and nothing else.
    #[arg(long)]
    json: bool,
}

/// Plays the demo.
pub fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    let hooks = stage::hooks(&args.hooks, &args.cache)?;
    let detail = match args.each {
        true => Detail::Each,
        false => Detail::Folded,
    };
    let stage = stage::Stage::build()?;
    let runtime = portcullis_terminal::runtime::start()?;
    let played = runtime.block_on(async {
        tokio::select! {
            played = play::play(args, detail, hooks, &stage) => played,
            _ = tokio::signal::ctrl_c() => Err(anyhow::anyhow!("interrupted")),
        }
    });
    // A thread may still wait for a line of input.
    runtime.shutdown_background();
    played?;
    Ok(ExitCode::SUCCESS)
}
