//! The trait that every point implements, and the actions that an answer asks of the chain.

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

/// A case that cannot occur at a point.
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

    /// The record that a hook receives, from the WIT interface.
    type Input: Debug + Clone + Send + Sync + 'static;
    /// A hook's answer, from the WIT interface.
    type Outcome: Into<Action<Self>> + Debug + Clone + Send + Sync + 'static;
    /// The call's subject, on the host's side; usually [`Point::Input`] itself.
    type Subject: From<Self::Input> + Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// The payload of `transform` and `replace`.
    type Value: Debug + Clone + Send + Sync;
    /// The payload of `reject`: [`Rejection`] or [`Never`].
    type Rejection: Refusal + Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// The payload of `answer`.
    type Answer: Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// The payload of `ask`.
    type Ask: AskPerson<Self> + Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// The payload of `stop`: [`StopSignal`] or [`Never`].
    type Stop: Signal + Serialize + DeserializeOwned + Debug + Clone + Send + Sync;
    /// The payload of `contribute`.
    type Contribution: Into<Contribution> + Size + Debug + Clone + Send + Sync;

    /// Returns the record for a hook.
    fn input(subject: &Self::Subject) -> &Self::Input;

    /// Checks a hook's value and replaces the call's value by it.
    ///
    /// # Errors
    ///
    /// The text says why the value is invalid. The call is then unchanged.
    fn apply(call: &mut Call<Self>, value: Self::Value) -> Result<(), InvalidValue>;

    /// Returns the part of the call that hooks may change, for digests.
    fn payload(call: &Call<Self>) -> Payload<'_>;

    /// Returns the id of the tool call that the subject concerns, if there is one.
    fn call_id(_subject: &Self::Subject) -> Option<&str> {
        None
    }

    /// Returns the number of the attempt at the operation, counted from 1.
    fn attempt(_subject: &Self::Subject) -> u32 {
        1
    }

    /// Updates the facts after hooks have contributed.
    fn recount(_subject: &mut Self::Subject, _prompt: &Prompt, _tools: &ToolCatalog) {}
}

/// The action that one hook's answer asks of the chain.
#[derive(Debug, Clone)]
pub enum Action<P: Point> {
    /// Continue.
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
    /// Accept these contributions and continue.
    Contribute(Vec<P::Contribution>),
}

impl<P: Point> Action<P> {
    /// Returns the kind of answer.
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

/// The payload of a refusal; [`Never`] at a point without refusals.
pub trait Refusal {
    /// Returns the rejection.
    fn rejection(&self) -> &Rejection;
    /// Returns the rejection for changes.
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

/// The payload of a stop; [`Never`] at a point without stops.
pub trait Signal {
    /// Returns the signal.
    fn signal(&self) -> &StopSignal;
    /// Returns the signal for changes.
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

/// The payload of a question to a person, with the results of the person's answers.
pub trait AskPerson<P: Point> {
    /// Returns the question.
    fn request(&self) -> &AskRequest;
    /// Returns the question for changes.
    fn request_mut(&mut self) -> &mut AskRequest;
    /// Returns the refusal for a person's "no".
    fn refusal(&self, rejection: Rejection) -> P::Rejection;
    /// Returns the value for a person's change.
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

/// A hook's value that the host rejects.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidValue(pub String);

/// The part of a call that hooks may change at a point, borrowed from the call.
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
        /// The record that hooks receive.
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
        /// The required format of the model's answer.
        response_format: Option<&'a super::prompt_compile::ResponseFormat>,
        /// The sections.
        sections: Vec<&'a PromptSection>,
    },
    /// A compaction hint.
    Hint(&'a super::pre_compaction::CompactionHint),
}

impl Payload<'_> {
    /// Returns the value as JSON text, in the contract's JSON form. Tool arguments are JSON text
    /// themselves.
    pub fn to_json_text(&self) -> String {
        match self {
            Self::Arguments(arguments) => arguments.to_string(),
            payload => to_json(payload).map_or_else(|_| String::new(), |json| json.to_string()),
        }
    }
}

/// Serializes a text; `None` is an empty text.
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

/// Replaces the current content; the callers update their facts.
pub(super) fn set_content<P: Point>(call: &mut Call<P>, content: Vec<ContentPart>) {
    call.views.content = Arc::new(content);
}
