//! The options of `portcullis run`.

use clap::Args;

use super::edits::Edits;
use super::resume::ResumeArgs;
use crate::agent_file::AgentArg;

/// Chat with a real or a scripted model, under hooks.
///
/// With a message, one turn is run and its output printed; `-` reads the message from the standard
/// input. Without one, every line of the standard input is a turn. Ctrl-C cancels the turn that
/// runs; at the prompt it ends the session. Exit code 1 if a turn failed, 3 if it was suspended.
///
/// The agent is what `agent.toml` says, if the working directory has one or `--agent` names one. The
/// other options win over the file.
///
/// When the hooks directory changes, its hooks are reloaded and take effect at their next call. A hook
/// that does not load leaves the previous one running.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    portcullis init && portcullis run \"Hello\"\n  \
    portcullis run --agent agent.toml --no-hooks \"Hello\"\n  \
    portcullis run --provider anthropic --model MODEL --hooks ./hooks\n  \
    portcullis run --provider openai --model MODEL --base-url http://127.0.0.1:8080/v1 --no-key \"Hello\"\n  \
    portcullis run --provider scripted:responses.json --json \"Hello\"\n  \
    portcullis run --provider openai --model MODEL --mcp 'git=mcp-server-git --repository .' --allow 'git__*'\n  \
    portcullis run --continue \"And then?\"\n  \
    portcullis run --resume ID --result call-1=blue")]
pub struct RunArgs {
    /// The message; `-` reads it from the standard input.
    #[arg(value_name = "MESSAGE")]
    pub message: Option<String>,
    #[command(flatten)]
    pub agent: AgentArg,
    #[command(flatten)]
    pub edits: Edits,
    /// Continue the session of this id, or begin it.
    #[arg(
        long,
        value_name = "ID",
        conflicts_with = "resume",
        help_heading = "Sessions"
    )]
    pub session: Option<String>,
    /// Continue the session of this agent in this working directory that was last used.
    #[arg(
        long = "continue",
        conflicts_with_all = ["session", "resume"],
        help_heading = "Sessions"
    )]
    pub continues: bool,
    #[command(flatten)]
    pub resume: ResumeArgs,

    /// Print one line of JSON for every event.
    #[arg(long, conflicts_with_all = ["quiet", "trace"], help_heading = "Output")]
    pub json: bool,
    /// Show only refusals and failures of hooks and tools.
    #[arg(short, long, conflicts_with = "trace", help_heading = "Output")]
    pub quiet: bool,
    /// Show every hook run of every turn, with what it changed.
    #[arg(long, help_heading = "Output")]
    pub trace: bool,
}

/// How much is shown of hooks and tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verbosity {
    /// Only refusals and failures.
    Quiet,
    /// A line for each turn.
    Briefly,
    /// Every run.
    Trace,
}

impl RunArgs {
    /// How much is shown of hooks and tools.
    pub fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.trace) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Trace,
            _ => Verbosity::Briefly,
        }
    }
}
