//! The calls that observing hooks see if the result is withheld from the client.

use std::sync::{Arc, Mutex};

use portcullis::contract::HookRole;
use portcullis::hooks::StateStorage;
use portcullis::points::{PostToolCall, post_tool_call};
use portcullis::{Hooks, LoadOptions, NativeHook};
use portcullis_mcp_proxy::HookOptions;
use portcullis_tests::{Does, HooksDir, TestStore, cache};
use serde_json::json;

use super::calls::{call, lists, result, tools};
use super::peers::Peers;

/// An observing hook, and the outputs that it sees.
fn observes() -> (NativeHook, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keeps = seen.clone();
    let hook = NativeHook::new("observes")
        .role(HookRole::Observe)
        .on::<PostToolCall>(move |call| {
            let output = call.views.tool_output.as_deref().unwrap_or_default();
            keeps.lock().unwrap().push(output.to_owned());
            Ok(post_tool_call::Outcome::Continue)
        });
    (hook, seen)
}

/// Returns a client and a server with the probe between them. The probe does `before` at
/// `pre-tool-call`, and at `post-tool-call` it writes to a store that fails.
async fn unkept(before: &str, observes: NativeHook) -> Peers {
    let dir = HooksDir::new().with("probe").settings(&format!(
        "[hooks.probe.grants]\nstate = true\nevents = true\n\
         contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n[hooks.probe.config]\n\
         pre-tool-call = \"{before}\"\npost-tool-call = \"remember\"\n"
    ));
    let store = Arc::new(TestStore::default());
    let options = LoadOptions {
        cache: cache(),
        native: vec![observes],
        state: StateStorage::Store(store.clone()),
        ..LoadOptions::default()
    };
    let hooks = Hooks::load(dir.path(), &options).unwrap();
    let options = HookOptions {
        state: hooks.stored_state("s").await.unwrap(),
        session: Some("s".into()),
        ..HookOptions::default()
    };
    store.set(Does::Fails);
    Peers::of(hooks, options)
}

/// Expects an error with this text as the next answer.
async fn fails(peers: &mut Peers, why: &str) {
    let answer = peers.client.json().await;
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains(why), "{answer}");
}

/// Waits until the relay has ended.
async fn ended(peers: Peers) {
    drop(peers.client);
    peers.relay.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_took_effect_is_observed_if_its_state_cannot_be_kept() {
    let (hook, seen) = observes();
    let mut peers = unkept("continue", hook).await;
    peers.client.send(call(1, "t", &json!({}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    peers.server.json().await;
    peers.server.send(result(1, "done")).await;
    fails(&mut peers, "cannot be kept").await;
    ended(peers).await;
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_a_hook_is_observed_if_its_state_cannot_be_kept() {
    let (hook, seen) = observes();
    let mut peers = unkept("answer from the hook", hook).await;
    peers.client.send(call(1, "t", &json!({}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    fails(&mut peers, "cannot be kept").await;
    ended(peers).await;
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn an_error_of_a_task_that_hooks_turn_into_a_result_is_observed() {
    let (hook, seen) = observes();
    let answers = NativeHook::new("answers").on::<PostToolCall>(|_| {
        Ok(post_tool_call::Outcome::Transform(
            post_tool_call::ToolOutput {
                content: "no error".into(),
                is_error: false,
            },
        ))
    });
    let mut peers = Peers::new([hook, answers]);
    peers.client.send(call(1, "t", &json!({}))).await;
    peers.server.json().await;
    let created = json!({"task": {"taskId": "a", "status": "working"}});
    peers
        .server
        .send(json!({"id": 1, "result": created}).to_string())
        .await;
    peers.client.json().await;
    let get = json!({"id": 2, "method": "tasks/get", "params": {"taskId": "a"}});
    peers.client.send(get.to_string()).await;
    peers.server.json().await;
    let state =
        json!({"taskId": "a", "status": "failed", "error": {"code": 1, "message": "it failed"}});
    peers
        .server
        .send(json!({"id": 2, "result": state}).to_string())
        .await;
    fails(&mut peers, "a hook made a result of a task's error").await;
    ended(peers).await;
    assert_eq!(*seen.lock().unwrap(), ["no error"]);
}
