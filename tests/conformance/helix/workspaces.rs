//! `onWorkspaceOpen`, `-Close`, `-Evict`, `-EvictionRetry` and `-Snapshot`. Workspaces outlive
//! sessions, so their hooks run in a session of their own, `workspaces`.

use std::num::NonZeroUsize;
use std::time::Duration;

use portcullis_agent::{
    Agent, AgentEvent, EventSender, NewSession, Script, WorkspaceConfig, Workspaces,
};
use serde_json::json;

use crate::harness::{ACTOR, Actor, KINDS, load, says};

/// Returns the events that hooks received, by point.
fn told(events: &mut portcullis_agent::EventReceiver) -> Vec<String> {
    let mut told = Vec::new();
    while let Some(emitted) = events.try_next() {
        if let AgentEvent::HookRun { run } = &emitted.event
            && &*emitted.session_id == "workspaces"
        {
            told.push(run.point.name().to_owned());
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fires_where_it_happens() {
    for kind in KINDS {
        for role in ["observe", "transform"] {
            let files = tempfile::tempdir().unwrap();
            let workspaces = Workspaces::new(WorkspaceConfig {
                max_open: NonZeroUsize::MIN,
                snapshots: Some(files.path().join("kept")),
                eviction_retries: 1,
                eviction_delay: Duration::from_millis(1),
                ..WorkspaceConfig::new(files.path().join("all"))
            });
            let (_dir, hooks) = load(&[Actor::new(ACTOR, []).role(role)], kind);
            let events = EventSender::new();
            let mut heard = events.subscribe();
            let script = json!({ "responses": [says("done")] }).to_string();
            let agent = Agent::builder()
                .providers(Script::parse(&script).unwrap().providers())
                .hooks(hooks)
                .workspaces(workspaces.clone())
                .events(events)
                .build()
                .unwrap();

            // A session that works in a workspace.
            let new = NewSession {
                workspace: Some("one".into()),
                ..NewSession::default()
            };
            let mut session = agent.session(new).await.unwrap();
            session.turn("go").await.unwrap();
            assert_eq!(told(&mut heard), ["workspace-opened"], "{kind:?} {role}");

            // The workspace is in use, so there is no room for another: the retry fails too.
            workspaces.open("two").await.unwrap_err();
            assert_eq!(
                told(&mut heard),
                ["workspace-eviction-retried"],
                "{kind:?} {role}"
            );
            session.close().await;
            assert_eq!(told(&mut heard), ["workspace-closed"], "{kind:?} {role}");

            // The workspace is not in use now: a copy is kept, and it is evicted.
            drop(workspaces.open("one").await.unwrap());
            drop(workspaces.open("two").await.unwrap());
            assert_eq!(
                told(&mut heard),
                [
                    "workspace-opened",
                    "workspace-snapshotted",
                    "workspace-evicted",
                    "workspace-opened",
                ],
                "{kind:?} {role}"
            );
        }
    }
}
