//! The data that a call received from the world: clocks, state, the model, requests.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most readings of a clock, import calls and requests of one call that are kept, each.
const MOST: usize = 10_000;

/// The most bytes, as JSON, that are kept of the arguments and results of one call's import calls.
///
/// In memory, a byte of a list takes a [`Value`] of 32 bytes, and at least two characters of JSON.
/// So the import calls of one recorded call take at most about 64 MiB, and about 2 KiB more each.
pub(crate) const MOST_CALL_BYTES: usize = 4 << 20;

/// The data that a call received from the world, in addition to the call's own data.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct World {
    /// The readings of the wall clock, as times since 1970.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wall: Vec<Duration>,
    /// The readings of the monotonic clock, in nanoseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub monotonic: Vec<u64>,
    /// The import calls of state, of shared state and of the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<WorldCall>,
    /// The requests that were sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<WorldRequest>,
    /// The reason that data is missing, so that the call cannot be replayed exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl World {
    /// Records that data of the call is missing. The first reason is kept.
    pub(crate) fn misses(&mut self, what: &str) {
        self.missing.get_or_insert_with(|| what.to_owned());
    }

    pub(crate) fn read_wall(&mut self, now: Duration) {
        match self.wall.len() < MOST {
            true => self.wall.push(now),
            false => self.misses("more than 10,000 readings of a clock"),
        }
    }

    pub(crate) fn read_monotonic(&mut self, now: u64) {
        match self.monotonic.len() < MOST {
            true => self.monotonic.push(now),
            false => self.misses("more than 10,000 readings of a clock"),
        }
    }

    pub(crate) fn called(&mut self, call: WorldCall) {
        match self.calls.len() < MOST {
            true => self.calls.push(call),
            false => self.misses("more than 10,000 calls of state"),
        }
    }

    /// Records that the arguments or the result of a call exceed the rest of [`MOST_CALL_BYTES`].
    pub(crate) fn called_with_more(&mut self) {
        self.misses("more than 4 MiB of arguments and results of state");
    }
}

/// An import call whose result comes from the world: state, shared state, the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct WorldCall {
    /// The interface, without its version: `portcullis:hooks/state`.
    pub interface: String,
    /// The function.
    pub function: String,
    /// The arguments, in a list.
    pub arguments: Value,
    /// The result, in a list of at most one value; `None` if the import ended the call.
    pub returned: Option<Value>,
}

/// A request that was permitted, and its result.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct WorldRequest {
    /// The method.
    pub method: String,
    /// The whole URL.
    pub url: String,
    /// The headers, in their order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Body,
    /// The response; `None` if the call ended before it arrived.
    pub response: Option<WorldResponse>,
    /// The failure without a response, by a name of [`HttpFailure`](crate::http::HttpFailure).
    pub failure: Option<String>,
}

/// A response.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct WorldResponse {
    /// The status.
    pub status: u16,
    /// The headers, in their order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Body,
}

/// A body, in the pieces in which it arrived.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Body {
    /// The body as text, if it is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The body as bytes, if it is not text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<u8>,
    /// The lengths of the pieces, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<usize>,
    /// Whether the body ended early.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub broken: bool,
}

impl Body {
    /// Creates a body from these pieces.
    pub fn of(pieces: &[Vec<u8>], broken: bool) -> Self {
        let whole = pieces.concat();
        let (text, bytes) = match String::from_utf8(whole) {
            Ok(text) => ((!text.is_empty()).then_some(text), Vec::new()),
            Err(other) => (None, other.into_bytes()),
        };
        Self {
            text,
            bytes,
            pieces: match pieces.len() {
                0 | 1 => Vec::new(),
                _ => pieces.iter().map(Vec::len).collect(),
            },
            broken,
        }
    }

    /// Returns the body's bytes.
    pub fn content(&self) -> &[u8] {
        match &self.text {
            Some(text) => text.as_bytes(),
            None => &self.bytes,
        }
    }
}
