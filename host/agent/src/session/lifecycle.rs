//! The start and the end of a session.

use std::sync::Arc;

use portcullis::Decision;
use portcullis::points::session_end::{EndReason, SessionSummary};
use portcullis::points::{SessionEnd, SessionStart, session_start};
use portcullis::state::StateStoreError;

use super::state::SessionState;
use super::{saving, suspension};
use crate::basics::units::count;
use crate::events::{AgentEvent, SessionEndReason};
use crate::exchange::SessionError;
use crate::workspace::{WorkspaceError, WorkspaceOwner};

pub(crate) async fn start(session: &mut SessionState) -> Result<(), SessionError> {
    open_workspace(session).await?;
    if session.hooks.serves::<SessionStart>() {
        let info = session_start::SessionInfo {
            provider: session.shared.provider.clone(),
            model: session.shared.model.clone(),
            tools: count(session.views.tools.len()),
        };
        match session.ask::<SessionStart>(info, |_| {}).await.decision {
            Decision::Passed => {}
            Decision::Rejected { by, rejection } => {
                return Err(SessionError::Rejected { by, rejection });
            }
            Decision::Failed(failed) => return Err(failed.into()),
        }
    }
    session.emit(|| AgentEvent::SessionStarted {
        provider: session.shared.provider.clone(),
        model: session.shared.model.clone(),
        tools: session.views.tools.names().map(str::to_owned).collect(),
    });
    Ok(())
}

/// Reads what hooks remember of the session, if their state is kept in a store. Call it once the session
/// is claimed: whoever had it open may have written until then. A sub-agent's session ends with its
/// parent's turn, so that theirs is in memory.
pub(crate) async fn open_hooks_state(session: &mut SessionState) -> Result<(), StateStoreError> {
    if session.ancestry.parents.is_empty() {
        let hooks = &session.shared.context.hooks;
        if let Some(stored) = hooks.stored_state(session.id()).await? {
            session.hooks.open_state(stored);
        }
    }
    Ok(())
}

/// Ends a session. Nothing a `session-end` hook does keeps it open.
pub(crate) async fn end(session: &mut SessionState, reason: SessionEndReason) {
    session.clear_prompt();
    let turns = session.position.turn;
    session.position.turn = 0;
    session.position.step = 0;
    suspension::discard_children(session).await;
    if session.hooks.serves::<SessionEnd>() {
        let summary = SessionSummary {
            reason: match reason {
                SessionEndReason::Closed => EndReason::Closed,
                SessionEndReason::Rejected => EndReason::Rejected,
                SessionEndReason::Cancelled => EndReason::Cancelled,
                SessionEndReason::Failed => EndReason::Failed,
            },
            turns,
            usage: session.usage.session(),
        };
        session.ask::<SessionEnd>(summary, |_| {}).await;
    }
    close_workspace(session).await;
    session.flush_hooks_state().await;
    session.hooks.close_state();
    saving::close(session).await;
    session.emit(|| AgentEvent::SessionEnded {
        reason,
        turns,
        usage: session.usage.session(),
    });
}

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

/// Closes the session's workspace. Its directory stays.
async fn close_workspace(session: &mut SessionState) {
    let Some(workspace) = session.workspace.take() else {
        return;
    };
    let name = workspace.name().to_owned();
    drop(workspace);
    let Some(workspaces) = &session.shared.workspaces else {
        return;
    };
    // If another session uses it, the last of them closes it.
    match workspaces.close(&name).await {
        Ok(()) | Err(WorkspaceError::InUse { .. }) => {}
        Err(error) => tracing::warn!(session = session.id(), "{error}"),
    }
}
