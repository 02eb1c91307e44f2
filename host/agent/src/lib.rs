//! An agent loop around Portcullis hooks.
//!
//! An [`Agent`] opens sessions. It consists of providers, tools, a memory, a policy, hooks, events
//! and a configuration, each behind a trait with real implementations here. An [`AgentSession`] is
//! one conversation.
//!
//! ```
//! use std::sync::Arc;
//!
//! use portcullis_agent::{Agent, AgentConfig, NewSession, Script, Toolbox, builtin_tools};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let script = Script::parse(r#"{ "responses": [{ "text": "Hello, Ann!" }] }"#)?;
//! let mut tools = Toolbox::new();
//! tools.extend(builtin_tools())?;
//!
//! let agent = Agent::builder()
//!     .providers(script.providers())
//!     .tools(Arc::new(tools))
//!     .config(AgentConfig { name: "greeter".into(), ..AgentConfig::default() })
//!     .build()?;
//!
//! let mut session = agent.session(NewSession::default()).await?;
//! let ended = session.turn("I am Ann.").await?;
//! assert_eq!(ended.done().map(|report| report.text()), Ok("Hello, Ann!".into()));
//! session.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! # Order
//!
//! The loop is AgentHook's. Each point fires once for each occurrence:
//!
//! 1. session-start
//! 2. for each turn: pre-turn → memory's context → prompt assembly → steps → turn-stopping → memory
//!    observes → post-turn
//! 3. for each step: pre-step → (pre-compaction → summary → post-compaction, if the conversation is
//!    over its limit) → pre-llm-call → provider, with llm-delta for each piece → post-llm-call → the
//!    tool calls → post-step
//! 4. for each tool call: policy → pre-tool-call → the tool, with tool-update → event →
//!    tool-update-sent for each update → the deciding hooks of post-tool-call → state-changed → the
//!    result is committed → the observing hooks of post-tool-call
//! 5. for each sub-agent: policy → pre-subagent → its session, in which the parents' hooks run first
//!    → post-subagent
//! 6. message-added, whenever a message is added to the conversation
//! 7. session-end, however the session ends
//!
//! The prompt assembly is prompt-policy → prompt-context → the preflight plan → prompt-recall →
//! prompt-tools → prompt-compile, once in a turn. Its result ([`prompt`]) is part of the turn's model
//! requests and not of the conversation: the sections as one message of role `system` directly after
//! the operator's, and the instructions that hooks set in place of the operator's.
//!
//! A failed model call fires llm-error, a failed turn turn-error. What a hook answers in place of an
//! operation (pre-turn, pre-llm-call, pre-tool-call, pre-subagent) passes the operation's post point
//! like the real result. A turn that has to wait fires turn-suspended; [`Agent::resume`] fires
//! turn-resumed, and the turn continues where it stopped.
//!
//! A workspace has points of its own: workspace-opened, workspace-closed, workspace-evicted,
//! workspace-eviction-retried and workspace-snapshotted.
//!
//! # What a refusal does
//! `docs/concepts/outcomes.md` has a table of refusals. The page of each point, in `docs/points/`,
//! describes the failure of a hook that fails closed. This loop has these additional effects:
//!
//! | point | a failure that fails closed |
//! | --- | --- |
//! | llm-delta | the turn fails; a refused piece is only left out |
//! | llm-error, state-changed | the turn fails with the call |
//! | post-subagent | the result of the call is the reason |
//! | tool-update-sent | the tool continues |
//!
//! A turn that fails fires turn-error, which may recover it.
//!
//! # Features
//!
//! All are on by default.
//!
//! | feature | without it |
//! | --- | --- |
//! | `api` | no models behind HTTP APIs: `ApiProvider` |
//! | `mcp` | no tools of MCP servers: `McpServer`. It needs `api` |
//! | `http`, `watch` | those of the crate `portcullis` |
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `basics` | text, tokens, units |
//! | `checkpoint`, `effects`, `guards`, `journal`, `memory`, `policy`, [`prompt`], `provider`, `saved`, `workspace` | the parts of an agent, each behind its trait |
//! | `config`, `tool` | the configuration; tools |
//! | `events` | events and their channel |
//! | `approval`, `jobs`, `exchange` | approvers; background jobs; what an embedder gives a session and gets back |
//! | `sink`, `hook_model` | the sink of a session's hooks; the agent's model for hooks |
//! | `shared` | what all sessions of an agent share |
//! | `session` | the loop; its rooms are listed in its own docs |
//! | `agent` | the agent and its builder |

mod agent;
mod approval;
mod basics;
mod checkpoint;
mod config;
mod effects;
mod events;
mod exchange;
mod guards;
mod hook_model;
mod jobs;
mod journal;
mod memory;
mod policy;
pub mod prompt;
mod provider;
mod saved;
mod session;
mod shared;
mod sink;
mod tool;
mod workspace;

pub use agent::{Agent, AgentBuilder, BuildError};
pub use approval::{ApprovalRequest, CommandApprover};
pub use checkpoint::{
    AnsweredBy, Answerer, BadCheckpointId, Checkpoint, CheckpointError, CheckpointId,
    CheckpointInfo, CheckpointStore, ClaimedBy, HookQuestion, NO_ANSWER, NewCheckpoint,
    PendingCall, ProcessState, Question, Resolution, Wanted,
};
pub use config::{AgentConfig, CompactionConfig, Deltas, PiecesConfig, RetryConfig, ToolStrategy};
pub use effects::{
    Effects, EffectsError, Local, NewTurn, Place, RecordedEffect, TurnStore, TurnStoreError,
    UnfinishedTurn, Within,
};
pub use events::{
    AgentEvent, CallPurpose, Emitted, EventReceiver, EventSender, RetryAction, SessionEndReason,
    SessionSpan, SteeringCheckpoint, TraceContent, TracePlace, Tracer, TurnFrom, TurnOrigin,
    TurnSpan, TurnTrace,
};
pub use exchange::{
    NewSession, ResumeError, SessionError, Steering, SuspendReason, Suspension, TurnEnd, TurnError,
    TurnInput, TurnReport,
};
pub use guards::{
    Guards, finish_reason_guard, is_guard, steps_guard, steps_guard_by, time_guard, tokens_guard,
};
pub use jobs::{
    CommandJob, Job, JobError, JobHandler, JobId, JobStore, JobStoreError, MAX_JOB_ATTEMPTS,
    TakenOver, ToolJob,
};
pub use journal::{
    EventRow, FieldChange, HookAuthority, HookEnd, HookRan, HookStart, JournalEvent,
    JournalObserver, NotRun, RepeatDecision, RunEnd, RunRecorder, RunRow, RunState,
    UnknownRunState, WouldHave, next_run_id, shortened,
};
pub use memory::{
    Memory, MemoryConfig, MemoryError, MemoryTurn, NoMemory, PastTurn, PastTurns, RecallMemory,
};
pub use policy::{
    Denial, ExecutionGrant, OtherTools, Policy, PolicyRequest, RulePolicy, TimeLimit,
};
pub use prompt::{
    ContextConfig, FallbackPreflight, Preflight, PreflightError, PreflightPlan, PreflightTurn,
    ToolsPolicy, context_config,
};
#[cfg(feature = "api")]
pub use provider::{ApiConfig, ApiConfigError, ApiKey, ApiKind, ApiProvider, Effort};
pub use provider::{
    Delta, DeltaSink, LlmRequest, LlmResponse, NoDeltas, Provider, ProviderError, Providers,
    ProvidersError, Script, ScriptError, ScriptedError, ScriptedProvider, ScriptedResponse,
    ScriptedToolCall, ScriptedUsage, Signature, Signatures,
};
pub use saved::{SavedSession, SavedSessionError, SessionStore};
pub use session::{AgentSession, discard_suspended};
pub use shared::AgentContext;
pub use tool::{
    FinishTool, LineCommand, ListDir, ReadFile, Replay, RunCommand, SetState, Tool, ToolDispatcher,
    ToolError, ToolGuard, ToolOutput, ToolProgress, ToolRun, ToolState, Toolbox, ToolboxError,
    WriteFile, builtin_tools, child, refusal,
};
#[cfg(feature = "mcp")]
pub use tool::{McpError, McpHttpConfig, McpServer, McpServerConfig, progress_text};
pub use workspace::{
    Evictions, Workspace, WorkspaceConfig, WorkspaceError, WorkspaceEvent, WorkspaceEventKind,
    WorkspaceObserver, WorkspaceOwner, Workspaces,
};
