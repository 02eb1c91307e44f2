//! The resources of a suspended turn's session, and their release if the turn is not resumed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis::hooks::{CacheChoice, StateStorage};
use portcullis::state::{Current, EditKey, PrivateEntry, StateStore, StateStoreError, Writes};
use portcullis::{Hooks, LoadOptions};
use portcullis_agent::{
    CheckpointId, CheckpointStore as _, NewSession, ResumeError, WorkspaceConfig, Workspaces,
};
use portcullis_store::{Store, StoreOptions, StoreUrl};

use crate::support::{Bench, bench, responses};

use super::support::*;
use super::warnings::Warnings;

/// A store of hooks' state that never answers.
#[derive(Debug, Default)]
struct Stuck(tokio::sync::Notify);

impl StateStore for Stuck {
    fn private<'a>(&'a self, _: &'a str) -> Answer<'a, Vec<PrivateEntry>> {
        self.0.notify_one();
        Box::pin(std::future::pending())
    }

    fn get<'a>(&'a self, _: &'a str, _: &'a str) -> Answer<'a, Option<Vec<u8>>> {
        Box::pin(std::future::pending())
    }

    fn sizes<'a>(&'a self, _: &'a str) -> Answer<'a, BTreeMap<String, usize>> {
        Box::pin(std::future::pending())
    }

    fn update<'a>(&'a self, _: &'a str, _: &'a str, _: EditKey) -> Answer<'a, Current> {
        Box::pin(std::future::pending())
    }

    fn write<'a>(&'a self, _: &'a Writes) -> Answer<'a, ()> {
        Box::pin(std::future::pending())
    }
}

type Answer<'a, T> = BoxFuture<'a, Result<T, StateStoreError>>;

/// A saved session in a workspace, whose turn is suspended.
struct Suspended {
    store: Store,
    new: NewSession,
    workspaces: Workspaces,
    checkpoint: CheckpointId,
    _file: File,
}

impl Suspended {
    async fn new() -> Self {
        let file = File::new();
        let url = StoreUrl::sqlite(&file.path);
        let store = Store::open(url, StoreOptions::default()).await.unwrap();
        let root = file.path.with_file_name("workspaces");
        let workspaces = Workspaces::new(WorkspaceConfig::new(root));
        let new = NewSession {
            id: "s".into(),
            sessions: Some(Arc::new(store.sessions())),
            workspace: Some("one".into()),
            ..new(&Arc::new(store.checkpoints()))
        };
        let script = responses(&[&calls(&[call("c1", "echo", "rm")])]);
        let bench = bench(&script, |builder, _| {
            let builder = builder.workspaces(workspaces.clone());
            builder.prepare(|session| asks(session, "ask", "rm"))
        });
        let mut session = bench.agent.session(new.clone()).await.unwrap();
        let checkpoint = suspended(session.turn("go").await).checkpoint;
        let all = Self {
            store,
            new,
            workspaces,
            checkpoint,
            _file: file,
        };
        // Even while the session is not closed, because the turn may be resumed in another process.
        all.assert_waits().await;
        session.close().await;
        all
    }

    /// Checks that the session and its workspace are free, and the turn waits.
    async fn assert_waits(&self) {
        let saved = self.store.sessions().get("s").await.unwrap().unwrap();
        assert!(saved.open_in.is_none(), "the session is released");
        let open = self.workspaces.open_names().await;
        assert!(open.is_empty(), "the workspace is closed");
        let waiting = self.store.checkpoints().list(None).await.unwrap();
        let waiting: Vec<_> = waiting.into_iter().map(|turn| turn.id).collect();
        assert_eq!(waiting, std::slice::from_ref(&self.checkpoint));
    }

    /// Returns the agent of another process, with these hooks.
    fn agent(&self, hooks: Hooks) -> Bench {
        bench(r#"{"responses": []}"#, |builder, _| {
            builder.hooks(hooks).workspaces(self.workspaces.clone())
        })
    }

    async fn resume(&self, bench: &Bench, new: NewSession) -> Result<(), ResumeError> {
        let yes = decision("c1", ApprovalDecision::Approve);
        let resumed = bench.agent.resume(self.checkpoint.clone(), yes, new).await;
        resumed.map(drop)
    }
}

#[tokio::test]
async fn a_resume_that_fails_while_it_opens_gives_all_back() {
    let turn = Suspended::new().await;
    let other = NewSession {
        sessions: Some(Arc::new(turn.store.sessions())),
        checkpoints: None,
        workspace: None,
        ..turn.new.clone()
    };
    let bench = turn.agent(Hooks::none());
    let holder = bench.agent.session(other).await.unwrap();
    let error = turn.resume(&bench, turn.new.clone()).await.unwrap_err();
    assert!(matches!(error, ResumeError::Session(_)), "{error}");
    holder.close().await;
    turn.assert_waits().await;
}

#[tokio::test]
async fn a_resume_that_is_dropped_or_cancelled_while_it_opens_gives_all_back() {
    let turn = Suspended::new().await;
    for cancelled in [false, true] {
        let (stuck, dir) = (Arc::new(Stuck::default()), tempfile::tempdir().unwrap());
        let options = LoadOptions {
            state: StateStorage::Store(stuck.clone()),
            cache: CacheChoice::None,
            ..LoadOptions::default()
        };
        let bench = turn.agent(Hooks::load(dir.path(), &options).unwrap());
        let new = NewSession {
            cancel: Default::default(),
            ..turn.new.clone()
        };
        let cancel = new.cancel.clone();
        let resume = turn.resume(&bench, new);
        if cancelled {
            let opens = async {
                stuck.0.notified().await;
                cancel.cancel();
            };
            let (resumed, ()) = tokio::join!(resume, opens);
            assert!(
                matches!(resumed, Err(ResumeError::Cancelled)),
                "{resumed:?}"
            );
        } else {
            tokio::select! {
                resumed = resume => panic!("{resumed:?}"),
                () = stuck.0.notified() => {}
            }
            assert_eq!(bench.agent.drain(Duration::from_secs(300)).await, 0);
        }
        turn.assert_waits().await;
    }
}

/// Outside of a runtime no resources can be released, so the warning names those that are still
/// held.
#[test]
fn a_resume_that_is_dropped_outside_of_a_runtime_is_reported() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let turn = runtime.block_on(Suspended::new());
    let (stuck, dir) = (Arc::new(Stuck::default()), tempfile::tempdir().unwrap());
    let options = LoadOptions {
        state: StateStorage::Store(stuck.clone()),
        cache: CacheChoice::None,
        ..LoadOptions::default()
    };
    let bench = turn.agent(Hooks::load(dir.path(), &options).unwrap());
    let mut resume = Box::pin(turn.resume(&bench, turn.new.clone()));
    runtime.block_on(async {
        tokio::select! {
            resumed = &mut resume => panic!("{resumed:?}"),
            () = stuck.0.notified() => {}
        }
    });
    let warnings = Warnings::default();
    tracing::subscriber::with_default(warnings.clone(), || drop(resume));
    let warnings = warnings.all();
    for what in ["the session `s` stays open", "the checkpoint stays claimed"] {
        assert!(warnings.contains(what), "{what}: {warnings}");
    }
    let claimed = runtime.block_on(turn.store.checkpoints().claimed(None));
    assert_eq!(claimed.unwrap().len(), 1);
}
