//! The lines of the sources that a component's functions were compiled from, for the traps that are shown.

use std::sync::Arc;

use portcullis_source_lines::{find, of_component};

use crate::contract::text::sanitize_for_terminal;

/// The lines of a component; none if it has no table of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceLines(Option<Arc<[u8]>>);

impl SourceLines {
    /// Those of a component that is valid.
    pub(crate) fn of(component: &[u8]) -> Self {
        Self(of_component(component).map(Into::into))
    }

    /// The file and the line of an offset in a function, as `src/hook.c:12`.
    pub(super) fn find(&self, function: u32, offset: usize) -> Option<String> {
        let (file, line) = find(self.0.as_deref()?, function, offset)?;
        Some(format!("{}:{line}", sanitize_for_terminal(file)))
    }
}
