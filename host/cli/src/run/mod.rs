//! `portcullis run`: an agent with hooks.

mod again;
mod agents;
mod approvals_arg;
mod args;
mod armed;
mod chat;
mod command;
mod edits;
mod front;
mod json;
mod mcp_arg;
mod model_source;
mod person;
mod poll;
pub mod protocol;
pub mod reload;
mod remote;
mod screen;
pub mod split;
mod streamed;
mod suspended;
mod tool_lines;
mod view;

use std::io::Read as _;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use portcullis::approval::DenyAll;
use portcullis_agent::NewSession;
use portcullis_agent_file::{AgentFile, Continues, LoadedHooks, StartError, StartOptions};
use portcullis_store::Store;

pub use self::again::Again;
pub use self::args::{OutputArgs, RunArgs};
pub use self::chat::Begin;
use self::chat::jobs::JobsEnd;
use self::chat::{Chat, State};
pub use self::edits::Edits;
use self::front::Front;
use self::person::Person;
use self::protocol::Program;
use self::view::View;
use crate::agent_file;
use crate::approval::{Queue, Recorded, TerminalApprover};
use crate::files::history_path;
use crate::input::{Editing, Lines};
use crate::store::open_users;
use crate::terminal::format::print_line;
use crate::terminal::progress::Waiting;
use crate::terminal::signals::Signal;
use crate::terminal::style::NOTE;
use crate::terminal::{Out, Printable, units};

/// The time that background work has once the session has ended.
const DRAIN: Duration = Duration::from_secs(10);
/// The same time, if it was waited for before.
const DRAIN_AFTER_WAIT: Duration = Duration::from_secs(1);
/// The advice for questions without a terminal.
const NO_TERMINAL: &str =
    "say with `--approvals` who answers: `defer`, `deny` or `command:PROGRAM ARGS`";

/// Runs the command.
pub fn run(args: RunArgs) -> anyhow::Result<ExitCode> {
    let mut file = args.agent.load()?.unwrap_or_default();
    let mut plan = Plan::new(&args.output);
    plan.again = args.again;
    plan.of_workers = args.edits.of_workers();
    args.edits.apply(&mut file)?;
    if let Some(url) = args.restate {
        file.restate.get_or_insert_default().url = url;
    }
    plan.wait = args.wait;
    plan.session = args.session;
    plan.continues = args.continues;
    plan.finishes = args.finish.then_some(args.every.map(Duration::from_secs));
    plan.begin.message = args.message;
    plan.keeps_history = !args.no_history;
    start(plan, &file)
}

/// The plan for one run of the command.
pub struct Plan {
    json: bool,
    verbosity: args::Verbosity,
    /// Whether runs keep their changes and their host calls.
    is_traced: bool,
    /// Whether a suspended turn is waited for.
    pub wait: bool,
    /// The session to continue, or to begin.
    session: Option<String>,
    /// Whether the session that was last used is continued.
    continues: bool,
    /// Whether interrupted turns are finished, and the interval between searches, if there are
    /// several.
    finishes: Option<Option<Duration>>,
    /// Whether inputs at the prompt are kept.
    keeps_history: bool,
    /// The given options that workers would need, if they run the turns.
    pub of_workers: Vec<&'static str>,
    /// The options that a command about a suspended turn repeats.
    pub again: Again,
    /// The session's beginning.
    pub begin: Begin,
}

impl Plan {
    /// Creates a plan for a conversation.
    pub fn new(output: &OutputArgs) -> Self {
        Self {
            json: output.json,
            verbosity: output.verbosity(),
            is_traced: output.trace,
            wait: false,
            session: None,
            continues: false,
            finishes: None,
            keeps_history: true,
            of_workers: Vec::new(),
            again: Again::default(),
            begin: Begin::default(),
        }
    }

    /// Returns the session to continue.
    fn continues(&self) -> Continues {
        match (&self.begin.resumed, &self.session) {
            (Some((checkpoint, _)), _) => Continues::Turn(checkpoint.clone()),
            (None, Some(id)) => Continues::Session(id.clone()),
            (None, None) if self.continues => Continues::Latest,
            (None, None) => Continues::Nothing,
        }
    }

    /// Returns whether a program drives the session.
    pub fn is_driven(&self) -> bool {
        self.json && self.begin.message.is_none() && self.finishes.is_none()
    }
}

/// Starts the agent of a file, and runs a session.
pub fn start(mut plan: Plan, file: &AgentFile) -> anyhow::Result<ExitCode> {
    if file.restate.is_some() {
        remote::check(&plan)?;
    }
    let faults = file.faults();
    if !faults.is_empty() {
        return Err(StartError::Faults(faults).into());
    }
    if plan.begin.message.as_deref() == Some("-") {
        let mut message = String::new();
        let read = std::io::stdin().read_to_string(&mut message);
        read.context("the message cannot be read from the standard input")?;
        plan.begin.message = Some(message.trim_end_matches(['\r', '\n']).to_owned());
    }
    let store = match file.stores.open_blocking()? {
        Some(store) => Some(store),
        None => open_users(file.stores.options()),
    };
    let runtime = crate::runtime::start()?;
    let ended = match &file.restate {
        Some(restate) => runtime.block_on(remote::run(plan, file, restate, store)),
        None => {
            let hooks = agent_file::load_hooks(file, store.as_ref())?;
            runtime.block_on(chat(plan, file, hooks, store))
        }
    };
    // A thread may still wait for a line of input.
    runtime.shutdown_background();
    ended
}

async fn chat(
    plan: Plan,
    file: &AgentFile,
    hooks: LoadedHooks,
    store: Option<Store>,
) -> anyhow::Result<ExitCode> {
    let (queue, questions) = Queue::new();
    let approver = file.approvals.approver(file.working_dir.clone());
    let approver = Recorded::new(approver.unwrap_or_else(|| match plan.finishes {
        None => Arc::new(queue),
        // Nobody can be asked: with `--finish`, the command works alone.
        Some(_) => Arc::new(DenyAll),
    }));
    let mut view: Box<dyn View> = match plan.json {
        true => Box::new(json::JsonLines),
        false => {
            let again = plan.again.clone();
            let screen = screen::Screen::new(plan.verbosity, approver.clone(), again);
            Box::new(screen)
        }
    };
    let mut options = StartOptions::new(hooks.clone());
    options.store = store.clone();
    options.continues = plan.continues();
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
    for warning in &running.warnings {
        let warning = Printable::line(warning);
        print_line!(Out::stderr(), "{NOTE}warning:{NOTE:#} {}", warning)?;
    }
    if running.pruned.sessions > 0 {
        tracing::warn!(
            "by the retention of `[stores]`, deleted {}",
            crate::sessions::words(&running.pruned)
        );
    }
    view.opening(&armed::report(&hooks, &running.tools, !file.hooks.enabled))?;
    let mut new = NewSession {
        approver: Arc::new(approver),
        keep_values: plan.is_traced,
        keep_calls: plan.is_traced,
        ..running.new_session()
    };
    if let Some(id) = plan.session.as_ref().or(running.continued.as_ref()) {
        new.id = id.clone();
    } else if plan.continues {
        anyhow::bail!(
            "there is no session of this agent and user in this directory to continue; start one \
             without --continue"
        );
    }
    if plan.continues {
        view.continuing(&new.id)?;
    }
    let is_driven = plan.is_driven();
    let converses = plan.begin.message.is_none()
        && plan.finishes.is_none()
        && (is_driven || plan.begin.resumed.is_none());
    let lines = match converses && !is_driven && Editing::is_possible() {
        true => Lines::edited(Editing {
            words: command::NAMES.map(|(name, _)| name).into(),
            history: plan.keeps_history.then(history_path).flatten(),
        }),
        false => Lines::default(),
    };
    let lines = Arc::new(lines);
    let front: Box<dyn Front> = match is_driven {
        true => Box::new(Program::new(lines)),
        false => {
            let person = TerminalApprover::new(lines.clone());
            let person = person
                .may_defer(new.checkpoints.is_some())
                .instead(NO_TERMINAL);
            Box::new(Person::new(lines, person, converses))
        }
    };
    let mut chat = Chat {
        events,
        questions,
        hooks: hooks.clone(),
        view,
        front,
        store: new.checkpoints.clone(),
        waits: plan.wait || is_driven,
        state: State::default(),
    };
    // Only after the events are subscribed to.
    let _reloading = reload::start(&hooks, file)?;
    let ended = match plan.finishes {
        Some(again) => {
            let store = store.filter(|_| new.turns.is_some());
            let store = store.context(
                "the agent is not durable, so it has no interrupted turns; add --durable, or `durable = true`",
            )?;
            Box::pin(chat.finish_all(&running.agent, &new, &store, again)).await
        }
        None => {
            chat.session(&running.agent, new, plan.begin, converses)
                .await
        }
    };
    chat.drain()?;
    let waited = chat.wait_for_jobs(&running.agent, DRAIN).await;
    let within = match waited {
        Ok(JobsEnd::Ended) => DRAIN,
        _ => DRAIN_AFTER_WAIT,
    };
    // Background runs are drained, not dropped.
    let left = running.close(within).await;
    chat.drain()?;
    if left > 0 {
        tracing::warn!(
            "{} did not end: jobs in the store run again at the next start, the others are lost",
            units::plural(left, "background run")
        );
    }
    match waited? {
        JobsEnd::Signal(signal @ Signal::Terminate) => {
            ended.and(Ok(ExitCode::from(signal.exit_code())))
        }
        _ => ended,
    }
}
