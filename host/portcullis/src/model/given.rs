//! The input that a hook may change, kept so that its digest can be computed later and elsewhere.

use std::fmt;
use std::sync::Arc;

use crate::contract::{ContentPart, Message};
use crate::model::call::Call;
use crate::model::points::{Payload, Point};
use crate::model::recording::AnyInput;
use crate::model::verdict::Digest;

/// The input that a hook may change. It shares the data of the call, so it is cheap to create and
/// to clone.
#[derive(Clone)]
pub struct Given(Kind);

#[derive(Clone)]
enum Kind {
    Nothing,
    Content(Arc<Vec<ContentPart>>),
    Arguments(Arc<str>),
    Output(Arc<str>, bool),
    Messages(Arc<Vec<Message>>),
    /// A payload that has no allocation of its own in the call.
    Call(Arc<dyn AnyInput>),
    /// A payload that is no longer kept.
    Digest(Digest),
}

/// A call that returns its hook's input.
pub(crate) trait Gives {
    fn given(&self) -> Given;
}

impl<P: Point> Gives for Call<P> {
    fn given(&self) -> Given {
        Given::of(self)
    }
}

impl Gives for Given {
    fn given(&self) -> Given {
        self.clone()
    }
}

impl fmt::Debug for dyn Gives + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gives")
    }
}

impl Given {
    pub(crate) fn of<P: Point>(call: &Call<P>) -> Self {
        Self(match P::payload(call) {
            Payload::None => Kind::Nothing,
            Payload::Content(content) => Kind::Content(content.clone()),
            Payload::Arguments(arguments) => Kind::Arguments(arguments.clone()),
            Payload::Output {
                content: Some(content),
                is_error,
            } => Kind::Output(content.clone(), is_error),
            Payload::Messages(messages) => Kind::Messages(messages.clone()),
            Payload::Output { content: None, .. }
            | Payload::LlmCall { .. }
            | Payload::Draft { .. }
            | Payload::Hint(_) => Kind::Call(call.share()),
        })
    }

    /// Returns the digest of the value as JSON text.
    pub fn digest(&self) -> Digest {
        match &self.0 {
            Kind::Nothing => Digest::of_payload(&Payload::None),
            Kind::Content(content) => Digest::of_payload(&Payload::Content(content)),
            Kind::Arguments(arguments) => Digest::of_payload(&Payload::Arguments(arguments)),
            Kind::Output(content, is_error) => Digest::of_payload(&Payload::Output {
                content: Some(content),
                is_error: *is_error,
            }),
            Kind::Messages(messages) => Digest::of_payload(&Payload::Messages(messages)),
            Kind::Call(call) => call.clone().digest(),
            Kind::Digest(digest) => *digest,
        }
    }

    /// Returns the digest alone, without the value.
    #[must_use]
    pub fn digested(&self) -> Self {
        Self(Kind::Digest(self.digest()))
    }

    /// Returns the address of the value, if the value has an allocation of its own. While two
    /// `Given`s are alive, equal addresses mean equal values, and so equal digests.
    pub fn address(&self) -> Option<usize> {
        match &self.0 {
            Kind::Nothing => Some(0),
            Kind::Content(content) => Some(Arc::as_ptr(content).addr()),
            Kind::Arguments(arguments) => Some(Arc::as_ptr(arguments).addr()),
            Kind::Messages(messages) => Some(Arc::as_ptr(messages).addr()),
            Kind::Output(..) | Kind::Call(_) | Kind::Digest(_) => None,
        }
    }
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Given")
    }
}
