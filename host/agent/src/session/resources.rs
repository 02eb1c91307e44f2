//! The resources of a session: its workspace, its hooks' state, and its claim.

use std::sync::Arc;

use portcullis::state::StateStoreError;

use super::saving;
use super::state::SessionState;
use crate::exchange::SessionError;
use crate::workspace::{WorkspaceError, WorkspaceOwner};

/// Opens the session's workspace, if it names one.
pub(crate) async fn open_workspace(session: &mut SessionState) -> Result<(), SessionError> {
    let Some(name) = session.workspace_name.clone() else {
        return Ok(());
    };
    let Some(workspaces) = &session.shared.workspaces else {
        return Err(SessionError::NoWorkspaces { name });
    };
    let owner = WorkspaceOwner {
        session: session.id().to_owned(),
        user: session.views.session.user.clone(),
    };
    let workspace = workspaces.open_for(&name, owner).await;
    let workspace = workspace.map_err(|error| SessionError::Workspace(Arc::new(error)))?;
    let info = Arc::make_mut(&mut session.views.session);
    info.working_dir = Some(workspace.path().display().to_string());
    session.workspace = Some(workspace);
    Ok(())
}

/// Reads the hooks' state of the session, if it is in a store. Call it once the session is claimed,
/// because the last process may have written until then. A sub-agent's session ends with its
/// parent's turn, so its hooks' state is in memory.
pub(crate) async fn open_hooks_state(session: &mut SessionState) -> Result<(), StateStoreError> {
    if session.ancestry.parents.is_empty() {
        let hooks = &session.shared.context.hooks;
        if let Some(stored) = hooks.stored_state(session.id()).await? {
            session.hooks.open_state(stored);
        }
    }
    Ok(())
}

/// Releases the resources of the session: its workspace, its hooks' state, and its claim.
pub(crate) async fn release(session: &mut SessionState) {
    close_workspace(session).await;
    session.hooks.close_state();
    saving::close(session).await;
}

/// Closes the session's workspace. Its directory stays.
async fn close_workspace(session: &mut SessionState) {
    let held = session.workspace.take().map(|it| it.name().to_owned());
    // If the session was dropped while its workspace was opened, the workspace is open without a
    // user.
    let Some(name) = held.or_else(|| session.workspace_name.clone()) else {
        return;
    };
    let Some(workspaces) = &session.shared.workspaces else {
        return;
    };
    // If another session uses the workspace, the last session closes it.
    match workspaces.close(&name).await {
        Ok(()) | Err(WorkspaceError::InUse { .. }) => {}
        Err(error) => tracing::warn!(session = session.id(), "{error}"),
    }
}
