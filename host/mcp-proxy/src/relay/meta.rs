//! A client's facts about itself: in `initialize`, or in every request since protocol version
//! 2026-07-28.

use portcullis::trace::TraceContext;

use crate::message::{Id, Malformed, VERSION_KEY, fields, string, with_fields};

/// The key of the client's capabilities.
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The capabilities of a client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ClientCapabilities {
    /// Whether the client can ask a person with a form.
    pub(super) elicits: bool,
}

impl ClientCapabilities {
    /// Parses capabilities; no capabilities if the part is missing.
    pub(super) fn read(capabilities: Option<&str>) -> Result<Self, Malformed> {
        let Some(capabilities) = capabilities else {
            return Ok(Self::default());
        };
        let [elicitation] = fields(capabilities, ["elicitation"])?;
        let elicits = match elicitation {
            None | Some("null") => false,
            Some(elicitation) => {
                let [form, url] = fields(elicitation, ["form", "url"])?;
                // In older protocol versions an empty object means forms.
                form.is_some() || url.is_none()
            }
        };
        Ok(Self { elicits })
    }
}

/// A request's metadata.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Meta<'a> {
    /// The original text of the metadata.
    pub(super) text: Option<&'a str>,
    /// The progress token of the request.
    pub(super) token: Option<Id>,
    /// Whether the request's protocol version has no sessions: the client states its capabilities
    /// in each request, the server sends no requests, and results have types.
    pub(super) is_stateless: bool,
    /// The client's capabilities, if the request states them.
    pub(super) capabilities: ClientCapabilities,
}

/// Returns the span that a request with this metadata is part of. Unreadable metadata has none.
pub(super) fn trace(meta: &str) -> Option<TraceContext> {
    let read = fields(meta, ["traceparent", "tracestate", "baggage"]).ok()?;
    let [parent, state, baggage] = read.map(|text| string(text?).ok());
    TraceContext::from_headers(&parent?, state.as_deref(), baggage.as_deref()).ok()
}

/// Returns the metadata of a request that is part of this span.
pub(super) fn with_trace(meta: Option<&str>, trace: &TraceContext) -> Result<String, Malformed> {
    let text = |value: String| Some(serde_json::Value::from(value).to_string());
    let changes: Vec<_> = trace
        .headers()
        .map(|(name, value)| (name, text(value)))
        .collect();
    with_fields(meta.unwrap_or("{}"), &changes)
}

impl<'a> Meta<'a> {
    /// Parses the metadata of a request with these parameters.
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
