//! The options of `portcullis run`.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::again::Again;
use super::edits::Edits;
use crate::agent_file::AgentArg;

/// Chat with a real or a scripted model, under hooks.
///
/// With a message, one turn is run and its output printed; `-` reads the message from the standard
/// input. Without one, every line of the standard input is a turn; a line typed at a terminal
/// during a turn goes to that turn, at its next step. With --json and without a message, a program
/// drives the session with lines of JSON.
///
/// At a terminal, `/help` shows the commands of the chat: `/hooks`, `/approvals`, `/quit`; Tab
/// completes them. A line that begins with a space is always for the agent. Pasted text is one
/// input, and Alt-Enter begins another line. The arrow keys and Ctrl-R find earlier inputs, which
/// are kept in `$XDG_STATE_HOME/portcullis/chat-history`, except those that begin with a space.
///
/// Ctrl-C cancels the running turn, and a second one the session; at the prompt it drops the input,
/// and on an empty line it ends the session. SIGTERM ends the session: hooks at `session-end` run.
/// A turn of a durable agent stays as it is recorded, and the next `portcullis run` finishes it.
///
/// Exit code 1 if a turn failed, 3 if it was suspended, 130 if Ctrl-C ended the session, and 143 if
/// SIGTERM did.
///
/// `agent.toml` defines the agent, if the working directory has one or `--agent` names one. The
/// other options override the file.
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
    portcullis run --durable \"Hello\"\n  \
    portcullis run --durable --finish --every 10\n  \
    portcullis run --restate http://127.0.0.1:8080 --session notes \"Hello\"\n  \
    portcullis run --approvals 'command:./decide.py' \"Hello\"\n  \
    portcullis run --approvals defer --wait \"Hello\"")]
pub struct RunArgs {
    #[command(flatten)]
    pub again: Again,
    /// The message; `-` reads it from the standard input.
    #[arg(value_name = "MESSAGE")]
    pub message: Option<String>,
    #[command(flatten)]
    pub agent: AgentArg,
    #[command(flatten)]
    pub edits: Edits,
    /// Continue the session of this id, or begin it. A turn that was interrupted is finished first.
    #[arg(
        long,
        value_name = "ID",
        help_heading = "Sessions",
        value_parser = NonEmptyStringValueParser::new()
    )]
    pub session: Option<String>,
    /// Continue the session of this agent and its user in this working directory that was last used. A turn
    /// that was interrupted is finished first.
    #[arg(
        long = "continue",
        conflicts_with = "session",
        help_heading = "Sessions"
    )]
    pub continues: bool,
    /// Finish the turns of this agent and its user in this working directory that were interrupted, in all
    /// sessions, and end. Several processes may do it: each turn is finished by one.
    #[arg(
        long,
        conflicts_with_all = ["message", "session", "continues", "wait"],
        help_heading = "Sessions"
    )]
    pub finish: bool,
    /// Look for interrupted turns again every so many seconds, until Ctrl-C or SIGTERM.
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "finish",
        // Clap does not require an option that conflicts with a given one.
        conflicts_with_all = ["message", "session", "continues", "wait"],
        value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "Sessions"
    )]
    pub every: Option<u64>,
    /// Send the turns to the Restate server that takes requests at this URL, in place of running them here. `portcullis
    /// worker` runs them.
    #[arg(long, value_name = "URL", help_heading = "Sessions")]
    pub restate: Option<String>,
    /// If a turn is suspended, wait here until its questions are answered, such as by `portcullis
    /// approvals`, and continue it. Ctrl-C stops waiting.
    #[arg(long)]
    pub wait: bool,
    /// Keep no history of the inputs at the prompt.
    #[arg(long, env = "PORTCULLIS_NO_HISTORY", help_heading = "Sessions")]
    pub no_history: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The output options.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print one line of JSON for every event.
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
    /// Show only refusals and failures of hooks and tools.
    #[arg(short, long, conflicts_with = "trace")]
    pub quiet: bool,
    /// Show every hook run of every turn, with its host calls and its changes. Secrets are replaced
    /// by their names.
    #[arg(long)]
    pub trace: bool,
}

/// The level of detail about hooks and tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verbosity {
    /// Only refusals and failures.
    Quiet,
    /// A line for each turn.
    Briefly,
    /// Every run.
    Trace,
}

impl OutputArgs {
    /// Returns the level of detail about hooks and tools.
    pub fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.trace) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Trace,
            _ => Verbosity::Briefly,
        }
    }
}
