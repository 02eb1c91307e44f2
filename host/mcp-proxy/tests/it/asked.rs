//! The ends of hook questions.

use std::sync::Arc;

use portcullis::NativeHook;
use portcullis::contract::AskRequest;
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis_mcp_proxy::RelayEnd;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::calls::{call, lists, tools};
use super::peers::{MOST, Peers};

fn question() -> pre_tool_call::Outcome {
    pre_tool_call::Outcome::Ask(AskRequest {
        question: "May it?".into(),
        details: None,
    })
}

fn asks() -> NativeHook {
    NativeHook::new("asks").on::<PreToolCall>(|_| Ok(question()))
}

/// Makes the client of these peers one that can ask a person.
async fn can_ask(peers: &mut Peers) {
    let capabilities = json!({"elicitation": {}});
    let hello = json!({"id": 0, "method": "initialize", "params": {"capabilities": capabilities}});
    peers.client.send(hello.to_string()).await;
    assert_eq!(peers.server.json().await["method"], "initialize");
    peers.server.send(r#"{"id":0,"result":{}}"#).await;
    assert_eq!(peers.client.json().await["id"], 0);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_denies_the_call_and_does_not_reach_the_server() {
    let mut peers = Peers::new([asks()]);
    can_ask(&mut peers).await;
    let yes = json!({"action": "accept", "content": {"decision": "approve"}});
    let twice = format!(r#""result":{yes}"#);
    let long = format!(r#""pad":"{}""#, "x".repeat(MOST));
    for (id, more) in [(1, twice), (2, long)] {
        peers.client.send(call(id, "t", &json!({}))).await;
        if id == 1 {
            lists(&mut peers.server, tools(&["t"])).await;
        }
        let question = peers.client.json().await;
        assert_eq!(question["method"], "elicitation/create");
        let answer = format!(r#"{{"id":{},"result":{yes},{more}}}"#, question["id"]);
        peers.client.send(answer).await;
        tokio::select! {
            answer = peers.client.json() => {
                assert_eq!(answer["id"], id, "{answer}");
                assert_eq!(answer["result"]["isError"], true, "{answer}");
                let why = "the client gave no answer that can be read";
                assert!(answer.to_string().contains(why), "{answer}");
            }
            sent = peers.server.line() => panic!("the server gets {sent:?}"),
        }
    }
    // The server's next message is the client's next message, so no call was sent.
    peers.client.send(r#"{"id":3,"method":"ping"}"#).await;
    assert_eq!(peers.server.json().await["method"], "ping");
}

#[tokio::test]
async fn the_question_is_in_the_refusal_if_nobody_can_be_asked() {
    let long = json!({"pad": "x".repeat(16_384)});
    for (asks_forms, arguments, why) in [
        (false, json!({}), "it does not support elicitation"),
        (true, long, "the arguments are too long"),
    ] {
        let mut peers = Peers::new([asks()]);
        if asks_forms {
            can_ask(&mut peers).await;
        }
        peers.client.send(call(1, "t", &arguments)).await;
        lists(&mut peers.server, tools(&["t"])).await;
        let refused = peers.client.json().await;
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        let text = refused.to_string();
        assert!(text.contains(why), "{text}");
        assert!(text.contains("The hook asks: May it?"), "{text}");
    }
}

/// The hook asks its question once the server is gone. Nobody would answer it.
#[tokio::test]
async fn a_call_whose_hooks_run_when_the_server_ends_has_an_error() {
    for stops in [false, true] {
        let gate = Arc::new((Semaphore::new(0), Semaphore::new(0)));
        let of_hook = gate.clone();
        let asks_late = NativeHook::new("asks").on_async::<PreToolCall>(move |_| {
            let gate = of_hook.clone();
            Box::pin(async move {
                gate.0.add_permits(1);
                gate.1.acquire().await.unwrap().forget();
                Ok(question())
            })
        });
        let mut peers = Peers::new([asks_late]);
        can_ask(&mut peers).await;
        peers.client.send(r#"{"id":1,"method":"ping"}"#).await;
        peers.server.line().await;
        peers.client.send(call(2, "t", &json!({}))).await;
        lists(&mut peers.server, tools(&["t"])).await;
        gate.0.acquire().await.unwrap().forget();
        if stops {
            peers.stop.cancel();
            assert_eq!(peers.server.line().await, None);
        }
        drop(peers.server);
        let first = peers.client.json().await;
        // The relay knows that the server is gone.
        gate.1.add_permits(1);
        let second = peers.client.json().await;
        let mut ids = Vec::new();
        for answer in [first, second] {
            assert!(answer["error"].is_object(), "{answer}");
            ids.push(answer["id"].as_u64().unwrap());
        }
        ids.sort();
        assert_eq!(ids, [1, 2]);
        assert_eq!(peers.client.line().await, None);
        let end = match stops {
            true => RelayEnd::Stopped,
            false => RelayEnd::Server,
        };
        assert_eq!(peers.relay.await.unwrap(), end);
    }
}

#[tokio::test]
async fn a_question_is_withdrawn_when_the_server_ends() {
    let mut peers = Peers::new([asks()]);
    can_ask(&mut peers).await;
    peers.client.send(call(1, "t", &json!({}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    let question = peers.client.json().await;
    drop(peers.server);
    let (mut errors, mut withdrawn) = (Vec::new(), Vec::new());
    while let Some(line) = peers.client.line().await {
        let mut message: Value = serde_json::from_str(&line).unwrap();
        match message["error"].is_object() {
            true => errors.push(message["id"].take()),
            false => withdrawn.push(message["params"]["requestId"].take()),
        }
    }
    assert_eq!(errors, [json!(1)]);
    assert_eq!(withdrawn, [question["id"].clone()]);
    assert_eq!(peers.relay.await.unwrap(), RelayEnd::Server);
}

#[tokio::test]
async fn a_call_that_was_answered_with_a_question_has_no_second_answer() {
    let mut peers = Peers::new([asks()]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    });
    let params = json!({"name": "t", "arguments": {}, "_meta": meta});
    let call = json!({"id": 1, "method": "tools/call", "params": params});
    peers.client.send(call.to_string()).await;
    lists(&mut peers.server, tools(&["t"])).await;
    let asked = peers.client.json().await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    drop(peers.server);
    assert_eq!(peers.client.line().await, None);
    assert_eq!(peers.relay.await.unwrap(), RelayEnd::Server);
}
