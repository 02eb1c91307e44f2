//! The state that outlives processes.

use std::any::Any;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use portcullis::approval::{Approver, DeferAll, DenyAll};
use portcullis::contract::{ContentPart, Message, Role};
use portcullis::points::PointId;
use portcullis_agent::{
    Agent, AgentEvent, EventReceiver, EventSender, NewSession, Replay, RunRecorder,
};

use crate::agent;
use crate::mortality::{Dies, Mortality};
use crate::runtime::{Process, Runtime};
use crate::tools::Trail;

/// The state that outlives a process: a session, a directory, and the effects outside.
pub struct World {
    /// The session's id, which is unique to this world.
    pub session: String,
    /// The calls of hooks and the runs of tools.
    pub done: Trail,
    /// The treatment of the tools `echo` and `other` if their process died.
    pub replay: Replay,
    /// The hook of the agent.
    pub hook: Option<&'static str>,
    /// A tool that the agent does not have.
    pub removed: Option<&'static str>,
    /// The agent's actions.
    pub story: Story,
    /// The journal of the agent.
    pub journal: Option<Arc<dyn RunRecorder>>,
    /// The time that a suspended turn waits for its answers.
    pub answer_within: Option<Duration>,
    /// The time by which the clock of the started processes is ahead of the others', in their
    /// records.
    pub clock_ahead_ms: i64,
    /// Whether the next model call fails.
    pub(crate) fails: Arc<AtomicBool>,
    /// The dead processes.
    pub dead: Arc<Dead>,
    dir: tempfile::TempDir,
}

/// Dead processes. Until their world ends, they neither run nor release anything, as after a kill. Then their files are
/// closed, so that the test program does not run out of open files.
#[derive(Default)]
pub struct Dead(Mutex<Vec<Box<dyn Any + Send>>>);

impl Dead {
    /// Keeps a part of a dead process.
    pub fn keep(&self, part: impl Any + Send) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        parts.push(Box::new(part));
    }
}

/// The actions of a world's agent on the input `go`. On the input `again`, it answers `fresh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Story {
    /// Two parallel tools, then a change of the agent's state beside a sub-agent that calls a tool.
    Whole,
    /// A tool that does not end.
    Hangs,
    /// A tool that a person is asked about, as the call `c1`.
    Asks,
    /// A sub-agent, as the call `c1`, with two calls that a person is asked about: its own `h1`, and `d1` of its own
    /// sub-agent, which is its call `h2`.
    HelperAsks,
    /// The first model call fails, and the second one answers `fresh`.
    Fails,
}

/// A process and its observers.
pub struct Running {
    /// The process.
    pub process: Box<dyn Process>,
    /// The moment when it dies.
    pub mortality: Mortality,
    /// Its events.
    pub events: EventReceiver,
}

impl World {
    /// Creates a world.
    ///
    /// # Panics
    ///
    /// No temporary directory can be created.
    pub fn new(story: Story, replay: Replay) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        Self {
            session: format!("s-{}-{next}", std::process::id()),
            done: Trail::default(),
            replay,
            hook: Some("a-recorder"),
            removed: None,
            story,
            journal: None,
            answer_within: None,
            clock_ahead_ms: 0,
            fails: Arc::new(AtomicBool::new(story == Story::Fails)),
            dead: Arc::default(),
            dir: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    /// Returns a directory that is removed with the world.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Starts a process of a runtime in this world.
    pub async fn start(&self, runtime: &dyn Runtime, dies: Dies) -> Running {
        let mortality = Mortality::with_clock(dies, self.clock_ahead_ms);
        let (agent, new, events) = self.agent(runtime.agent());
        Running {
            process: runtime.start(self, agent, new, mortality.clone()).await,
            mortality,
            events,
        }
    }

    /// Returns the agent of a process, the way its session is opened, and its events.
    pub fn agent(&self, name: &str) -> (Agent, NewSession, EventReceiver) {
        let events = EventSender::new();
        let receiver = events.subscribe();
        let approver: Arc<dyn Approver> = match self.story {
            Story::Asks | Story::HelperAsks => Arc::new(DeferAll),
            Story::Whole | Story::Hangs | Story::Fails => Arc::new(DenyAll),
        };
        let new = NewSession {
            id: self.session.clone(),
            approver,
            answer_within: self.answer_within,
            ..NewSession::default()
        };
        (agent::agent(self, name, events), new, receiver)
    }

    /// Returns the number of times that this was done.
    pub fn runs(&self, what: &str) -> usize {
        self.done.count(what)
    }

    /// Waits until this was done.
    pub async fn until(&self, what: &str) {
        while self.runs(what) == 0 {
            tokio::task::yield_now().await;
        }
    }
}

impl Running {
    /// Returns the points of the turn and the hooks that ran there, as subscribers received them.
    /// Pieces of responses are not recorded.
    pub fn trace(&mut self) -> Vec<String> {
        trace_of(&mut self.events)
    }
}

/// Returns the same trace of other events.
pub(crate) fn trace_of(events: &mut EventReceiver) -> Vec<String> {
    let mut trace = Vec::new();
    while let Some(emitted) = events.try_next() {
        let AgentEvent::HookRun { run } = &emitted.event else {
            continue;
        };
        if emitted.turn > 0 && run.point != PointId::LlmDelta {
            trace.push(format!("{} {} {}", run.point, run.hook, emitted.step));
        }
    }
    trace
}

/// Returns a conversation as `role: text` lines.
pub(crate) fn lines(conversation: &[Message]) -> Vec<String> {
    let role = |role| match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let line = |message: &Message| {
        let said = message.content.iter().map(|part| match part {
            ContentPart::Text(text) | ContentPart::Thinking(text) => text.clone(),
            ContentPart::ToolResult(result) => result.content.clone(),
            ContentPart::ToolCall(call) => format!("{}({})", call.name, call.arguments),
            ContentPart::Image(_) => "[image]".into(),
        });
        format!("{}: {}", role(message.role), said.collect::<String>())
    };
    conversation.iter().map(line).collect()
}
