//! The source lines that a component's functions were compiled from, for trap messages.

use std::sync::Arc;

use portcullis_source_lines::{find, of_component};

use crate::contract::text::sanitize_for_terminal;

/// The source lines of a component; `None` if it has no line table.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceLines(Option<Arc<[u8]>>);

impl SourceLines {
    /// Reads the table of a valid component.
    pub(crate) fn of(component: &[u8]) -> Self {
        Self(of_component(component).map(Into::into))
    }

    /// Returns the file and line of an offset in a function, as `src/hook.c:12`.
    pub(super) fn find(&self, function: u32, offset: usize) -> Option<String> {
        let (file, line) = find(self.0.as_deref()?, function, offset)?;
        Some(format!("{}:{line}", sanitize_for_terminal(file)))
    }
}
