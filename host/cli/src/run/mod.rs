//! `portcullis run`: an agent with hooks.

mod args;
mod armed;
mod chat;
mod json;
mod models;
mod reload;
mod screen;
mod split;
mod tools;
mod view;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use portcullis::Hooks;
use portcullis_agent::{
    Agent, AgentConfig, Memory, NewSession, NoMemory, SqliteMemory, SqliteMemoryConfig,
};

pub use self::args::RunArgs;
use self::chat::Chat;
use self::view::View;
use crate::approval::{Queue, Recorded, TerminalApprover};
use crate::hooks::load;
use crate::input::Lines;
use crate::terminal::interrupts::Interrupts;

/// How long what runs in the background may take once the session has ended.
const DRAIN: Duration = Duration::from_secs(10);

/// Runs the command.
pub fn run(args: RunArgs) -> anyhow::Result<ExitCode> {
    let hooks = hooks(&args)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let ended = runtime.block_on(chat(args, hooks));
    // A thread may still wait for a line of input.
    runtime.shutdown_background();
    ended
}

fn hooks(args: &RunArgs) -> anyhow::Result<Hooks> {
    if args.no_hooks {
        return Ok(Hooks::none());
    }
    let dir = &args.dir.hooks;
    anyhow::ensure!(
        dir.is_dir(),
        "there is no hooks directory {}; name the directory with --hooks, or run without hooks with \
         --no-hooks",
        dir.display()
    );
    Ok(load(dir, None, &args.cache, args.skip_broken)?)
}

async fn chat(args: RunArgs, hooks: Hooks) -> anyhow::Result<ExitCode> {
    let lines = Arc::new(Lines::default());
    let (queue, questions) = Queue::new();
    let approver = Recorded::new(Arc::new(queue));
    let mut view: Box<dyn View> = match args.json {
        true => Box::new(json::JsonLines),
        false => Box::new(screen::Screen::new(args.verbosity(), approver.clone())),
    };
    let workdir = args
        .workdir
        .canonicalize()
        .with_context(|| format!("the working directory {}", args.workdir.display()))?;
    let policy = tools::policy(&args, &workdir);
    let tools = tools::tools(&args, &policy).await?;
    view.opening(&armed::report(&hooks, &tools.names(), &args))?;
    let mut builder = Agent::builder();
    if !args.no_journal
        && let Some(journal) = args.journal.open()?
    {
        builder = builder.journal(journal);
    }
    let agent = builder
        .providers(models::providers(&args)?)
        .tools(tools.toolbox.clone())
        .memory(memory(&args).await?)
        .policy(Arc::new(policy))
        .hooks(hooks.clone())
        .config(AgentConfig {
            system_prompt: args.system.clone(),
            model: args.model.clone(),
            deltas: args.stream.into(),
            tool_strategy: args.tool_calls,
            guards: Some(args.guards()),
            max_tool_calls: args.max_tool_calls,
            ..AgentConfig::default()
        })
        .build()?;
    let mut chat = Chat {
        interrupts: Interrupts::default(),
        events: agent.context().events.subscribe(),
        questions,
        person: TerminalApprover::new(lines.clone()),
        lines,
        view,
    };
    // Only after the events are subscribed to.
    let _reloading = reload::start(&hooks, &args)?;
    let session = agent
        .session(NewSession {
            user: args.user.clone(),
            working_dir: Some(workdir),
            approver: Arc::new(approver),
            keep_values: args.trace,
            ..NewSession::default()
        })
        .await;
    chat.drain()?;
    let mut session = session.context("the session did not start")?;
    let ended = match &args.message {
        Some(message) => chat.once(&mut session, message).await,
        None => chat.converse(&mut session).await,
    };
    session.close().await;
    chat.drain()?;
    // Background runs are drained, not dropped.
    let left = agent.drain(DRAIN).await;
    chat.drain()?;
    if left > 0 {
        tracing::warn!("{left} background runs did not end within {DRAIN:?} and are lost");
    }
    tools.close().await;
    ended
}

async fn memory(args: &RunArgs) -> anyhow::Result<Arc<dyn Memory>> {
    Ok(match &args.memory {
        Some(file) => {
            Arc::new(SqliteMemory::open_async(file, SqliteMemoryConfig::default()).await?)
        }
        None => Arc::new(NoMemory),
    })
}
