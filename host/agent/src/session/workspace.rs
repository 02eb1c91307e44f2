//! The directory that a session's tools work in, where it has one of its own.

use std::sync::Arc;

use super::running::Running;
use crate::error::SessionError;
use crate::policy::ExecutionGrant;
use crate::workspace::WorkspaceError;

impl Running {
    /// Opens the session's workspace, if it has one.
    pub(super) async fn open_workspace(&mut self) -> Result<(), SessionError> {
        let Some(name) = self.wants_workspace.clone() else {
            return Ok(());
        };
        let Some(workspaces) = &self.shared.workspaces else {
            return Err(SessionError::NoWorkspaces { name });
        };
        let workspace = workspaces.open(&name).await;
        let workspace = workspace.map_err(|error| SessionError::Workspace(Arc::new(error)))?;
        let session = Arc::make_mut(&mut self.views.session);
        session.working_dir = Some(workspace.path().display().to_string());
        self.workspace = Some(workspace);
        Ok(())
    }

    /// Gives the session's workspace back. Its directory stays.
    pub(super) async fn close_workspace(&mut self) {
        let Some(workspace) = self.workspace.take() else {
            return;
        };
        let name = workspace.name().to_owned();
        drop(workspace);
        let Some(workspaces) = &self.shared.workspaces else {
            return;
        };
        // Another session may go on with it; then it is closed with that one.
        match workspaces.close(&name).await {
            Ok(()) | Err(WorkspaceError::InUse { .. }) => {}
            Err(error) => tracing::warn!(session = self.id(), "{error}"),
        }
    }

    /// Where a tool works: the policy says whether and for how long, the workspace where.
    pub(super) fn in_workspace(&self, grant: ExecutionGrant) -> ExecutionGrant {
        match &self.workspace {
            Some(workspace) => ExecutionGrant {
                working_dir: Some(workspace.path().to_owned()),
                ..grant
            },
            None => grant,
        }
    }
}
