//! One call at one point: its context, its subject and the data that hooks can see.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use crate::contract::{ChainVerdict, ContentPart, Context, Message};
use crate::model::hook::HookId;
use crate::model::points::{Point, Unschemed};
use crate::model::prompt::Prompt;
use crate::model::tools::ToolCatalog;
use crate::model::trace_context::CallTrace;

/// One call at one point. A chain reads the call and applies the hooks' changes to it.
///
/// A call dereferences to its [data](CallData), which it shares with the instances that answer it.
/// Passing it to a hook copies nothing.
#[derive(Debug, Clone)]
pub struct Call<P: Point> {
    data: Arc<CallData<P>>,
}

/// The data of a call.
#[derive(Debug, Clone)]
pub struct CallData<P: Point> {
    /// The call's session, agent, turn and step.
    pub context: Context,
    /// The call's subject.
    pub subject: P::Subject,
    /// The data that hooks can see through their imports.
    pub views: Views,
}

impl<P: Unschemed> Call<P> {
    /// Creates a call with these views.
    ///
    /// ```
    /// use portcullis::Call;
    /// use portcullis::contract::Context;
    /// use portcullis::points::{Point, PreTurn};
    ///
    /// fn call(context: Context, subject: <PreTurn as Point>::Subject) -> Call<PreTurn> {
    ///     Call::<PreTurn>::new(context, subject, Default::default())
    /// }
    /// ```
    ///
    /// This function cannot create a tool call: [`Call::of_tool`] checks the arguments against the
    /// tool's schema.
    ///
    /// ```compile_fail,E0599
    /// use portcullis::Call;
    /// use portcullis::contract::Context;
    /// use portcullis::points::{Point, PreToolCall};
    ///
    /// fn call(context: Context, subject: <PreToolCall as Point>::Subject) -> Call<PreToolCall> {
    ///     Call::<PreToolCall>::new(context, subject, Default::default())
    /// }
    /// ```
    pub fn new(context: Context, subject: P::Subject, views: Views) -> Self {
        Self::unchecked(context, subject, views)
    }
}

impl<P: Point> Call<P> {
    /// Creates a call at any point, for code that is generic over points. At `pre-tool-call`,
    /// arguments that hooks change are checked by `views.tools`. For a tool that is not in that
    /// catalogue, they need only be a JSON object. [`Call::of_tool`] checks the arguments against
    /// the tool's schema.
    pub fn unchecked(context: Context, subject: P::Subject, views: Views) -> Self {
        Self {
            data: Arc::new(CallData {
                context,
                subject,
                views,
            }),
        }
    }

    /// Returns the data, or a copy if a hook still holds the data.
    pub fn into_data(self) -> CallData<P> {
        Arc::unwrap_or_clone(self.data)
    }

    /// Creates a call with this data.
    pub(crate) fn of(data: Arc<CallData<P>>) -> Self {
        Self { data }
    }

    /// Returns a shared reference to the data, to be kept while a hook answers.
    pub(crate) fn share(&self) -> Arc<CallData<P>> {
        self.data.clone()
    }
}

impl<P: Point> Deref for Call<P> {
    type Target = CallData<P>;

    fn deref(&self) -> &CallData<P> {
        &self.data
    }
}

impl<P: Point> DerefMut for Call<P> {
    /// Returns the data for changes. The data is copied first if a hook still holds it.
    fn deref_mut(&mut self) -> &mut CallData<P> {
        Arc::make_mut(&mut self.data)
    }
}

/// The data of a call that hooks can see through their imports. Cloning is cheap: everything is
/// shared.
#[derive(Debug, Clone)]
pub struct Views {
    /// The current content (`content`).
    pub content: Arc<Vec<ContentPart>>,
    /// The messages so far (`conversation`).
    pub conversation: Arc<Vec<Message>>,
    /// The index of the first message that the current turn added (`conversation`). It is beyond
    /// the messages if the turn has added none, or if these are not the conversation.
    pub turn_start: usize,
    /// The arguments of the current tool call (`tool-data`).
    pub tool_arguments: Arc<str>,
    /// The tool's output (`tool-data`).
    pub tool_output: Option<Arc<str>>,
    /// The tools offered (`tool-catalog`).
    pub tools: Arc<ToolCatalog>,
    /// The name under which the current tool was offered, if it differs from the name of the tool
    /// that runs.
    pub offered_as: Option<Arc<str>>,
    /// The contributions of hooks to the turn's prompt (`prompt`).
    pub prompt: Arc<Prompt>,
    /// The agent's state (`agent-state`).
    pub state: Arc<AgentState>,
    /// The session's facts from the embedder (`session`).
    pub session: Arc<SessionInfo>,
    /// The chain's verdict (`verdict`). The chain sets it for the hooks that observe.
    pub verdict: Option<Arc<ChainVerdict>>,
    /// The span that contains the call. Hooks do not see it, but data that they send is part of the
    /// trace.
    pub trace: Option<Arc<CallTrace>>,
}

impl Views {
    /// Returns empty views.
    pub(crate) fn empty() -> &'static Self {
        static EMPTY: LazyLock<Views> = LazyLock::new(|| Views {
            content: Arc::default(),
            conversation: Arc::default(),
            turn_start: usize::MAX,
            tool_arguments: "".into(),
            tool_output: None,
            tools: Arc::default(),
            offered_as: None,
            prompt: Arc::default(),
            state: Arc::default(),
            session: Arc::default(),
            verdict: None,
            trace: None,
        });
        &EMPTY
    }
}

impl Default for Views {
    /// Returns empty views. They are shared, so nothing is allocated.
    fn default() -> Self {
        Self::empty().clone()
    }
}

/// The agent's state, which tools, hooks and the embedder keep, and its latest change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentState {
    /// The state.
    pub values: serde_json::Map<String, serde_json::Value>,
    /// The previous and the new value of each key that changed.
    pub diff: serde_json::Map<String, serde_json::Value>,
    /// The hook that made the change; `None` if a tool made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<HookId>,
}

/// Facts about a session. The embedder supplies them; hooks see them if the operator allows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionInfo {
    /// The user, as the embedder names them.
    pub user: Option<String>,
    /// The directory the agent works in.
    pub working_dir: Option<String>,
    /// The parent session, if this session is a sub-agent's.
    pub parent: Option<String>,
    /// Further facts, as names and values.
    pub metadata: Vec<(String, String)>,
}
