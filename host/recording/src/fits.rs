//! Checks that a value still has its type after redaction.

use portcullis::contract::ToolSpec;
use portcullis::json::JsonPoint;
use portcullis::points::{PointId, PointVisitor};
use portcullis::tools::ToolCatalog;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Returns whether a value has the type `T`.
pub(crate) fn is<T: DeserializeOwned>(value: &Value) -> bool {
    T::deserialize(value).is_ok()
}

/// Returns whether a value is a catalogue of tools.
pub(crate) fn are_tools(value: &Value) -> bool {
    let tools = Vec::<ToolSpec>::deserialize(value);
    tools.is_ok_and(|tools| ToolCatalog::new(tools).is_ok())
}

/// Returns whether a value has the type of the subject of a call at a point.
pub(crate) fn subject(point: PointId, value: &Value) -> bool {
    point.visit(Subject(value))
}

struct Subject<'a>(&'a Value);

impl PointVisitor for Subject<'_> {
    type Output = bool;

    fn visit<P: JsonPoint>(self) -> bool {
        is::<P::Subject>(self.0)
    }
}
