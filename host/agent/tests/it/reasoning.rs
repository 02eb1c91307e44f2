//! Signed reasoning, which the process that continues a turn must send back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis::approval::ApprovalDecision;
use portcullis::contract::AskRequest;
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis_agent::{
    Agent, ApiConfig, ApiKey, ApiKind, ApiProvider, Effort, NewSession, Resolution, Tool,
    ToolError, ToolOutput, Toolbox, TurnEnd,
};
use portcullis_store::{Store, StoreOptions, StoreUrl};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::api_server::{Reply, Server};
use crate::support::{Does, Says, hook, quick};

/// Returns the reasoning of a model, which does not show a part of it.
fn reasoning() -> [Value; 2] {
    [
        json!({ "type": "thinking", "thinking": "I should look.", "signature": "sig-1" }),
        json!({ "type": "redacted_thinking", "data": "data-1" }),
    ]
}

/// Returns a response of a model that reasons, followed by this content.
fn reasons_and(then: Value) -> Reply {
    let [shown, redacted] = reasoning();
    response(json!([shown, redacted, then]))
}

fn response(content: Value) -> Reply {
    Reply::json(json!({
        "id": "m", "type": "message", "role": "assistant", "model": "model-0",
        "content": content,
        "stop_reason": "end_turn",
        "usage": { "input_tokens": 10, "output_tokens": 9 }
    }))
}

fn says(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn calls_look() -> Value {
    json!({ "type": "tool_use", "id": "t1", "name": "look", "input": {} })
}

/// Checks that the last request contains the reasoning unchanged.
fn assert_sent_back(server: &Server) {
    let body = server.asked().pop().unwrap().body;
    let content = body["messages"][1]["content"].as_array().unwrap();
    assert_eq!(content[..2], reasoning(), "{body}");
    assert_eq!(body["thinking"]["type"], "enabled", "{body}");
}

/// Returns an agent of a new process, with the tool `look`, which a hook may ask a person about.
fn agent(server: &Server, look: Arc<dyn Tool>, asks: bool) -> Agent {
    let mut config = ApiConfig::new(ApiKind::Anthropic, "model-0");
    config.base_url = Some(server.url());
    config.key = Some(ApiKey::Value("key-test".into()));
    config.stream = false;
    config.effort = Some(Effort::Medium);
    let mut toolbox = Toolbox::new();
    toolbox.add(look).unwrap();
    Agent::builder()
        .provider("api", Arc::new(ApiProvider::new(config).unwrap()))
        .tools(Arc::new(toolbox))
        .config(quick())
        .prepare(move |session| {
            if asks {
                hook::<PreToolCall, _>(session, "ask", |_| {
                    Ok(pre_tool_call::Outcome::Ask(AskRequest {
                        question: "May it look?".into(),
                        details: None,
                    }))
                });
            }
        })
        .build()
        .unwrap()
}

fn looks() -> Arc<dyn Tool> {
    Does::tool("look", |_, _| async { Ok(ToolOutput::ok("saw")) })
}

/// Returns the store of a new process.
async fn store(path: &Path) -> Store {
    let url = StoreUrl::sqlite(path);
    Store::open(url, StoreOptions::default()).await.unwrap()
}

fn file(dir: &tempfile::TempDir) -> PathBuf {
    dir.path().join("store.sqlite")
}

#[tokio::test]
async fn the_process_that_resumes_a_turn_sends_it_back() {
    let dir = tempfile::tempdir().unwrap();
    let done = response(json!([says("done")]));
    let server = Server::start([reasons_and(calls_look()), done]).await;
    let new = |store: &Store| NewSession {
        approver: Arc::new(Says(ApprovalDecision::Defer)),
        checkpoints: Some(Arc::new(store.checkpoints())),
        ..NewSession::default()
    };
    let first = agent(&server, looks(), true);
    let mut session = first.session(new(&store(&file(&dir)).await)).await.unwrap();
    let TurnEnd::Suspended(suspension) = session.turn("go").await.unwrap() else {
        panic!("it is not suspended");
    };
    session.close().await;

    let second = agent(&server, looks(), true);
    let yes = BTreeMap::from([("t1".to_owned(), Resolution::yes())]);
    let new = new(&store(&file(&dir)).await);
    let resumed = second.resume(suspension.checkpoint, yes, new);
    let (_, ended) = resumed.await.unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
    assert_sent_back(&server);
}

#[tokio::test]
async fn the_process_that_opens_a_saved_session_sends_it_back() {
    let dir = tempfile::tempdir().unwrap();
    let again = response(json!([says("again")]));
    let server = Server::start([reasons_and(says("done")), again]).await;
    for said in ["go", "go again"] {
        let store = store(&file(&dir)).await;
        let new = NewSession {
            id: "s".into(),
            sessions: Some(Arc::new(store.sessions())),
            ..NewSession::default()
        };
        let agent = agent(&server, looks(), false);
        let mut session = agent.session(new).await.unwrap();
        session.turn(said).await.unwrap();
        session.close().await;
    }
    assert_sent_back(&server);
}

#[tokio::test]
async fn the_process_that_finishes_a_recorded_turn_sends_it_back() {
    let dir = tempfile::tempdir().unwrap();
    let done = response(json!([says("done")]));
    let server = Server::start([reasons_and(calls_look()), done]).await;
    let new = |store: &Store| NewSession {
        id: "s".into(),
        approver: Arc::new(Says(ApprovalDecision::Approve)),
        sessions: Some(Arc::new(store.sessions())),
        turns: Some(Arc::new(store.turns())),
        ..NewSession::default()
    };
    let begun = Arc::new(Notify::new());
    let began = begun.clone();
    let hangs = Does::tool("look", move |_, _| {
        let began = began.clone();
        async move {
            began.notify_one();
            std::future::pending::<Result<ToolOutput, ToolError>>().await
        }
    });
    let first = agent(&server, hangs, false);
    let store_of_first = store(&file(&dir)).await;
    let mut turning = Box::pin(async {
        let mut session = first.session(new(&store_of_first)).await.unwrap();
        session.turn("go").await
    });
    tokio::select! {
        ended = &mut turning => panic!("{ended:?}"),
        () = begun.notified() => {}
    }
    // The process dies while the tool runs, so no destructor runs.
    std::mem::forget(turning);

    let second = agent(&server, looks(), false);
    let store_of_second = store(&file(&dir)).await;
    store_of_second.sessions().release("s").await.unwrap();
    let mut session = second.session(new(&store_of_second)).await.unwrap();
    let ended = session.finish_turn(CancellationToken::new()).await;
    let report = ended.unwrap().unwrap().done().unwrap();
    assert_eq!(report.text(), "done");
    assert_sent_back(&server);
    session.close().await;
}
