//! Sessions that work in workspaces.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use portcullis::points::{WorkspaceEvicted, WorkspaceOpened, workspace_evicted, workspace_opened};
use portcullis::{Hooks, NativeHook};
use portcullis_agent::{
    AgentEvent, NewSession, SessionError, Toolbox, WorkspaceConfig, Workspaces, builtin_tools,
};

use crate::support::{Trail, bench, recorder, responses};

fn in_workspace(name: &str) -> NewSession {
    NewSession {
        workspace: Some(name.into()),
        ..NewSession::default()
    }
}

#[tokio::test]
async fn tools_work_in_the_sessions_workspace() {
    let root = tempfile::tempdir().unwrap();
    let workspaces = Workspaces::new(WorkspaceConfig::new(root.path().join("all")));
    let script = responses(&[
        r#"{"tool_calls": [{"name": "write_file", "arguments": {"path": "a.txt", "content": "x"}}]}"#,
        r#"{"text": "done"}"#,
    ]);
    let mut tools = Toolbox::new();
    tools.extend(builtin_tools()).unwrap();
    let mut bench = bench(&script, |builder, _| {
        builder.tools(Arc::new(tools)).workspaces(workspaces)
    });
    let mut session = bench.agent.session(in_workspace("one")).await.unwrap();
    session.turn("go").await.unwrap();
    session.close().await;
    let written = root.path().join("all/one/a.txt");
    assert_eq!(std::fs::read_to_string(written).unwrap(), "x");
    let happened: Vec<String> = bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::Workspace { workspace } => Some(format!("{:?}", workspace.kind)),
            _ => None,
        })
        .collect();
    assert_eq!(happened, ["Opened", "Closed"]);
}

#[tokio::test]
async fn every_workspace_point_fires() {
    let root = tempfile::tempdir().unwrap();
    let config = WorkspaceConfig {
        max_open: NonZeroUsize::MIN,
        snapshots: Some(root.path().join("kept")),
        eviction_retries: 1,
        eviction_delay: Duration::from_millis(1),
        ..WorkspaceConfig::new(root.path().join("all"))
    };
    let workspaces = Workspaces::new(config);
    let opened = workspaces.clone();
    let bench = bench(&responses(&[]), |builder, trail| {
        let hooks = Hooks::none().with([recorder("recorder", trail)]).unwrap();
        builder.hooks(hooks).workspaces(workspaces)
    });
    let first = opened.open("one").await.unwrap();
    // The workspace is in use, so there is no room, even at the retry.
    opened.open("two").await.unwrap_err();
    drop(first);
    let second = opened.open("two").await.unwrap();
    drop(second);
    opened.close("two").await.unwrap();
    assert_eq!(
        bench.trail.take(),
        [
            "workspace-opened",
            "workspace-eviction-retried",
            "workspace-snapshotted",
            "workspace-evicted",
            "workspace-opened",
            "workspace-closed",
        ]
    );
}

#[tokio::test]
async fn hooks_get_the_workspace_and_the_reason() {
    let root = tempfile::tempdir().unwrap();
    let workspaces = Workspaces::new(WorkspaceConfig {
        max_open: NonZeroUsize::MIN,
        ..WorkspaceConfig::new(root.path().join("all"))
    });
    let trail = Trail::default();
    let (a, b) = (trail.clone(), trail.clone());
    let hook = NativeHook::new("watch")
        .on::<WorkspaceOpened>(move |call| {
            a.add(format!("{} opened", call.subject.name));
            Ok(workspace_opened::Outcome::Continue)
        })
        .on::<WorkspaceEvicted>(move |call| {
            assert!(!call.subject.reason.is_empty());
            b.add(format!("{} evicted", call.subject.name));
            Ok(workspace_evicted::Outcome::Continue)
        });
    let _bench = bench(&responses(&[]), |builder, _| {
        builder.native([hook]).workspaces(workspaces.clone())
    });
    drop(workspaces.open("one").await.unwrap());
    drop(workspaces.open("two").await.unwrap());
    assert_eq!(trail.take(), ["one opened", "one evicted", "two opened"]);
}

#[tokio::test]
async fn a_session_without_room_for_its_workspace_is_not_opened() {
    let bench = bench(&responses(&[]), |builder, _| builder);
    let error = bench.agent.session(in_workspace("one")).await.unwrap_err();
    assert!(
        matches!(error, SessionError::NoWorkspaces { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn a_sub_agent_works_in_its_parents_workspace() {
    let root = tempfile::tempdir().unwrap();
    let workspaces = Workspaces::new(WorkspaceConfig::new(root.path().join("all")));
    let mut tools = Toolbox::new();
    tools.extend(builtin_tools()).unwrap();
    let child = bench(
        &responses(&[
            r#"{"tool_calls": [{"name": "write_file", "arguments": {"path": "b.txt", "content": "y"}}]}"#,
            r#"{"text": "written"}"#,
        ]),
        |builder, _| builder.tools(Arc::new(tools)),
    );
    let script = responses(&[
        r#"{"tool_calls": [{"name": "writer", "arguments": {"task": "write"}}]}"#,
        r#"{"text": "done"}"#,
    ]);
    let bench = bench(&script, |builder, _| {
        builder
            .workspaces(workspaces)
            .subagent("writer", "Writes.", child.agent.clone())
    });
    let mut session = bench.agent.session(in_workspace("one")).await.unwrap();
    session.turn("go").await.unwrap();
    session.close().await;
    let written = root.path().join("all/one/b.txt");
    assert_eq!(std::fs::read_to_string(written).unwrap(), "y");
}

#[tokio::test]
async fn hooks_are_told_whose_workspace_it_is() {
    let root = tempfile::tempdir().unwrap();
    let workspaces = Workspaces::new(WorkspaceConfig {
        idle: Duration::ZERO,
        ..WorkspaceConfig::new(root.path().join("all"))
    });
    let all = workspaces.clone();
    let bench = bench(&responses(&[]), |builder, trail| {
        let told = |point: &'static str, trail: &Trail, views: &portcullis::Views| {
            let session = &views.session;
            trail.add(format!("{point} {:?} {:?}", session.user, session.metadata));
        };
        let (opened, evicted) = (trail.clone(), trail.clone());
        let hook = NativeHook::new("told")
            .on::<WorkspaceOpened>(move |call| {
                told("opened", &opened, &call.views);
                Ok(workspace_opened::Outcome::Continue)
            })
            .on::<WorkspaceEvicted>(move |call| {
                told("evicted", &evicted, &call.views);
                Ok(workspace_evicted::Outcome::Continue)
            });
        builder
            .hooks(Hooks::none().with([hook]).unwrap())
            .workspaces(workspaces)
    });
    let session = bench
        .agent
        .session(NewSession {
            id: "s-1".into(),
            user: Some("ann".into()),
            ..in_workspace("one")
        })
        .await
        .unwrap();
    session.close().await;
    all.evict_closed().await.unwrap();
    // The workspace has no session.
    drop(all.open("one").await.unwrap());
    assert_eq!(
        bench.trail.take(),
        [
            r#"opened Some("ann") [("session", "s-1")]"#,
            r#"evicted Some("ann") [("session", "s-1")]"#,
            "opened None []",
        ]
    );
}
