//! The `workspace-*` hooks.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::contract::{Context, Workspace as Record};
use portcullis::points::{
    Point, WorkspaceClosed, WorkspaceEvicted, WorkspaceEvictionRetried, WorkspaceOpened,
    WorkspaceSnapshotted, workspace_eviction_retried, workspace_snapshotted,
};
use portcullis::session::SessionInfo;
use portcullis::{Call, Session, SessionOptions, Views};

use crate::events::{AgentEvent, EventSender, Position};
use crate::shared::Shared;
use crate::sink::Reports;
use crate::workspace::{WorkspaceEvent, WorkspaceEventKind, WorkspaceObserver};

/// The session that these hooks run in. A workspace may outlive its session, and may be evicted for
/// another session's workspace.
const SESSION: &str = "workspaces";

/// Reports workspace events to an agent's hooks and subscribers.
struct WorkspaceHooks {
    agent: String,
    hooks: Session,
    events: EventSender,
    position: Position,
}

/// Calls an agent's hooks for the events of its workspaces, while the workspaces exist.
pub(super) fn observe(agent: &Shared) {
    let Some(workspaces) = &agent.workspaces else {
        return;
    };
    let context = &agent.context;
    let reports = Reports {
        events: context.events.clone(),
        journal: agent.journal.clone(),
        ..Reports::default()
    };
    let mut hooks = context.hooks.session(SessionOptions {
        sink: reports.observer(SESSION),
        ..SessionOptions::new(SESSION)
    });
    agent.prepare(&mut hooks);
    let observer = WorkspaceHooks {
        agent: context.config.name.clone(),
        hooks,
        events: context.events.clone(),
        position: Position::session(SESSION),
    };
    let _ = workspaces.clone().observed_by(Arc::new(observer));
}

impl WorkspaceHooks {
    async fn run<P: Point>(&self, subject: P::Subject, of: &WorkspaceEvent) {
        if !self.hooks.serves::<P>() {
            return;
        }
        let context = Context {
            session_id: SESSION.to_owned(),
            agent: self.agent.clone(),
            turn: 0,
            step: 0,
        };
        let views = Views {
            session: Arc::new(session_info(of)),
            ..Views::default()
        };
        let mut call = Call::<P>::unchecked(context, subject, views);
        let verdict = self.hooks.run(&mut call).await;
        for run in verdict.runs {
            self.emit(|| AgentEvent::HookRun { run });
        }
    }

    fn emit(&self, event: impl FnOnce() -> AgentEvent) {
        self.events.emit_at(&self.position, event);
    }
}

/// Returns the view `session` for these points: the user and, as metadata, the session that owns
/// the workspace.
fn session_info(event: &WorkspaceEvent) -> SessionInfo {
    let owner = event.owner.as_ref();
    SessionInfo {
        user: owner.and_then(|owner| owner.user.clone()),
        working_dir: Some(event.path.display().to_string()),
        parent: None,
        metadata: owner
            .map(|owner| ("session".to_owned(), owner.session.clone()))
            .into_iter()
            .collect(),
    }
}

impl WorkspaceObserver for WorkspaceHooks {
    fn happened<'a>(&'a self, event: &'a WorkspaceEvent) -> BoxFuture<'a, ()> {
        async move {
            self.emit(|| AgentEvent::Workspace {
                workspace: event.clone(),
            });
            let record = Record {
                name: event.name.clone(),
                path: event.path.display().to_string(),
                reason: event.reason.clone(),
            };
            match &event.kind {
                WorkspaceEventKind::Opened => self.run::<WorkspaceOpened>(record, event).await,
                WorkspaceEventKind::Closed => self.run::<WorkspaceClosed>(record, event).await,
                WorkspaceEventKind::Evicted => self.run::<WorkspaceEvicted>(record, event).await,
                WorkspaceEventKind::EvictionRetried { attempt } => {
                    let retry = workspace_eviction_retried::EvictionRetry {
                        workspace: record,
                        attempt: *attempt,
                    };
                    self.run::<WorkspaceEvictionRetried>(retry, event).await;
                }
                WorkspaceEventKind::Snapshotted { snapshot, bytes } => {
                    let kept = workspace_snapshotted::Snapshot {
                        workspace: record,
                        path: snapshot.display().to_string(),
                        bytes: *bytes,
                    };
                    self.run::<WorkspaceSnapshotted>(kept, event).await;
                }
            }
        }
        .boxed()
    }
}
