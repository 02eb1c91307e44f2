//! An agent loop around Portcullis hooks.
//!
//! [`Agent`] is what sessions are opened from; it is made of providers, tools, a memory, a policy,
//! hooks, events and a configuration, each behind a trait with real implementations here. An
//! [`AgentSession`] is one conversation.
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
//! The loop is that of seed 000, and each point fires once for each occurrence:
//!
//! 1. session-start
//! 2. for each turn: pre-turn → memory's context → the prompt's assembly → steps → memory takes
//!    note → post-turn
//! 3. for each step: (pre-compaction → summary → post-compaction, if the conversation is over its
//!    limit) → pre-llm-call → provider → post-llm-call → the tool calls
//! 4. for each tool call: policy → pre-tool-call → the tool → post-tool-call → the result is
//!    committed
//! 5. session-end, however the session ends
//!
//! The assembly is prompt-policy → prompt-context → the preflight plan → prompt-recall → prompt-tools
//! → prompt-compile, once in a turn. What it gives ([`prompt`]) goes into the turn's model requests
//! and is not kept in the conversation: the sections as one message of the role `system` directly
//! behind the operator's, and what hooks say in place of the operator's instructions.
//!
//! A failed model call fires llm-error, a failed turn turn-error. What a hook answers in place of an
//! operation (pre-turn, pre-llm-call, pre-tool-call) passes the operation's post point like the real
//! result would.
//!
//! # What a refusal does
//!
//! | point | a refusal, or the failure of a hook that fails closed |
//! | --- | --- |
//! | session-start | the session does not begin |
//! | pre-turn, pre-llm-call, post-llm-call, post-turn | the turn fails; turn-error may recover it |
//! | the prompt's points | (failure only) the turn fails; turn-error may recover it |
//! | pre-tool-call | the tool does not run; the model is told why |
//! | post-tool-call | the output is withheld; the model is told why |
//! | pre-compaction | the conversation stays as it is |
//! | llm-error, turn-error | (failure only) the turn fails |
//! | session-end, post-compaction | nothing |

mod agent;
mod builtin;
mod checkpoint;
mod clock;
mod config;
mod database;
mod error;
mod events;
mod guards;
mod jobs;
mod journal;
mod memory;
mod policy;
pub mod prompt;
mod provider;
mod session;
mod suspension;
mod text;
mod tokens;
mod tool;
mod workspace;

pub use agent::{Agent, AgentBuilder, AgentContext, BuildError};
pub use builtin::{ContextConfig, context_config};
pub use checkpoint::{
    BadCheckpointId, Checkpoint, CheckpointError, CheckpointId, CheckpointInfo, CheckpointStore,
    NewCheckpoint, SqliteCheckpoints,
};
pub use config::{AgentConfig, CompactionConfig, Deltas, PiecesConfig, RetryConfig, ToolStrategy};
pub use error::{ResumeError, SessionError, TurnError};
pub use events::{
    AgentEvent, CallPurpose, Emitted, EventReceiver, EventSender, RetryAction, SessionEndReason,
    SteeringCheckpoint, TurnOrigin,
};
pub use guards::{Guards, finish_reason_guard, steps_guard, time_guard, tokens_guard};
pub use jobs::{Job, JobError, JobHandler};
pub use journal::{
    HookSummary, Journal, JournalError, JournalRun, RunEnd, RunFilter, RunRow, RunState,
    UnknownRunState,
};
pub use memory::{Memory, MemoryError, MemoryTurn, NoMemory, SqliteMemory, SqliteMemoryConfig};
pub use policy::{
    Denial, ExecutionGrant, OtherTools, Policy, PolicyRequest, RulePolicy, TimeLimit,
};
pub use prompt::{FallbackPreflight, Preflight, PreflightError, PreflightPlan, PreflightTurn};
pub use provider::{
    ApiConfig, ApiConfigError, ApiKey, ApiKind, ApiProvider, Delta, DeltaSink, Effort, LlmRequest,
    LlmResponse, NoDeltas, Provider, ProviderError, Providers, ProvidersError, Script, ScriptError,
    ScriptedError, ScriptedProvider, ScriptedResponse, ScriptedToolCall, ScriptedUsage,
};
pub use session::{AgentSession, NewSession, Steering, TurnEnd, TurnInput, TurnReport};
pub use suspension::{PendingCall, Question, Resolution, SuspendReason, Suspension, Wanted};
pub use tool::{
    ListDir, McpError, McpServer, McpServerConfig, ReadFile, RunCommand, Tool, ToolDispatcher,
    ToolError, ToolOutput, ToolProgress, ToolRun, ToolState, Toolbox, ToolboxError, WriteFile,
    builtin_tools,
};
pub use workspace::{
    Evictions, Workspace, WorkspaceConfig, WorkspaceError, WorkspaceEvent, WorkspaceEventKind,
    WorkspaceObserver, Workspaces,
};
