//! One call at one point: where it happens, what it is about, and what can be seen from it.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use crate::contract::{ChainVerdict, ContentPart, Context, Message};
use crate::model::hook::HookId;
use crate::model::points::{Point, Unschemed};
use crate::model::prompt::Prompt;
use crate::model::tools::ToolCatalog;
use crate::model::trace_context::CallTrace;

/// One call at one point. A chain reads it, and changes what its hooks transform.
///
/// It dereferences to its [data](CallData), which it shares with the instances that answer it:
/// giving it to a hook copies nothing.
#[derive(Debug, Clone)]
pub struct Call<P: Point> {
    data: Arc<CallData<P>>,
}

/// What a call is about.
#[derive(Debug, Clone)]
pub struct CallData<P: Point> {
    /// Where in the agent's life it happens.
    pub context: Context,
    /// What it is about.
    pub subject: P::Subject,
    /// What hooks can see through their imports.
    pub views: Views,
}

impl<P: Unschemed> Call<P> {
    /// A call with these views.
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
    /// The call of a tool cannot be made like this: [`Call::of_tool`] checks its arguments by the tool's schema.
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
    /// A call of any point, for code that is generic over points. At `pre-tool-call`, what hooks make of the
    /// arguments is checked by `views.tools`: if the tool is not in that catalogue, they need only be a JSON object.
    /// [`Call::of_tool`] checks them by the tool's schema.
    pub fn unchecked(context: Context, subject: P::Subject, views: Views) -> Self {
        Self {
            data: Arc::new(CallData {
                context,
                subject,
                views,
            }),
        }
    }

    /// The data. It is copied if a hook still has it.
    pub fn into_data(self) -> CallData<P> {
        Arc::unwrap_or_clone(self.data)
    }

    /// A call of this data.
    pub(crate) fn of(data: Arc<CallData<P>>) -> Self {
        Self { data }
    }

    /// The data, to be kept for as long as a hook answers.
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
    /// The data, to be changed. It is copied if a hook still has it.
    fn deref_mut(&mut self) -> &mut CallData<P> {
        Arc::make_mut(&mut self.data)
    }
}

/// What hooks can see of a call through their imports. Cheap to clone: everything is shared.
#[derive(Debug, Clone)]
pub struct Views {
    /// The current content (`content`).
    pub content: Arc<Vec<ContentPart>>,
    /// The messages so far (`conversation`).
    pub conversation: Arc<Vec<Message>>,
    /// The index of the first message that the current turn has added (`conversation`). Beyond the
    /// messages where it has added none, or where these are not the conversation.
    pub turn_start: usize,
    /// The arguments of the current tool call (`tool-data`).
    pub tool_arguments: Arc<str>,
    /// What the tool gave back (`tool-data`).
    pub tool_output: Option<Arc<str>>,
    /// The tools offered (`tool-catalog`).
    pub tools: Arc<ToolCatalog>,
    /// The name by which the current tool was offered, if it is not the name of the tool that runs.
    pub offered_as: Option<Arc<str>>,
    /// What hooks have contributed to the turn's prompt (`prompt`).
    pub prompt: Arc<Prompt>,
    /// The agent's state (`agent-state`).
    pub state: Arc<AgentState>,
    /// Whose session it is (`session`).
    pub session: Arc<SessionInfo>,
    /// What the chain decided (`verdict`); set by the chain for the hooks that observe.
    pub verdict: Option<Arc<ChainVerdict>>,
    /// The span that the call is in. No hook sees it: what hooks send is part of the trace.
    pub trace: Option<Arc<CallTrace>>,
}

impl Views {
    /// Views of nothing.
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
    /// Views of nothing; they are shared too, so that this allocates nothing.
    fn default() -> Self {
        Self::empty().clone()
    }
}

/// What tools, hooks and the embedder keep in the agent's state, and what of it has just changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentState {
    /// The state.
    pub values: serde_json::Map<String, serde_json::Value>,
    /// For each key that changed, what it was before and what it is now.
    pub diff: serde_json::Map<String, serde_json::Value>,
    /// The hook that changed it; `None` if a tool did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<HookId>,
}

/// Whose session it is. The embedder says; hooks see it if the operator lets them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionInfo {
    /// The user, as the embedder names them.
    pub user: Option<String>,
    /// The directory the agent works in.
    pub working_dir: Option<String>,
    /// The session that started this one as a sub-agent's.
    pub parent: Option<String>,
    /// What else there is to say.
    pub metadata: Vec<(String, String)>,
}
