//! `portcullis run`: an agent with hooks.

mod args;
mod armed;
mod chat;
mod edits;
mod json;
mod mcp_arg;
mod model_source;
mod reload;
mod resume;
mod screen;
mod split;
mod suspended;
mod view;

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use portcullis::approval::{Approver, DeferAll, DenyAll};
use portcullis_agent::NewSession;
use portcullis_agent_file::{AgentFile, LoadedHooks, Questions, StartError, StartOptions};
use portcullis_store::Store;

pub use self::args::RunArgs;
use self::chat::Chat;
use self::view::View;
use crate::agent_file;
use crate::approval::{Queue, Recorded, TerminalApprover};
use crate::input::Lines;
use crate::store::open_users;
use crate::terminal::interrupts::Interrupts;
use crate::terminal::progress::Waiting;

/// How long what runs in the background may take once the session has ended.
const DRAIN: Duration = Duration::from_secs(10);

/// Runs the command.
pub fn run(args: RunArgs) -> anyhow::Result<ExitCode> {
    let verbosity = args.verbosity();
    let mut file = args.agent.load()?.unwrap_or_default();
    args.edits.apply(&mut file);
    let faults = file.faults();
    if !faults.is_empty() {
        return Err(StartError::Faults(faults).into());
    }
    let store = match file.stores.open_blocking()? {
        Some(store) => Some(store),
        None => open_users(file.stores.options()),
    };
    let hooks = agent_file::load_hooks(&file, store.as_ref())?;
    let runtime = tokio::runtime::Runtime::new()?;
    let plan = Plan {
        json: args.json,
        verbosity,
        keep_values: args.trace,
        message: args.message,
        session: args.session,
        continues: args.continues,
        resumed: args.resume.into_resumed()?,
    };
    let ended = runtime.block_on(chat(plan, &file, hooks, store));
    // A thread may still wait for a line of input.
    runtime.shutdown_background();
    ended
}

/// What one run of the command does.
struct Plan {
    json: bool,
    verbosity: args::Verbosity,
    keep_values: bool,
    message: Option<String>,
    session: Option<String>,
    continues: bool,
    resumed: Option<resume::Resumed>,
}

async fn chat(
    plan: Plan,
    file: &AgentFile,
    hooks: LoadedHooks,
    store: Option<Store>,
) -> anyhow::Result<ExitCode> {
    let lines = Arc::new(Lines::default());
    let (queue, questions) = Queue::new();
    let approver: Arc<dyn Approver> = match file.questions {
        Questions::Ask => Arc::new(queue),
        Questions::Defer => Arc::new(DeferAll),
        Questions::Deny => Arc::new(DenyAll),
    };
    let approver = Recorded::new(approver);
    let mut view: Box<dyn View> = match plan.json {
        true => Box::new(json::JsonLines),
        false => Box::new(screen::Screen::new(plan.verbosity, approver.clone())),
    };
    let mut options = StartOptions::new(hooks.clone());
    options.store = store;
    let spinner = Mutex::new(None);
    let starting = |server: &str| {
        let words = format!("starting the MCP server {server}");
        *spinner.lock().unwrap_or_else(PoisonError::into_inner) = Some(Waiting::new(words));
    };
    options.starting = &starting;
    let events = options.events.subscribe();
    let running = file.start(options).await;
    drop(spinner);
    let running = running?;
    if running.pruned.sessions > 0 {
        tracing::warn!(
            "by the retention of `[stores]`, deleted {}",
            crate::sessions::words(&running.pruned)
        );
    }
    view.opening(&armed::report(&hooks, &running.tools, !file.hooks.enabled))?;
    let mut chat = Chat {
        interrupts: Interrupts::default(),
        events,
        questions,
        person: TerminalApprover::new(lines.clone()),
        lines,
        view,
    };
    // Only after the events are subscribed to.
    let _reloading = reload::start(&hooks, file)?;
    let mut new = NewSession {
        approver: Arc::new(approver),
        keep_values: plan.keep_values,
        ..running.new_session()
    };
    if let Some(id) = plan.session {
        new.id = id;
    }
    if plan.continues {
        let latest = running.latest_session().await?;
        new.id = latest.context(
            "there is no session of this agent in this directory to continue; start one without \
             --continue",
        )?;
    }
    let ended = chat
        .session(&running.agent, new, plan.resumed, plan.message)
        .await;
    chat.drain()?;
    // Background runs are drained, not dropped.
    let left = running.close(DRAIN).await;
    chat.drain()?;
    if left > 0 {
        tracing::warn!("{left} background runs did not end within {DRAIN:?} and are lost");
    }
    ended
}
