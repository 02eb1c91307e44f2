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
/// When the hooks directory changes, its hooks are reloaded and take effect at their next call. A hook
/// that does not load leaves the previous one running.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    portcullis run --provider anthropic --model MODEL --hooks ./hooks\n  \
    portcullis run --provider openai --model MODEL --base-url http://127.0.0.1:8080/v1 --no-key \"Hello\"\n  \
    portcullis run --provider scripted:responses.json --json \"Hello\"\n  \
    portcullis run --provider openai --model MODEL --mcp 'git=mcp-server-git --repository .' --allow 'git__*'")]
pub struct RunArgs {
    /// The message; `-` reads it from the standard input.
    #[arg(value_name = "MESSAGE")]
    pub message: Option<String>,
    #[command(flatten)]
    pub dir: HooksDir,
    /// Run without any hooks.
    #[arg(long)]
    pub no_hooks: bool,
    /// Leave out hooks that do not load, and report them, instead of failing.
    #[arg(long)]
    pub skip_broken: bool,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Do not reload the hooks when their directory changes. They are reloaded on SIGHUP only.
    #[arg(long)]
    pub no_watch: bool,

    /// The model's provider: `openai` (or any endpoint that speaks its protocol), `anthropic`, or
    /// `scripted:FILE`.
    #[arg(long, value_name = "PROVIDER", help_heading = "Model")]
    pub provider: ModelSource,
    /// The model.
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub model: Option<String>,
    /// The endpoint, up to and including the version, such as `http://127.0.0.1:8080/v1`.
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
    /// When text is shown as it arrives, before hooks have seen the whole response.
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
    /// Tools that may run, by name; `*` stands for any characters. Default: `read_file`, `list_dir` and
    /// the tools of the MCP servers named here.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    pub allow: Vec<String>,
    /// Tools that may not run, even if `--allow` names them.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    pub deny: Vec<String>,
    /// An MCP server to start; its tools are called `NAME__tool`.
    #[arg(long, value_name = "NAME=COMMAND ARGS", help_heading = "Tools")]
    pub mcp: Vec<McpArg>,
    /// Remember turns in this file, and recall them in later sessions.
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    pub memory: Option<PathBuf>,
    /// How the tool calls of one response run: `sequential`, `parallel`, or a number: so many at a time.
    #[arg(
        long,
        value_name = "STRATEGY",
        default_value = "sequential",
        value_parser = strategy,
        help_heading = "Tools"
    )]
    pub tool_calls: ToolStrategy,
    /// Fail a turn in which the model asks for more than this many tool calls in one response. None of
    /// them runs.
    #[arg(long, value_name = "N", default_value = "128", help_heading = "Guards")]
    pub max_tool_calls: std::num::NonZeroU32,
    /// Who the user is, for hooks and memory.
    #[arg(long, value_name = "NAME", help_heading = "Tools")]
    pub user: Option<String>,

    /// Stop a turn, without an error, after this many steps. Without this option, a turn that takes more
    /// than 20 steps fails.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Guards")]
    pub max_steps: Option<u64>,
    /// Stop a turn before its next step once its model calls have used more than this many tokens, sent and
    /// written.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Guards")]
    pub max_tokens: Option<u64>,
    /// Stop a turn before its next step once it has taken this many seconds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Guards")]
    pub max_seconds: Option<u64>,

    #[command(flatten)]
    pub journal: JournalFile,
    /// Do not record hook runs.
    #[arg(long)]
    pub no_journal: bool,

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

/// When text is shown as it arrives.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Stream {
    /// Unless a hook guards responses.
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
    /// The limits of a turn.
    pub fn guards(&self) -> Guards {
        Guards {
            max_steps: self.max_steps,
            max_tokens: self.max_tokens,
            max_seconds: self.max_seconds,
            finish_reasons: Vec::new(),
        }
    }

    /// How much is shown of hooks and tools.
    pub fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.trace) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Trace,
            _ => Verbosity::Briefly,
        }
    }
}
