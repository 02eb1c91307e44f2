//! A client's facts about itself: in `initialize`, or in every request since protocol version
//! 2026-07-28.

use portcullis::trace::TraceContext;

use crate::message::{Id, Malformed, VERSION_KEY, fields, string, with_fields};

/// The key that says what the client can do.
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The capabilities of a client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ClientCapabilities {
    /// Whether the client can ask a person with a form.
    pub(super) elicits: bool,
}

impl ClientCapabilities {
    /// Reads capabilities; none if there are none.
    pub(super) fn read(capabilities: Option<&str>) -> Result<Self, Malformed> {
        let Some(capabilities) = capabilities else {
            return Ok(Self::default());
        };
        let [elicitation] = fields(capabilities, ["elicitation"])?;
        let elicits = match elicitation {
            None | Some("null") => false,
            Some(elicitation) => {
                let [form, url] = fields(elicitation, ["form", "url"])?;
                // Before there were two ways, an empty object was the one with a form.
                form.is_some() || url.is_none()
            }
        };
        Ok(Self { elicits })
    }
}

/// A request's metadata.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Meta<'a> {
    /// The metadata as it is written.
    pub(super) text: Option<&'a str>,
    /// The token of its progress.
    pub(super) token: Option<Id>,
    /// Whether its protocol version has no session: the client says in each request what it can do, the server
    /// sends no requests, and results have types.
    pub(super) is_stateless: bool,
    /// The client's capabilities, if the request states them.
    pub(super) capabilities: ClientCapabilities,
}

/// The span that a request with this metadata is part of. What cannot be read is none.
pub(super) fn trace(meta: &str) -> Option<TraceContext> {
    let read = fields(meta, ["traceparent", "tracestate", "baggage"]).ok()?;
    let [parent, state, baggage] = read.map(|text| string(text?).ok());
    TraceContext::from_headers(&parent?, state.as_deref(), baggage.as_deref()).ok()
}

/// The metadata of a request that is part of this span.
pub(super) fn with_trace(meta: Option<&str>, trace: &TraceContext) -> Result<String, Malformed> {
    let text = |value: String| Some(serde_json::Value::from(value).to_string());
    let changes: Vec<_> = trace
        .headers()
        .map(|(name, value)| (name, text(value)))
        .collect();
    with_fields(meta.unwrap_or("{}"), &changes)
}

impl<'a> Meta<'a> {
    /// Reads the metadata of a request with these parameters.
    pub(super) fn of(params: &'a str) -> Result<Self, Malformed> {
        let [text] = fields(params, ["_meta"])?;
        let text = text.filter(|text| *text != "null");
        let Some(meta) = text else {
            return Ok(Self::default());
        };
        let [token, version, capabilities] =
            fields(meta, ["progressToken", VERSION_KEY, CAPABILITIES])?;
        Ok(Self {
            text,
            token: token.map(Id::parse).transpose()?.flatten(),
            is_stateless: version.is_some(),
            capabilities: ClientCapabilities::read(capabilities)?,
        })
    }
}
