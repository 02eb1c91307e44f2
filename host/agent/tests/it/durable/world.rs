//! A world that outlives processes, and processes that die in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use portcullis::contract::{ContentPart, Role, StopReason, ToolCall, Usage};
use portcullis::points::PointId;
use portcullis_agent::{
    Agent, AgentEvent, AgentSession, DeltaSink, EventReceiver, EventSender, LlmRequest,
    LlmResponse, NewSession, NewTurn, Provider, ProviderError, RecordedEffect, Replay, SetState,
    ToolStrategy, Toolbox, TurnEnd, TurnError, TurnStore, TurnStoreError, UnfinishedTurn,
};
use portcullis_store::{Durability, Store, StoreOptions, StoreUrl};
use serde_json::json;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::support::{Echo, Trail, quick, recorder};

/// What outlives a process: the store, and what was done outside.
pub struct World {
    dir: tempfile::TempDir,
    /// The calls of hooks and the runs of tools.
    pub done: Trail,
    pub replay: Replay,
    /// The hook of the agent.
    pub hook: Option<&'static str>,
}

/// When a process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dies {
    Never,
    /// When this effect is done, before it is recorded.
    Unrecorded(usize),
    /// When this effect is recorded.
    Recorded(usize),
}

/// A store that the process has until it dies.
struct Mortal {
    store: portcullis_store::Turns,
    dies: Dies,
    recorded: Arc<AtomicUsize>,
    died: Arc<Notify>,
}

impl Mortal {
    async fn die(&self) -> ! {
        self.died.notify_one();
        std::future::pending().await
    }
}

#[async_trait]
impl TurnStore for Mortal {
    async fn begin(&self, turn: NewTurn) -> Result<(), TurnStoreError> {
        self.store.begin(turn).await
    }

    async fn record(&self, id: &str, effect: RecordedEffect) -> Result<(), TurnStoreError> {
        let number = self.recorded.fetch_add(1, Ordering::Relaxed);
        if self.dies == Dies::Unrecorded(number) {
            self.die().await;
        }
        self.store.record(id, effect).await?;
        if self.dies == Dies::Recorded(number) {
            self.die().await;
        }
        Ok(())
    }

    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError> {
        self.store.is_there(id).await
    }

    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
        self.store.unfinished(session).await
    }

    async fn end(&self, id: &str) -> Result<(), TurnStoreError> {
        self.store.end(id).await
    }
}

/// A model that answers by how often it has answered in the conversation.
struct Model(Vec<Vec<ContentPart>>);

#[async_trait]
impl Provider for Model {
    fn default_model(&self) -> &str {
        "m"
    }

    async fn complete(
        &self,
        request: LlmRequest,
        _: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        let said = request
            .messages
            .iter()
            .filter(|m| m.role == Role::Assistant);
        let content = self.0[said.count() % self.0.len()].clone();
        Ok(LlmResponse {
            stop: match content
                .iter()
                .any(|p| matches!(p, ContentPart::ToolCall(_)))
            {
                true => StopReason::ToolUse,
                false => StopReason::EndTurn,
            },
            content,
            usage: Usage {
                input_tokens: 10,
                output_tokens: 1,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        })
    }
}

fn call(id: &str, name: &str, arguments: serde_json::Value) -> ContentPart {
    ContentPart::ToolCall(ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.to_string(),
    })
}

fn text(text: &str) -> Vec<ContentPart> {
    vec![ContentPart::Text(text.into())]
}

/// A process with an agent.
pub struct Process {
    pub agent: Agent,
    pub events: EventReceiver,
    pub new: NewSession,
    /// How many effects it has recorded.
    pub recorded: Arc<AtomicUsize>,
    died: Arc<Notify>,
    store: Store,
}

/// What a process left, or how its turn ended.
pub enum Left {
    Died,
    Ended(AgentSession, Result<TurnEnd, TurnError>),
}

impl World {
    pub fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            done: Trail::default(),
            replay: Replay::Never,
            hook: Some("a-recorder"),
        }
    }

    fn toolbox(&self) -> Toolbox {
        let mut tools = Toolbox::new();
        for name in ["echo", "other"] {
            let trail = self.done.clone();
            tools.add(Arc::new(Echo { name, trail })).unwrap();
            tools.set_replay(name, self.replay);
        }
        tools.add(Arc::new(SetState)).unwrap();
        tools
    }

    fn agent(&self, events: EventSender) -> Agent {
        let child = Agent::builder()
            .provider(
                "m",
                Arc::new(Model(vec![
                    vec![call("h1", "echo", json!({"text": "within"}))],
                    text("the helper is done"),
                ])),
            )
            .tools(Arc::new(self.toolbox()))
            .config(quick())
            .build()
            .unwrap();
        let mut config = quick();
        config.tool_strategy = ToolStrategy::Parallel;
        Agent::builder()
            .provider(
                "m",
                Arc::new(Model(vec![
                    vec![
                        call("c1", "echo", json!({"text": "a"})),
                        call("c2", "other", json!({"text": "b"})),
                    ],
                    vec![
                        call("c3", "set_state", json!({"key": "mood", "value": "good"})),
                        call("c4", "helper", json!({"task": "help"})),
                    ],
                    text("all is done"),
                ])),
            )
            .tools(Arc::new(self.toolbox()))
            .subagent("helper", "Helps.", child)
            .native(self.hook.map(|hook| recorder(hook, &self.done)))
            .events(events)
            .config(config)
            .build()
            .unwrap()
    }

    /// Starts a process. Without `dies` its turns are not recorded.
    pub async fn start(&self, dies: Option<Dies>) -> Process {
        let options = StoreOptions::default().durability(Durability::Normal);
        let url = StoreUrl::sqlite(self.dir.path().join("store.sqlite"));
        let store = Store::open(url, options).await.unwrap();
        let events = EventSender::new();
        let receiver = events.subscribe();
        let recorded = Arc::<AtomicUsize>::default();
        let died = Arc::<Notify>::default();
        let turns = dies.map(|dies| {
            Arc::new(Mortal {
                store: store.turns(),
                dies,
                recorded: recorded.clone(),
                died: died.clone(),
            }) as Arc<dyn TurnStore>
        });
        // What a dead process had open.
        store.sessions().release("s").await.unwrap();
        let new = NewSession {
            id: "s".into(),
            sessions: Some(Arc::new(store.sessions())),
            turns,
            ..NewSession::default()
        };
        Process {
            agent: self.agent(events),
            events: receiver,
            new,
            recorded,
            died,
            store,
        }
    }

    pub fn runs(&self, what: &str) -> usize {
        self.done.count(what)
    }
}

impl Process {
    /// Finishes the turn that another process began; or else runs one.
    pub async fn turn(&mut self) -> Left {
        let mut session = self.agent.session(self.new.clone()).await.unwrap();
        let died = self.died.clone();
        let ended = tokio::select! {
            biased;
            () = died.notified() => None,
            ended = async {
                match session.finish_turn(CancellationToken::new()).await {
                    Some(ended) => ended,
                    None => session.turn("go").await,
                }
            } => Some(ended),
        };
        match ended {
            Some(ended) => Left::Ended(session, ended),
            None => {
                // Nothing of a dead process runs.
                std::mem::forget(session);
                std::mem::forget(self.store.clone());
                Left::Died
            }
        }
    }

    /// The points of the turn and the hooks that ran there, as subscribers heard of them. Pieces of responses are
    /// not recorded.
    pub fn trace(&mut self) -> Vec<String> {
        let mut trace = Vec::new();
        while let Some(emitted) = self.events.try_next() {
            let AgentEvent::HookRun { run } = &emitted.event else {
                continue;
            };
            if emitted.turn > 0 && run.point != PointId::LlmDelta {
                trace.push(format!("{} {} {}", run.point, run.hook, emitted.step));
            }
        }
        trace
    }
}
