//! The hooks of a connection: MCP messages as calls of points.

mod after;
mod before;
mod events;
mod lifecycle;
mod offer;
mod update;

pub(crate) use after::{Checked, Outcome};
pub(crate) use before::{Before, Person, Refusal, ToolRequestFacts};
pub(crate) use offer::Offer;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use portcullis::approval::DeferAll;
use portcullis::contract::Context;
use portcullis::observer::{HookObserver, TracingSink};
use portcullis::points::{
    Point, PointId, PostToolCall, PreToolCall, PromptPolicy, PromptTools, ToolUpdate,
    ToolUpdateSent,
};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::session::SessionInfo;
use portcullis::state::StoredState;
use portcullis::text::sanitize_for_terminal;
use portcullis::trace::TraceContext;
use portcullis::{Hooks, Session, SessionOptions, Views};
use portcullis_agent::{JournalObserver, NewSession, RunRecorder};
use portcullis_telemetry::{Entry, Telemetry};

/// The points that the proxy calls. A hook that serves none of them never runs.
pub const POINTS: [PointId; 8] = [
    PointId::SessionStart,
    PointId::PromptPolicy,
    PointId::PromptTools,
    PointId::PreToolCall,
    PointId::PostToolCall,
    PointId::ToolUpdate,
    PointId::ToolUpdateSent,
    PointId::SessionEnd,
];

/// The facts about a connection that its hooks receive, and its journal and telemetry.
#[derive(Clone, Default)]
pub struct HookOptions {
    /// The server's name. If it has one, hooks see its tools as `NAME__TOOL`, as they do in an agent. Default:
    /// none, and hooks see the tools' own names.
    pub server: Option<String>,
    /// The user, for hooks that may see the session's user. Default: unknown.
    pub user: Option<String>,
    /// The session's id. Default: a new one.
    pub session: Option<String>,
    /// The session's last turn, if it is continued: the next call is the turn after it. Default: 0.
    pub last_turn: u32,
    /// The stored state of the session's hooks, as `Hooks::stored_state` returns it. Default: none,
    /// and the hooks' state is lost when the connection ends.
    pub state: Option<StoredState>,
    /// The recorder of hook runs and tool calls. Default: none.
    pub journal: Option<Arc<dyn RunRecorder>>,
    /// Records calls of tools and runs of hooks as spans. Default: none.
    pub telemetry: Option<Telemetry>,
}

impl fmt::Debug for HookOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookOptions")
            .field("server", &self.server)
            .field("user", &self.user)
            .field("session", &self.session)
            .field("last_turn", &self.last_turn)
            .finish_non_exhaustive()
    }
}

/// The hooks of one connection.
pub(crate) struct SessionHooks {
    hooks: Hooks,
    session: Session,
    server: Option<String>,
    views: Views,
    turns: AtomicU32,
    journal: Option<Arc<dyn RunRecorder>>,
    telemetry: Option<Telemetry>,
}

impl SessionHooks {
    pub(crate) fn open(hooks: &Hooks, options: HookOptions) -> Self {
        let id = options.session.unwrap_or_else(|| NewSession::default().id);
        let log: Arc<dyn HookObserver> = match &options.telemetry {
            Some(telemetry) => telemetry.observer(&id),
            None => Arc::new(TracingSink),
        };
        // A question becomes a pending decision, and the call asks the client.
        let session = hooks.session(SessionOptions {
            approver: Arc::new(DeferAll),
            sink: Arc::new(JournalObserver::new(log, options.journal.clone())),
            state: options.state,
            ..SessionOptions::new(id)
        });
        let dir = std::env::current_dir().ok();
        let info = SessionInfo {
            user: options.user,
            working_dir: dir.map(|dir| dir.display().to_string()),
            ..SessionInfo::default()
        };
        Self {
            hooks: hooks.clone(),
            session,
            server: options.server,
            views: Views {
                session: Arc::new(info),
                ..Views::default()
            },
            turns: AtomicU32::new(options.last_turn),
            journal: options.journal,
            telemetry: options.telemetry,
        }
    }

    /// Writes the state of the hooks to the store. Does nothing without a store.
    ///
    /// # Errors
    ///
    /// The store failed. Returns the error as text.
    pub(crate) async fn keep(&self) -> Result<(), String> {
        let kept = async {
            self.session.flush_state().await?;
            self.hooks.flush_state().await
        };
        let kept = kept.await;
        kept.map_err(|error| format!("what hooks remember cannot be kept: {error}"))
    }

    /// Returns the number of a new turn. MCP has no turns, so each tool call is one.
    pub(crate) fn new_turn(&self) -> u32 {
        self.turns.fetch_add(1, Ordering::Relaxed).saturating_add(1)
    }

    /// Returns whether calls are recorded as spans.
    pub(crate) fn is_traced(&self) -> bool {
        self.telemetry.is_some()
    }

    /// Begins the span of a tool call; `None` if calls are not recorded.
    pub(crate) fn enter(
        &self,
        tool: &str,
        call_id: &str,
        parent: Option<&TraceContext>,
    ) -> Option<Entry> {
        let telemetry = self.telemetry.as_ref()?;
        let mut entry = telemetry.enter(format!("tools/call {tool}"), parent);
        entry.set("mcp.method.name", "tools/call");
        entry.set("gen_ai.operation.name", "execute_tool");
        entry.set("gen_ai.tool.name", tool.to_owned());
        entry.set("gen_ai.tool.call.id", call_id.to_owned());
        entry.set("gen_ai.conversation.id", self.session.id().to_owned());
        Some(entry)
    }

    /// Returns whether hooks may add or hide tools.
    pub(crate) fn choose_tools(&self) -> bool {
        self.session.serves::<PromptPolicy>() || self.session.serves::<PromptTools>()
    }

    /// Returns whether hooks see a call before the server does.
    pub(crate) fn see_calls(&self) -> bool {
        self.choose_tools() || self.session.serves::<PreToolCall>()
    }

    /// Returns whether hooks see the outcome of a call.
    pub(crate) fn see_results(&self) -> bool {
        self.session.serves::<PostToolCall>()
    }

    /// Returns whether hooks see the progress of a call.
    pub(crate) fn see_progress(&self) -> bool {
        self.session.serves::<ToolUpdate>() || self.session.serves::<ToolUpdateSent>()
    }

    /// Returns the name that hooks see for one of the server's tools.
    pub(crate) fn name_of(&self, tool: &str) -> String {
        match &self.server {
            Some(server) => format!("{server}__{tool}"),
            None => tool.to_owned(),
        }
    }

    /// Returns the server's name for a tool.
    pub(crate) fn own_name<'a>(&self, tool: &'a str) -> &'a str {
        let own = self.server.as_ref().and_then(|server| {
            let own = tool.strip_prefix(server.as_str())?;
            own.strip_prefix("__")
        });
        own.unwrap_or(tool)
    }

    fn call<P: Point>(
        &self,
        turn: u32,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> portcullis::Call<P> {
        let mut views = self.views.clone();
        see(&mut views);
        let context = Context {
            session_id: self.session.id().to_owned(),
            agent: "mcp-proxy".to_owned(),
            turn,
            step: u32::from(turn > 0),
        };
        portcullis::Call::unchecked(context, subject, views)
    }
}

/// Reports the hooks' side outputs.
fn report(outputs: &[Contributed<SideOutput>]) {
    for output in outputs {
        match &output.value {
            SideOutput::Note(note) => {
                tracing::info!(hook = %output.by, code = note.code, "note: {}", note.data);
            }
            SideOutput::Job(job) => {
                tracing::warn!(
                    hook = %output.by,
                    "the job `{}` does not run: the MCP proxy has no job handlers",
                    job.name
                );
            }
            SideOutput::StateEdits(edits) => {
                let keys: Vec<&str> = edits.keys().map(String::as_str).collect();
                tracing::warn!(
                    hook = %output.by,
                    "its changes of the agent's state ({}) are dropped: the MCP proxy has none",
                    sanitize_for_terminal(&keys.join(", "))
                );
            }
        }
    }
}
