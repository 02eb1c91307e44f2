//! Reading an event.

use serde_json::{Map, Value};

use crate::dialect::Dialect;
use crate::events::{EventInfo, Family};
use crate::fragment;

/// The most bytes of an event. A longer event is an error, and its remaining bytes need not be
/// read.
pub const MOST_BYTES: usize = 8 << 20;

/// An event of an agent.
#[derive(Debug, Clone)]
pub struct Event {
    dialect: Dialect,
    name: String,
    /// `None` if the dialect does not document the event.
    info: Option<&'static EventInfo>,
    session: String,
    body: Map<String, Value>,
}

impl Event {
    /// Reads an event.
    ///
    /// # Errors
    ///
    /// The event is too large, is not a JSON object, lacks a key that every event has, or belongs to another dialect.
    pub fn read(dialect: Dialect, text: &[u8]) -> Result<Self, EventError> {
        if text.len() > MOST_BYTES {
            return Err(EventError::TooLarge(dialect));
        }
        let body: Value = serde_json::from_slice(text).map_err(|error| EventError::NotJson {
            dialect,
            bytes: text.len(),
            error,
        })?;
        let Value::Object(body) = body else {
            return Err(EventError::NotAnObject(dialect));
        };
        let common = |key| match body.get(key) {
            Some(Value::String(text)) => Ok(text.clone()),
            _ => Err(EventError::NotAnEvent { dialect, key }),
        };
        let name = common(fragment::NAME)?;
        let session = common("session_id")?;
        let info = dialect.event(&name);
        if info.is_none() {
            refuse_others(dialect, &name)?;
        }
        Ok(Self {
            dialect,
            info,
            name,
            session,
            body,
        })
    }

    /// Returns an event with a name alone, from a text that cannot be read. Returns `None` if the text has no name, or
    /// a name that the dialect does not document.
    pub(crate) fn of_fragment(dialect: Dialect, text: &[u8]) -> Option<Self> {
        let name = fragment::name(text)?;
        let info = dialect.event(&name)?;
        Some(Self {
            dialect,
            name,
            info: Some(info),
            session: String::new(),
            body: Map::new(),
        })
    }

    /// Returns the event's dialect.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the event's name, as the agent wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the event's name if the dialect documents the event, or else `other`, so that the
    /// number of names is bounded.
    pub fn known_name(&self) -> &'static str {
        self.info.map_or("other", |info| info.name)
    }

    /// Returns whether the dialect documents the event.
    pub const fn is_known(&self) -> bool {
        self.info.is_some()
    }

    /// Returns whether the event calls any point.
    pub fn calls_hooks(&self) -> bool {
        !self.family().points().is_empty()
    }

    /// Returns the id of the agent's session.
    pub fn session(&self) -> &str {
        &self.session
    }

    pub(crate) fn family(&self) -> Family {
        self.info.map_or(Family::Unmapped, |info| info.family)
    }

    /// Returns a value that the event must have.
    pub(crate) fn value(&self, key: &'static str) -> Result<&Value, EventError> {
        self.body.get(key).ok_or_else(|| self.lacks(key))
    }

    /// Returns a text that the event must have.
    pub(crate) fn text(&self, key: &'static str) -> Result<&str, EventError> {
        self.value(key)?.as_str().ok_or_else(|| self.lacks(key))
    }

    /// Returns a text that the event may have.
    pub(crate) fn optional(&self, key: &str) -> Option<&str> {
        self.body.get(key)?.as_str()
    }

    /// Returns a number that the event may have.
    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.body.get(key)?.as_u64()
    }

    fn lacks(&self, key: &'static str) -> EventError {
        EventError::Lacks {
            dialect: self.dialect,
            event: portcullis::text::sanitize_for_terminal(&self.name),
            key,
        }
    }
}

/// Refuses an event at which another dialect calls hooks: with the wrong dialect, no guard would run.
fn refuse_others(dialect: Dialect, name: &str) -> Result<(), EventError> {
    for other in Dialect::ALL {
        let info = other.event(name);
        if let Some(info) = info.filter(|info| !info.points().is_empty()) {
            return Err(EventError::OfAnother {
                dialect,
                event: info.name,
                other,
            });
        }
    }
    Ok(())
}

/// The reason why an event cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The event has more than [`MOST_BYTES`].
    #[error("the event of {} has more than {MOST_BYTES} bytes; it is refused unread", .0.agent())]
    TooLarge(Dialect),
    /// The event is not JSON, or was cut off.
    #[error(
        "the event of {} is not JSON: {error} ({bytes} bytes were read); it must come whole on the \
         standard input", dialect.agent()
    )]
    NotJson {
        /// The dialect.
        dialect: Dialect,
        /// The number of bytes that were read.
        bytes: usize,
        /// The error and its position.
        #[source]
        error: serde_json::Error,
    },
    /// The event is JSON, but not an object.
    #[error("the event of {} is not a JSON object; see `portcullis hook --help`", .0.agent())]
    NotAnObject(Dialect),
    /// The event lacks a key that every event has.
    #[error(
        "there is no `{key}` in the event, so it is not of {}; is `--dialect` that of the agent?",
        dialect.agent()
    )]
    NotAnEvent {
        /// The dialect.
        dialect: Dialect,
        /// The key.
        key: &'static str,
    },
    /// The event's name belongs to another dialect.
    #[error(
        "the event {event} is one of {}, not of {}; is `--dialect` that of the agent?",
        other.agent(), dialect.agent()
    )]
    OfAnother {
        /// The dialect.
        dialect: Dialect,
        /// The event.
        event: &'static str,
        /// A dialect that has the event.
        other: Dialect,
    },
    /// The event lacks a key that this event has.
    #[error(
        "the event {event} has no usable `{key}`; this version of {} may be newer than this of Portcullis",
        dialect.agent()
    )]
    Lacks {
        /// The dialect.
        dialect: Dialect,
        /// The event.
        event: String,
        /// The key.
        key: &'static str,
    },
}
