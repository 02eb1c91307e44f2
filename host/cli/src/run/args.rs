//! The options of `portcullis run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use portcullis_agent::{Deltas, Guards, ToolStrategy};

use super::models::ModelSource;
use super::tools::McpArg;
use crate::hooks::{CacheArgs, HooksDir};
use crate::journal::JournalFile;

/// Chat with a real or a scripted model, under hooks.
///
/// With a message, one turn is run and its output printed; `-` reads the message from the standard
/// input. Without one, every line of the standard input is a turn. Ctrl-C cancels the turn that
/// runs; at the prompt it ends the session. Exit code 1 if a turn failed.
///
/// When the hooks directory changes, its hooks are loaded again, and take effect at their next call;
/// what does not load leaves what ran before.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    portcullis run --provider anthropic --model MODEL --hooks ./hooks\n  \
    portcullis run --provider openai --model MODEL --base-url http://127.0.0.1:8080/v1 --no-key \"Hello\"\n  \
    portcullis run --provider scripted:responses.json --json \"Hello\"\n  \
    portcullis run --provider openai --model MODEL --mcp 'git=mcp-server-git --repository .' --allow 'git__*'")]
pub struct RunArgs {
    /// What to say; `-` reads it from the standard input.
    #[arg(value_name = "MESSAGE")]
    pub message: Option<String>,
    #[command(flatten)]
    pub dir: HooksDir,
    /// Run without any hooks.
    #[arg(long)]
    pub no_hooks: bool,
    /// Leave out hooks that do not load, and name them, instead of failing.
    #[arg(long)]
    pub skip_broken: bool,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Leave the hooks as they are when their directory changes. They are loaded again on SIGHUP only.
    #[arg(long)]
    pub no_watch: bool,

    /// The model's provider: `openai` (or any endpoint that speaks its protocol), `anthropic`, or
    /// `scripted:FILE`.
    #[arg(long, value_name = "PROVIDER", help_heading = "Model")]
    pub provider: ModelSource,
    /// The model.
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub model: Option<String>,
    /// The endpoint, up to and with the version, such as `http://127.0.0.1:8080/v1`.
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
    /// The variable that holds the API key. Default: `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`.
    #[arg(long, value_name = "VARIABLE", help_heading = "Model")]
    pub api_key_env: Option<String>,
    /// The endpoint takes no key.
    #[arg(long, conflicts_with = "api_key_env", help_heading = "Model")]
    pub no_key: bool,
    /// The instructions to the model.
    #[arg(long, value_name = "TEXT", help_heading = "Model")]
    pub system: Option<String>,
    /// When text is shown as it comes. It is shown before hooks have seen the whole.
    #[arg(
        long,
        value_enum,
        default_value = "unless-guarded",
        help_heading = "Model"
    )]
    pub stream: Stream,

    /// The directory that tools work in.
    #[arg(long, value_name = "DIR", default_value = ".", help_heading = "Tools")]
    pub workdir: PathBuf,
    /// Tools that may run, by name, in place of the default; `*` stands for any characters.
    /// Default: `read_file`,
    /// `list_dir`, and the tools of the MCP servers named here.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    pub allow: Vec<String>,
    /// Tools that may not run, also where `--allow` has them.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    pub deny: Vec<String>,
    /// An MCP server to start; its tools are called `NAME__tool`.
    #[arg(long, value_name = "NAME=COMMAND ARGS", help_heading = "Tools")]
    pub mcp: Vec<McpArg>,
    /// Remember turns in this file, and recall them in later sessions.
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    pub memory: Option<PathBuf>,
    /// How the tool calls of one response are run: `sequential`, `parallel`, or so many at a time.
    #[arg(
        long,
        value_name = "STRATEGY",
        default_value = "sequential",
        value_parser = strategy,
        help_heading = "Tools"
    )]
    pub tool_calls: ToolStrategy,
    /// Who the user is, for hooks and memory.
    #[arg(long, value_name = "NAME", help_heading = "Tools")]
    pub user: Option<String>,

    /// Stop a turn without an error before it takes more steps. Without it, a turn fails that would take
    /// more than 20.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Guards")]
    pub max_steps: Option<u64>,
    /// Stop a turn before its next step once its model calls have used more tokens, sent and written.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Guards")]
    pub max_tokens: Option<u64>,
    /// Stop a turn before its next step once it has taken so many seconds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Guards")]
    pub max_seconds: Option<u64>,

    #[command(flatten)]
    pub journal: JournalFile,
    /// Record no hook runs, whatever `--journal` says.
    #[arg(long)]
    pub no_journal: bool,

    /// Print one line of JSON for every event.
    #[arg(long, conflicts_with_all = ["quiet", "trace"], help_heading = "Output")]
    pub json: bool,
    /// Say nothing of hooks and tools but what was refused and what failed.
    #[arg(short, long, conflicts_with = "trace", help_heading = "Output")]
    pub quiet: bool,
    /// Show every hook run of every turn, with what it changed.
    #[arg(long, help_heading = "Output")]
    pub trace: bool,
}

/// When text is shown as it comes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Stream {
    /// While no hook guards responses.
    UnlessGuarded,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl From<Stream> for Deltas {
    fn from(stream: Stream) -> Self {
        match stream {
            Stream::UnlessGuarded => Self::UnlessGuarded,
            Stream::Always => Self::Always,
            Stream::Never => Self::Never,
        }
    }
}

/// How much is told of hooks and tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// Only refusals and failures.
    Quiet,
    /// A line for each turn.
    Briefly,
    /// Every run.
    Trace,
}

fn strategy(text: &str) -> Result<ToolStrategy, String> {
    match text {
        "sequential" => Ok(ToolStrategy::Sequential),
        "parallel" => Ok(ToolStrategy::Parallel),
        number => number
            .parse()
            .map(ToolStrategy::Batched)
            .map_err(|_| "give `sequential`, `parallel` or a number from 1".to_owned()),
    }
}

impl RunArgs {
    /// What keeps turns from running away.
    pub fn guards(&self) -> Guards {
        Guards {
            max_steps: self.max_steps,
            max_tokens: self.max_tokens,
            max_seconds: self.max_seconds,
            finish_reasons: Vec::new(),
        }
    }

    /// How much is told of hooks and tools.
    pub fn detail(&self) -> Telling {
        match (self.quiet, self.trace) {
            (true, _) => Telling::Quiet,
            (_, true) => Telling::Trace,
            _ => Telling::Briefly,
        }
    }
}
