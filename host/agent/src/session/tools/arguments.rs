//! Checked arguments of a tool call.

use std::sync::Arc;

use portcullis::ToolCatalog;
use portcullis::points::InvalidValue;
use serde_json::Value;

use crate::session::state::SessionState;

/// Arguments that fit their tool: a JSON object that the schema allows.
///
/// They fit the schema that the model was given and, if a contributed tool runs as one of the
/// agent's own, that tool's schema too.
pub(super) struct ToolArguments {
    text: Arc<str>,
    value: Value,
}

impl ToolArguments {
    /// Checks arguments for a tool, as it was offered.
    pub(super) fn check(
        session: &SessionState,
        offered: &ToolCatalog,
        tool: &str,
        text: &Arc<str>,
    ) -> Result<Self, InvalidValue> {
        offered.check(tool, text)?;
        let target = session.prompt.target(tool);
        if target != tool {
            session.shared.catalog.check(target, text)?;
        }
        let value = serde_json::from_str(text).map_err(|e| InvalidValue(e.to_string()))?;
        Ok(Self {
            text: text.clone(),
            value,
        })
    }

    /// As the model or a hook wrote them.
    pub(super) fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }
}
