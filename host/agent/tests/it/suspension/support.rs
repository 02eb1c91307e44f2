//! Agents whose turns are suspended.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use portcullis::Session;
use portcullis::approval::ApprovalDecision;
use portcullis::contract::AskRequest;
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis_agent::{
    Answerer, Checkpoint, CheckpointError, CheckpointId, CheckpointInfo, CheckpointStore,
    NewCheckpoint, NewSession, Resolution, Suspension, ToolOutput, TurnEnd, TurnError,
};
use portcullis_store::{Checkpoints, Store, StoreOptions, StoreUrl};

use crate::support::{Bench, Does, Says, bench, hook, record_all, responses, toolbox_with};

pub fn new(store: &Arc<Checkpoints>) -> NewSession {
    NewSession {
        approver: Arc::new(Says(ApprovalDecision::Defer)),
        checkpoints: Some(store.clone()),
        ..NewSession::default()
    }
}

/// Adds a hook that asks about calls of `echo` with this text.
pub fn asks(session: &mut Session, id: &str, about: &'static str) {
    hook::<PreToolCall, _>(session, id, move |call| {
        Ok(if call.views.tool_arguments.contains(about) {
            pre_tool_call::Outcome::Ask(AskRequest {
                question: format!("May it {about}?"),
                details: None,
            })
        } else {
            pre_tool_call::Outcome::Continue
        })
    });
}

pub fn decision(id: &str, says: ApprovalDecision) -> BTreeMap<String, Resolution> {
    BTreeMap::from([(id.to_owned(), Resolution::Decision(says))])
}

pub fn given(id: &str, content: &str) -> BTreeMap<String, Resolution> {
    BTreeMap::from([(id.to_owned(), Resolution::result(content))])
}

pub fn call(id: &str, name: &str, text: &str) -> String {
    format!(r#"{{"id": "{id}", "name": "{name}", "arguments": {{"text": "{text}"}}}}"#)
}

pub fn calls(calls: &[String]) -> String {
    format!(
        r#"{{"text": "Let me.", "tool_calls": [{}], "usage": {{"input_tokens": 10, "output_tokens": 1}}}}"#,
        calls.join(",")
    )
}

/// A checkpoint file that several processes use.
pub struct File {
    _dir: tempfile::TempDir,
    pub path: std::path::PathBuf,
}

impl File {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("store.sqlite");
        Self { _dir: dir, path }
    }

    pub fn open(&self) -> Arc<Checkpoints> {
        let url = StoreUrl::sqlite(&self.path);
        let store = Store::open_blocking(url, StoreOptions::default()).unwrap();
        Arc::new(store.checkpoints())
    }
}

pub fn suspended(ended: Result<TurnEnd, TurnError>) -> Suspension {
    match ended.unwrap() {
        TurnEnd::Suspended(suspension) => suspension,
        TurnEnd::Done(report) => panic!("it is done: {report:?}"),
    }
}

/// Returns an agent whose hook asks about `rm`. Each process opens it again.
pub fn careful(script: &str) -> Bench {
    bench(script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            asks(session, "ask", "rm");
            record_all(session, &trail);
        })
    })
}

pub async fn suspend(file: &File, response: &str) -> (Suspension, Vec<String>) {
    let bench = careful(&responses(&[response]));
    let mut session = bench.agent.session(new(&file.open())).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    session.close().await;
    (suspension, bench.trail.take())
}

/// A store that is slow, or cannot save.
pub struct Slow(pub Arc<Checkpoints>, pub bool);

#[async_trait]
impl CheckpointStore for Slow {
    async fn save(&self, new: NewCheckpoint) -> Result<CheckpointId, CheckpointError> {
        if self.1 {
            return Err(CheckpointError::Store("the disk is full".into()));
        }
        let saved = self.0.save(new).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        saved
    }
    async fn claim(&self, id: &CheckpointId) -> Result<Checkpoint, CheckpointError> {
        let claimed = self.0.claim(id).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        claimed
    }
    async fn release(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        self.0.release(id).await
    }
    async fn resolve(
        &self,
        id: &CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        by: Answerer,
    ) -> Result<CheckpointInfo, CheckpointError> {
        self.0.resolve(id, resolutions, by).await
    }
    async fn get(&self, id: &CheckpointId) -> Result<CheckpointInfo, CheckpointError> {
        self.0.get(id).await
    }
    async fn list(&self, of: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        self.0.list(of).await
    }
    async fn claimed(&self, of: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        self.0.claimed(of).await
    }
    async fn discard(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        self.0.discard(id).await
    }
}

/// Returns an agent with a tool that counts in the agent's state, and with a hook that asks about
/// `rm`.
pub fn counting(script: &str) -> Bench {
    bench(script, |builder, trail| {
        let counts = Does::tool("count", |_, run| async move {
            let n = run.state.get("n").and_then(|n| n.as_u64()).unwrap_or(0);
            run.state.set("n", n + 1);
            Ok(ToolOutput::ok(format!("{}", n + 1)))
        });
        builder
            .tools(toolbox_with(trail, [counts]))
            .prepare(|session| asks(session, "ask", "rm"))
    })
}
