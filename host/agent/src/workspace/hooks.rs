//! What happens to workspaces, told to the hooks.

use std::sync::Arc;

use async_trait::async_trait;
use portcullis::contract::{Context, Workspace as Record};
use portcullis::points::{
    Point, WorkspaceClosed, WorkspaceEvicted, WorkspaceEvictionRetried, WorkspaceOpened,
    WorkspaceSnapshotted, workspace_eviction_retried, workspace_snapshotted,
};
use portcullis::{Call, Session, Views};

use super::{WorkspaceEvent, WorkspaceEventKind, WorkspaceObserver};
use crate::events::{AgentEvent, Emitted, EventSender};

/// The session that hooks of workspaces run in: workspaces outlive sessions, and may be evicted for
/// the sake of another.
pub(crate) const SESSION: &str = "workspaces";

/// Tells an agent's hooks and subscribers what happens to workspaces.
pub(crate) struct WorkspaceHooks {
    agent: String,
    hooks: Session,
    events: EventSender,
    session: Arc<str>,
}

impl WorkspaceHooks {
    pub(crate) fn new(agent: String, hooks: Session, events: EventSender) -> Self {
        Self {
            agent,
            hooks,
            events,
            session: SESSION.into(),
        }
    }

    async fn tell<P: Point>(&self, subject: P::Subject) {
        if !self.hooks.serves::<P>() {
            return;
        }
        let context = Context {
            session_id: SESSION.to_owned(),
            agent: self.agent.clone(),
            turn: 0,
            step: 0,
        };
        let mut call = Call::<P>::new(context, subject, Views::default());
        let verdict = self.hooks.run(&mut call).await;
        for run in verdict.runs {
            self.emit(|| AgentEvent::HookRun { run });
        }
    }

    fn emit(&self, event: impl FnOnce() -> AgentEvent) {
        self.events
            .emit(|| Emitted::new(self.session.clone(), 0, 0, event()));
    }
}

#[async_trait]
impl WorkspaceObserver for WorkspaceHooks {
    async fn happened(&self, event: &WorkspaceEvent) {
        self.emit(|| AgentEvent::Workspace {
            workspace: event.clone(),
        });
        let record = Record {
            name: event.name.clone(),
            path: event.path.display().to_string(),
            reason: event.reason.clone(),
        };
        match &event.kind {
            WorkspaceEventKind::Opened => self.tell::<WorkspaceOpened>(record).await,
            WorkspaceEventKind::Closed => self.tell::<WorkspaceClosed>(record).await,
            WorkspaceEventKind::Evicted => self.tell::<WorkspaceEvicted>(record).await,
            WorkspaceEventKind::EvictionRetried { attempt } => {
                let retry = workspace_eviction_retried::EvictionRetry {
                    workspace: record,
                    attempt: *attempt,
                };
                self.tell::<WorkspaceEvictionRetried>(retry).await;
            }
            WorkspaceEventKind::Snapshotted { snapshot, bytes } => {
                let kept = workspace_snapshotted::Snapshot {
                    workspace: record,
                    path: snapshot.display().to_string(),
                    bytes: *bytes,
                };
                self.tell::<WorkspaceSnapshotted>(kept).await;
            }
        }
    }
}
