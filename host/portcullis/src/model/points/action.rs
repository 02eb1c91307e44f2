//! The trait that every point implements, and what one answer asks the chain to do.

use std::fmt::Debug;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Listed, OutcomeKind, PointInfo};
use crate::contract::{AskRequest, ContentPart, Message, PromptSection, Rejection, StopSignal};
use crate::model::call::Call;
use crate::model::json::to_json;
use crate::model::prompt::{Contribution, Prompt, Size};
use crate::model::tools::ToolCatalog;

/// What cannot happen at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Never {}

/// A lifecycle point.
///
/// This trait is implemented by the markers in [`crate::model::points`].
pub trait Point: Listed + Debug + Copy + Send + Sync + 'static {
    /// The point's row in the table.
    const INFO: PointInfo;
    /// The kind that [`Action::Answer`] is recorded as.
    const ANSWERS_AS: OutcomeKind = OutcomeKind::Answer;

    /// The record a hook is given, from the WIT interface.
    type Input: Debug + Clone + Send + Sync + 'static;
    /// What a hook answers, from the WIT interface.
    type Outcome: Into<Action<Self>> + Debug + Clone + Send + Sync + 'static;
    /// What the call is about, on the host's side; mostly [`Point::Input`] itself.
    type Subject: From<Self::Input> + Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// What `transform` and `replace` carry.
    type Value: Debug + Clone + Send + Sync;
    /// What `reject` carries: [`Rejection`] or [`Never`].
    type Rejection: Refusal + Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// What `answer` carries.
    type Answer: Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// What `ask` carries.
    type Ask: AskPerson<Self> + Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// What `stop` carries: [`StopSignal`] or [`Never`].
    type Stop: Signal + Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// What `contribute` carries.
    type Contribution: Into<Contribution> + Size + Debug + Clone + Send + Sync;

    /// The record to give a hook.
    fn input(subject: &Self::Subject) -> &Self::Input;

    /// Puts a hook's value in the place of the call's, after checking it.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the value; the call is unchanged then.
    fn apply(call: &mut Call<Self>, value: Self::Value) -> Result<(), InvalidValue>;

    /// What hooks may change in the call, for digests.
    fn payload(call: &Call<Self>) -> Payload<'_>;

    /// The id of the tool call that it is about, if it is about one.
    fn call_id(_subject: &Self::Subject) -> Option<&str> {
        None
    }

    /// The attempt at the operation, counted from 1.
    fn attempt(_subject: &Self::Subject) -> u32 {
        1
    }

    /// Brings the facts up to date with what was contributed.
    fn recount(_subject: &mut Self::Subject, _prompt: &Prompt, _tools: &ToolCatalog) {}
}

/// What one hook's answer asks the chain to do.
#[derive(Debug, Clone)]
pub enum Action<P: Point> {
    /// Pass on.
    Continue,
    /// Replace the value and continue.
    Transform(P::Value),
    /// Refuse.
    Reject(P::Rejection),
    /// Replace the value and skip the rest.
    Replace(P::Value),
    /// Skip the operation.
    Answer(P::Answer),
    /// Have a person decide.
    Ask(P::Ask),
    /// End the turn.
    Stop(P::Stop),
    /// Take these, and continue.
    Contribute(Vec<P::Contribution>),
}

impl<P: Point> Action<P> {
    /// The kind of answer.
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Self::Continue => OutcomeKind::Continue,
            Self::Transform(_) => OutcomeKind::Transform,
            Self::Reject(_) => OutcomeKind::Reject,
            Self::Replace(_) => OutcomeKind::Replace,
            Self::Answer(_) => P::ANSWERS_AS,
            Self::Ask(_) => OutcomeKind::Ask,
            Self::Stop(_) => OutcomeKind::Stop,
            Self::Contribute(_) => OutcomeKind::Contribute,
        }
    }
}

/// What a refusal says; [`Never`] where a point knows none.
pub trait Refusal {
    /// The rejection.
    fn rejection(&self) -> &Rejection;
    /// The same, to be changed.
    fn rejection_mut(&mut self) -> &mut Rejection;
}

impl Refusal for Rejection {
    fn rejection(&self) -> &Rejection {
        self
    }

    fn rejection_mut(&mut self) -> &mut Rejection {
        self
    }
}

impl Refusal for Never {
    fn rejection(&self) -> &Rejection {
        match *self {}
    }

    fn rejection_mut(&mut self) -> &mut Rejection {
        match *self {}
    }
}

/// What a stop says; [`Never`] where a point knows none.
pub trait Signal {
    /// The signal.
    fn signal(&self) -> &StopSignal;
    /// The same, to be changed.
    fn signal_mut(&mut self) -> &mut StopSignal;
}

impl Signal for StopSignal {
    fn signal(&self) -> &StopSignal {
        self
    }

    fn signal_mut(&mut self) -> &mut StopSignal {
        self
    }
}

impl Signal for Never {
    fn signal(&self) -> &StopSignal {
        match *self {}
    }

    fn signal_mut(&mut self) -> &mut StopSignal {
        match *self {}
    }
}

/// What a point needs to be able to ask a person.
pub trait AskPerson<P: Point> {
    /// The question.
    fn request(&self) -> &AskRequest;
    /// The same, to be changed.
    fn request_mut(&mut self) -> &mut AskRequest;
    /// The refusal that a person's "no" becomes.
    fn refusal(&self, rejection: Rejection) -> P::Rejection;
    /// The value that a person's change becomes.
    fn changed(&self, text: String) -> P::Value;
}

impl<P: Point> AskPerson<P> for Never {
    fn request(&self) -> &AskRequest {
        match *self {}
    }

    fn request_mut(&mut self) -> &mut AskRequest {
        match *self {}
    }

    fn refusal(&self, _: Rejection) -> P::Rejection {
        match *self {}
    }

    fn changed(&self, _: String) -> P::Value {
        match *self {}
    }
}

/// A hook's value that the host does not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidValue(pub String);

/// What hooks may change at a point, borrowed from the call.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Payload<'a> {
    /// Nothing.
    None,
    /// Content.
    Content(&'a Arc<Vec<ContentPart>>),
    /// Tool arguments: the text of a JSON object.
    Arguments(&'a Arc<str>),
    /// A tool's output.
    Output {
        /// The text, if there is one.
        #[serde(serialize_with = "text")]
        content: Option<&'a Arc<str>>,
        /// Whether the tool failed.
        is_error: bool,
    },
    /// A model call.
    LlmCall {
        /// The record that hooks are given.
        call: &'a super::pre_llm_call::LlmCall,
        /// The messages.
        messages: &'a [Message],
        /// The tools offered.
        tools: Vec<&'a str>,
    },
    /// Messages.
    Messages(&'a Arc<Vec<Message>>),
    /// A prompt that is being written.
    Draft {
        /// Instructions in place of the operator's.
        system: Option<&'a str>,
        /// How the model must answer.
        response_format: Option<&'a super::prompt_compile::ResponseFormat>,
        /// The sections.
        sections: Vec<&'a PromptSection>,
    },
    /// A compaction hint.
    Hint(&'a super::pre_compaction::CompactionHint),
}

impl Payload<'_> {
    /// The value as JSON text, in the contract's JSON form. Tool arguments are JSON text themselves.
    pub fn to_json_text(&self) -> String {
        match self {
            Self::Arguments(arguments) => arguments.to_string(),
            payload => to_json(payload).map_or_else(|_| String::new(), |json| json.to_string()),
        }
    }
}

/// A text; one that is not there is empty.
fn text<S: serde::Serializer>(text: &Option<&Arc<str>>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text.map(|text| &**text).unwrap_or_default())
}

pub(super) fn text_bytes(parts: &[ContentPart]) -> u32 {
    let bytes: usize = parts
        .iter()
        .map(|part| match part {
            ContentPart::Text(text) => text.len(),
            _ => 0,
        })
        .sum();
    count(bytes)
}

pub(super) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Makes other content current; the callers update their facts.
pub(super) fn set_content<P: Point>(call: &mut Call<P>, content: Vec<ContentPart>) {
    call.views.content = Arc::new(content);
}
