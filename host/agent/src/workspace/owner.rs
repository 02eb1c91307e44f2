//! The owners of workspaces.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

/// Whose session works in a workspace, or worked there last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct WorkspaceOwner {
    /// The session.
    pub session: String,
    /// Its user, as the embedder names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

/// The owners of workspaces, by name. Clones share the list.
#[derive(Clone, Default)]
pub(super) struct Owners(Arc<Mutex<HashMap<String, WorkspaceOwner>>>);

impl Owners {
    pub(super) fn get(&self, workspace: &str) -> Option<WorkspaceOwner> {
        self.0.lock().get(workspace).cloned()
    }

    /// Sets the owner, and returns the previous one.
    pub(super) fn set(
        &self,
        workspace: &str,
        owner: Option<WorkspaceOwner>,
    ) -> Option<WorkspaceOwner> {
        let mut all = self.0.lock();
        match owner {
            Some(owner) => all.insert(workspace.to_owned(), owner),
            None => all.remove(workspace),
        }
    }
}
