//! JSON-RPC messages, of which only the needed parts are parsed. The rest stays as the peer wrote
//! it.

mod edit;
mod fields;
mod fragment;
mod id;
mod line;
mod names;
pub(crate) mod own;

pub(crate) use edit::{object, replaced, with_fields};
pub(crate) use fields::{Malformed, elements, fields, not_null, string};
pub use fragment::{Fragment, Scanner};
pub(crate) use id::Id;
pub(crate) use line::OneLine;
pub(crate) use names::check_names;

use std::ops::Range;

/// The key of the protocol version in a request's metadata. Since version 2026-07-28 each request
/// has it.
pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// A JSON-RPC message, with its original text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Message {
    text: String,
    /// The message kind.
    pub(crate) kind: Kind,
    params: Option<Range<usize>>,
    result: Option<Range<usize>>,
    error: Option<Range<usize>>,
}

/// The kind of a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A request, which needs an answer.
    Request { id: Id, method: String },
    /// A notification, which needs no answer.
    Notification { method: String },
    /// An answer. An answer to a request that could not be read has no id.
    Answer { id: Option<Id> },
}

impl Message {
    /// Parses a message.
    ///
    /// # Errors
    ///
    /// The text is not a JSON-RPC message, or two programs could read it in two ways.
    pub(crate) fn parse(text: impl Into<String>) -> Result<Self, Malformed> {
        let text = text.into();
        let [id, method, params, result, error] =
            fields(&text, ["id", "method", "params", "result", "error"])?;
        let id = id.map(Id::parse).transpose()?;
        let kind = match (method.map(string).transpose()?, id) {
            (Some(_), _) if result.is_some() || error.is_some() => {
                return Err(Malformed::new("it is a request and an answer"));
            }
            (Some(method), Some(Some(id))) => Kind::Request { id, method },
            (Some(_), Some(None)) => return Err(Malformed::new("the id of a request is null")),
            (Some(method), None) => Kind::Notification { method },
            (None, Some(id)) if result.is_some() != error.is_some() => Kind::Answer { id },
            (None, _) => return Err(Malformed::new("it is neither a request nor an answer")),
        };
        let place = |part: Option<&str>| part.map(|part| edit::place(&text, part));
        Ok(Self {
            kind,
            params: place(params),
            result: place(result),
            error: place(error),
            text,
        })
    }

    /// Returns the whole text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the whole text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Returns the parameters; an empty object if there are none.
    pub(crate) fn params(&self) -> &str {
        self.part(&self.params).unwrap_or("{}")
    }

    /// Returns the result of an answer.
    pub(crate) fn result(&self) -> Option<&str> {
        self.part(&self.result)
    }

    /// Returns the error of an answer.
    pub(crate) fn error(&self) -> Option<&str> {
        self.part(&self.error)
    }

    /// Returns the text with a part replaced. `part` is a return value of one of the methods above,
    /// or a slice of it.
    pub(crate) fn with(&self, part: &str, new: &str) -> String {
        replaced(&self.text, part, new)
    }

    fn part(&self, place: &Option<Range<usize>>) -> Option<&str> {
        self.text.get(place.clone()?)
    }
}

/// A received text: a single message or a batch.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A single message.
    One(Message),
    /// A batch, with its original text.
    Batch(String, Vec<Message>),
}

impl Incoming {
    /// Parses a received text.
    ///
    /// # Errors
    ///
    /// A message is malformed, or the batch is empty.
    pub(crate) fn parse(text: String) -> Result<Self, Malformed> {
        if !text.trim_start().starts_with('[') {
            return Message::parse(text).map(Self::One);
        }
        let messages = elements(&text)?.into_iter().map(Message::parse);
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        match messages.is_empty() {
            true => Err(Malformed::new("the batch is empty")),
            false => Ok(Self::Batch(text, messages)),
        }
    }
}

#[cfg(test)]
mod tests;
