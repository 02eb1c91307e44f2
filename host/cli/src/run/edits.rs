//! The options of `portcullis run` that change the agent: each is a key of `agent.toml`, and wins over
//! the file.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use portcullis::hooks::CacheChoice;
use portcullis_agent::{Deltas, ToolStrategy};
use portcullis_agent_file::{AgentFile, Memory, Switch};

use super::approvals_arg::ApprovalsArg;
use super::mcp_arg::McpArg;
use super::model_source::ModelSource;
use crate::hooks::CacheArgs;
use crate::store::StoreArg;

/// The variable that names the hooks directory of the machine.
const HOOKS: &str = "PORTCULLIS_HOOKS";

/// The options that change the agent.
#[derive(Debug, Args)]
pub struct Edits {
    /// The hooks directory. Default: `hooks`.
    #[arg(long, value_name = "DIR", env = HOOKS)]
    hooks: Option<PathBuf>,
    /// Run without any hooks.
    #[arg(long)]
    no_hooks: bool,
    /// Leave out hooks that do not load, and report them, instead of failing.
    #[arg(long)]
    skip_broken: bool,
    #[command(flatten)]
    cache: CacheArgs,
    /// Do not reload the hooks when their directory changes. They are reloaded on SIGHUP only.
    #[arg(long)]
    no_watch: bool,

    /// The approver of the hooks' questions: `ask` (you), `defer` (the turn is suspended until
    /// `portcullis approvals` has the answers), `deny`, or `command:PROGRAM ARGS`, which gets a
    /// question as JSON on its standard input and prints its decision. Default: `ask`.
    #[arg(long, value_name = "WHO")]
    approvals: Option<ApprovalsArg>,

    /// The model's provider, in place of the file's: `openai` (or any endpoint that speaks its
    /// protocol), `anthropic`, or `scripted:FILE`.
    #[arg(long, value_name = "PROVIDER", help_heading = "Model")]
    provider: Option<ModelSource>,
    /// The model of the first provider.
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    model: Option<String>,
    /// The endpoint, up to and including the version, such as `http://127.0.0.1:8080/v1`.
    #[arg(long, value_name = "URL", help_heading = "Model")]
    base_url: Option<String>,
    /// The variable that holds the API key. Default: `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`.
    #[arg(long, value_name = "VARIABLE", help_heading = "Model")]
    api_key_env: Option<String>,
    /// The endpoint takes no key.
    #[arg(long, conflicts_with = "api_key_env", help_heading = "Model")]
    no_key: bool,
    /// The instructions to the model.
    #[arg(long, value_name = "TEXT", help_heading = "Model")]
    system: Option<String>,
    /// When text is shown as it arrives, before hooks have seen the whole response. Default:
    /// `unless-guarded`.
    #[arg(long, value_enum, help_heading = "Model")]
    stream: Option<Stream>,

    /// The directory that tools work in. Default: the current one.
    #[arg(long, value_name = "DIR", help_heading = "Tools")]
    workdir: Option<PathBuf>,
    /// Tools that may run, by name; `*` matches any characters. Default: `read_file`, `list_dir`
    /// and all tools that `agent.toml` and `--mcp` name.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    allow: Vec<String>,
    /// Tools that may not run, even if `--allow` names them.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    deny: Vec<String>,
    /// An MCP server to start; its tools are called `NAME__tool`.
    #[arg(long, value_name = "NAME=COMMAND ARGS", help_heading = "Tools")]
    mcp: Vec<McpArg>,
    /// Remember turns, and recall them in later sessions.
    #[arg(long, help_heading = "Tools")]
    memory: bool,
    /// The order of the tool calls of one response: `sequential`, `parallel`, or a number: the most
    /// that run at a time. Default: `sequential`.
    #[arg(long, value_name = "STRATEGY", value_parser = strategy, help_heading = "Tools")]
    tool_calls: Option<ToolStrategy>,
    /// The user's name, for hooks and memory.
    #[arg(long, value_name = "NAME", help_heading = "Tools")]
    user: Option<String>,

    /// Fail a turn in which the model asks for more than this many tool calls in one response. None of
    /// them runs. Default: 128.
    #[arg(long, value_name = "N", help_heading = "Guards")]
    max_tool_calls: Option<NonZeroU32>,
    /// Stop a turn, without an error, after this many steps. Default: 20.
    #[arg(long, value_name = "N", help_heading = "Guards")]
    max_steps: Option<NonZeroU64>,
    /// Stop a turn before its next step once its model calls have used more than this many tokens, sent and
    /// written.
    #[arg(long, value_name = "N", help_heading = "Guards")]
    max_tokens: Option<NonZeroU64>,
    /// Stop a turn before its next step once it has taken this many seconds.
    #[arg(long, value_name = "N", help_heading = "Guards")]
    max_seconds: Option<NonZeroU64>,

    #[command(flatten)]
    store: StoreArg,
    /// Record turns in the store while they run. If the process dies in one, `--continue` or `--session`
    /// finishes it; give this option then, too, or write `durable = true` into agent.toml.
    #[arg(long, help_heading = "Sessions")]
    durable: bool,
    /// Do not record hook runs.
    #[arg(long)]
    no_journal: bool,
    /// Keep values in the journal: the hooks' changes, the tools' arguments and results, and the
    /// messages.
    #[arg(long, conflicts_with = "no_journal")]
    journal_values: bool,

    /// Send spans and metrics to the collector at this address, which takes OTLP over HTTP, such as
    /// `http://127.0.0.1:4318`. The standard `OTEL_*` variables win.
    #[arg(long, value_name = "URL", help_heading = "Telemetry")]
    otlp: Option<String>,
    /// Serve `/metrics` for Prometheus at this loopback address, such as `127.0.0.1:9464`.
    #[arg(long, value_name = "ADDRESS", help_heading = "Telemetry")]
    metrics: Option<SocketAddr>,
    /// Record calls of components, so that `portcullis replay` can make them again.
    #[arg(long, conflicts_with = "no_journal")]
    record: bool,
}

/// The condition for showing text as it arrives.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Stream {
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

/// Replaces a key, if the option is given.
fn set<T>(key: &mut T, option: Option<impl Into<T>>) {
    if let Some(value) = option {
        *key = value.into();
    }
}

impl Edits {
    /// Returns the given options that have no effect in this process if workers run the turns.
    pub fn of_workers(&self) -> Vec<&'static str> {
        // This process compiles nothing, so the options for compilation have no effect.
        let Self {
            hooks,
            no_hooks,
            skip_broken,
            cache: _,
            no_watch,
            approvals,
            provider,
            model,
            base_url,
            api_key_env,
            no_key,
            system,
            stream,
            workdir: _,
            allow,
            deny,
            mcp,
            memory,
            tool_calls,
            user: _,
            max_tool_calls,
            max_steps,
            max_tokens,
            max_seconds,
            store: _,
            durable: _,
            no_journal,
            journal_values,
            otlp,
            metrics,
            record,
        } = self;
        // The variable belongs to the machine, not to this turn.
        let machine = std::env::var_os(HOOKS).map(PathBuf::from);
        let given = [
            ("--hooks", hooks.is_some() && *hooks != machine),
            ("--no-hooks", *no_hooks),
            ("--skip-broken", *skip_broken),
            ("--no-watch", *no_watch),
            ("--approvals", approvals.is_some()),
            ("--provider", provider.is_some()),
            ("--model", model.is_some()),
            ("--base-url", base_url.is_some()),
            ("--api-key-env", api_key_env.is_some()),
            ("--no-key", *no_key),
            ("--system", system.is_some()),
            ("--stream", stream.is_some()),
            ("--allow", !allow.is_empty()),
            ("--deny", !deny.is_empty()),
            ("--mcp", !mcp.is_empty()),
            ("--memory", *memory),
            ("--tool-calls", tool_calls.is_some()),
            ("--max-tool-calls", max_tool_calls.is_some()),
            ("--max-steps", max_steps.is_some()),
            ("--max-tokens", max_tokens.is_some()),
            ("--max-seconds", max_seconds.is_some()),
            ("--no-journal", *no_journal),
            ("--journal-values", *journal_values),
            ("--otlp", otlp.is_some()),
            ("--metrics", metrics.is_some()),
            ("--record", *record),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(name, _)| name).collect()
    }

    /// Applies the options to a file.
    pub fn apply(self, file: &mut AgentFile) -> anyhow::Result<()> {
        let machine = std::env::var_os(HOOKS).map(PathBuf::from);
        let hooks = match self.hooks == machine {
            true => "the variable PORTCULLIS_HOOKS",
            false => "the option --hooks",
        };
        for (by, keys, is_given) in [
            (hooks, &["hooks", "dir"][..], self.hooks.is_some()),
            (
                "the option --provider",
                &["providers"],
                self.provider.is_some(),
            ),
            (
                "the option --base-url",
                &["providers", "0", "base-url"],
                self.base_url.is_some(),
            ),
            (
                "the option --api-key-env",
                &["providers", "0", "key-env"],
                self.api_key_env.is_some(),
            ),
            (
                "the option --workdir",
                &["working-dir"],
                self.workdir.is_some(),
            ),
            (
                "the option --allow",
                &["policy", "allow"],
                !self.allow.is_empty(),
            ),
            (
                "the option --approvals",
                &["approvals"],
                self.approvals.is_some(),
            ),
        ] {
            if is_given {
                file.given_by(by, keys);
            }
        }
        // The variable is of the machine, and the file of the agent: it may do without hooks.
        let names_hooks = self.hooks.is_some() && self.hooks != machine;
        set(&mut file.hooks.dir, self.hooks);
        file.hooks.enabled = !self.no_hooks && (file.hooks.enabled || names_hooks);
        file.hooks.skip_broken |= self.skip_broken;
        file.hooks.watch &= !self.no_watch;
        match self.cache.choice() {
            CacheChoice::Dir(dir) => file.hooks.cache_dir = Some(dir),
            CacheChoice::None => file.hooks.cache = false,
            CacheChoice::User => {}
        }
        if self.otlp.is_some() || self.metrics.is_some() {
            let telemetry = file.telemetry.get_or_insert_default();
            set(&mut telemetry.endpoint, self.otlp.map(Some));
            set(&mut telemetry.prometheus, self.metrics.map(Some));
        }
        file.durable |= self.durable;
        file.stores.journal &= !self.no_journal;
        file.stores.journal_values |= self.journal_values;
        file.stores.record = (file.stores.record && !self.no_journal) || self.record;
        set(&mut file.stores.url, self.store.address()?.map(Some));
        set(&mut file.approvals, self.approvals.map(|arg| arg.0));
        if let Some(source) = self.provider {
            file.providers = vec![source.provider()];
        }
        if let Some(first) = file.providers.first_mut() {
            set(&mut first.model, self.model.map(Some));
            set(&mut first.base_url, self.base_url.map(Some));
            if self.no_key || self.api_key_env.is_some() {
                (first.key_env, first.key_file) = (self.api_key_env, None);
                first.no_key = self.no_key;
            }
        }
        if self.system.is_some() {
            (file.system_prompt, file.system_prompt_file) = (self.system, None);
        }
        set(&mut file.model.deltas, self.stream);
        set(&mut file.working_dir, self.workdir);
        if !self.allow.is_empty() {
            file.policy.allow = Some(self.allow);
            file.tools.built_in = None;
        }
        file.policy.deny.extend(self.deny);
        file.mcp.extend(
            self.mcp
                .into_iter()
                .map(|McpArg(name, server)| (name, server)),
        );
        if self.memory {
            file.memory.get_or_insert_with(Memory::default);
        }
        set(&mut file.tools.strategy, self.tool_calls);
        set(&mut file.tools.max_calls, self.max_tool_calls.map(Some));
        set(&mut file.user, self.user.map(Some));
        set(&mut file.guards.max_steps, self.max_steps.map(Switch::On));
        set(&mut file.guards.max_tokens, self.max_tokens.map(Some));
        set(&mut file.guards.max_seconds, self.max_seconds.map(Some));
        Ok(())
    }
}
