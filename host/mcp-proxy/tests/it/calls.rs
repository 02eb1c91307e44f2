//! Calls that hooks decide on.

use portcullis::NativeHook;
use portcullis::contract::{
    AskRequest, BundledTool, ContributionKind, DomainPolicy, Rejection, ToolBundle, ToolRoute,
    ToolSpec,
};
use portcullis::points::{
    PostToolCall, PreToolCall, PromptPolicy, PromptTools, ToolUpdate, post_tool_call,
    pre_tool_call, prompt_policy, prompt_tools, tool_update,
};
use serde_json::{Value, json};

use super::bytes::watches_all;
use super::peers::{Peer, Peers};

/// Lists these tools as the server.
pub async fn lists(server: &mut Peer, tools: Value) {
    let list = server.json().await;
    assert_eq!(list["method"], "tools/list", "{list}");
    let answer = json!({"jsonrpc": "2.0", "id": list["id"], "result": {"tools": tools}});
    server.send(answer.to_string()).await;
}

pub fn tools(names: &[&str]) -> Value {
    let tool = |name: &&str| json!({"name": name, "inputSchema": {"type": "object"}, "x": 1});
    names.iter().map(tool).collect()
}

pub fn call(id: u32, tool: &str, arguments: &Value) -> String {
    let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

pub fn result(id: u32, text: &str) -> String {
    let result = json!({"content": [{"type": "text", "text": text}]});
    json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()
}

pub fn no() -> Rejection {
    Rejection {
        code: "no".into(),
        reason: "not this".into(),
        details: None,
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn a_refused_call_does_not_reach_the_server_and_the_model_is_told_why() {
    let guard =
        NativeHook::new("guard").on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Reject(no())));
    let mut peers = Peers::new([guard]);
    peers.client.send(call(1, "delete", &json!({}))).await;
    lists(&mut peers.server, tools(&["delete"])).await;
    let answer = peers.client.json().await;
    assert_eq!(answer["id"], 1);
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).contains("not this"), "{answer}");
    // The server's next message is the client's next message, so the call was not sent.
    peers.client.send(r#"{"id":2,"method":"ping"}"#).await;
    assert_eq!(peers.server.json().await["method"], "ping");
}

#[tokio::test]
async fn a_guard_that_fails_refuses_before_and_after() {
    let fails = |_: &_| Err(portcullis::verdict::Failure::BadOutput("broken".into()));
    let before = NativeHook::new("before").on::<PreToolCall>(fails);
    let mut peers = Peers::new([before]);
    peers.client.send(call(1, "t", &json!({}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    let answer = peers.client.json().await;
    assert!(
        answer["result"]["isError"] == true && text(&answer).contains("`before` failed"),
        "{answer}"
    );

    let fails = |_: &_| Err(portcullis::verdict::Failure::BadOutput("broken".into()));
    let after = NativeHook::new("after").on::<PostToolCall>(fails);
    let mut peers = Peers::new([after]);
    peers.client.send(call(1, "t", &json!({}))).await;
    peers.server.json().await;
    peers.server.send(result(1, "the key is 1234")).await;
    let answer = peers.client.line().await.unwrap();
    assert!(
        answer.contains("withheld") && !answer.contains("1234"),
        "{answer}"
    );
}

#[tokio::test]
async fn changed_arguments_are_sent_and_a_changed_result_is_returned() {
    let hook = NativeHook::new("changes")
        .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Transform(r#"{"a":2}"#.into())))
        .on::<PostToolCall>(|call| {
            let output = call.views.tool_output.as_deref().unwrap_or_default();
            Ok(post_tool_call::Outcome::Transform(
                post_tool_call::ToolOutput {
                    content: output.replace("1234", "[key]"),
                    is_error: call.subject.is_error,
                },
            ))
        });
    let mut peers = Peers::new([hook]);
    peers.client.send(call(1, "t", &json!({"a": 1}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    let sent = peers.server.line().await.unwrap();
    assert_eq!(sent, call(1, "t", &json!({"a": 2})));
    let given = json!({"id": 1, "result": {
        "content": [{"type": "text", "text": "it is 1234"}, {"type": "image", "data": "1234", "mimeType": "x"}],
        "structuredContent": {"key": "1234"},
        "z": {"kept": 1}
    }});
    peers.server.send(given.to_string()).await;
    let answer = peers.client.json().await;
    let expected = json!({
        "content": [{"type": "text", "text": "it is [key]"}, {"type": "image", "data": "1234", "mimeType": "x"}],
        "structuredContent": {"key": "[key]"},
        "z": {"kept": 1},
        "isError": false
    });
    assert_eq!(answer["result"], expected);

    // An error is also checked.
    peers.client.send(call(2, "t", &json!({"a": 1}))).await;
    peers.server.json().await;
    let error =
        json!({"id": 2, "error": {"code": -5, "message": "no 1234", "data": {"k": "1234"}}});
    peers.server.send(error.to_string()).await;
    let answer = peers.client.json().await;
    assert_eq!(answer["error"]["code"], -5);
    assert!(!answer.to_string().contains("1234"), "{answer}");
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .starts_with("no [key]"),
        "{answer}"
    );
}

#[tokio::test]
async fn arguments_of_a_hook_that_have_a_name_twice_are_not_sent() {
    let hook = NativeHook::new("changes").on::<PreToolCall>(|_| {
        let arguments = r#"{"path":"/etc/passwd","path":"notes.txt"}"#;
        Ok(pre_tool_call::Outcome::Transform(arguments.into()))
    });
    let mut peers = Peers::new([hook]);
    peers.client.send(call(1, "t", &json!({"path": "a"}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    let answer = peers.client.json().await;
    let why = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(why.contains("a name twice"), "{answer}");
    // The server's next message is the client's next message, so the call was not sent.
    peers.client.send(r#"{"id":2,"method":"ping"}"#).await;
    assert_eq!(peers.server.json().await["method"], "ping");
}

/// A hook that adds an alias of a tool and two tools of its own, and answers one of them.
fn adds_tools() -> NativeHook {
    let tool = |name: &str, route| BundledTool {
        spec: ToolSpec {
            name: name.into(),
            description: "d".into(),
            schema: r#"{"type":"object"}"#.into(),
        },
        route,
    };
    let bundle = ToolBundle {
        name: "b".into(),
        tools: vec![
            tool("alias", ToolRoute::Agent("t".into())),
            tool("own", ToolRoute::Hook),
            tool("lost", ToolRoute::Hook),
        ],
    };
    NativeHook::new("adds")
        .contributes([ContributionKind::Tools])
        .on::<PromptTools>(move |_| {
            let tools = prompt_tools::Contribution::Tools(bundle.clone());
            Ok(prompt_tools::Outcome::Contribute(vec![tools]))
        })
        .on::<PreToolCall>(|call| {
            Ok(match call.subject.name.as_str() {
                "own" => pre_tool_call::Outcome::Answer(pre_tool_call::ToolAnswer {
                    content: "mine".into(),
                    is_error: false,
                }),
                _ => pre_tool_call::Outcome::Continue,
            })
        })
}

#[tokio::test]
async fn added_tools_are_listed_and_run() {
    let mut peers = Peers::new([adds_tools()]);
    peers
        .client
        .send(r#"{"id":"l","method":"tools/list"}"#)
        .await;
    // Two pages are joined.
    let list = peers.server.json().await;
    let first = json!({"id": list["id"], "result": {"tools": tools(&["t"]), "nextCursor": "c"}});
    peers.server.send(first.to_string()).await;
    let list = peers.server.json().await;
    assert_eq!(list["params"]["cursor"], "c");
    let last = json!({"id": list["id"], "result": {"tools": tools(&["u"]), "ttlMs": 5}});
    peers.server.send(last.to_string()).await;
    let answer = peers.client.json().await;
    let listed = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&Value> = listed.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["t", "u", "alias", "lost", "own"]);
    assert_eq!((&answer["id"], &listed[0]["x"]), (&json!("l"), &json!(1)));
    assert_eq!(
        (
            &answer["result"]["ttlMs"],
            answer["result"].get("nextCursor")
        ),
        (&json!(5), None)
    );

    peers.client.send(call(1, "alias", &json!({"a": 1}))).await;
    assert_eq!(
        peers.server.line().await.unwrap(),
        call(1, "t", &json!({"a": 1}))
    );
    peers.client.send(call(2, "own", &json!({}))).await;
    assert_eq!(text(&peers.client.json().await), "mine");
    // The server does not have the tool.
    peers.client.send(call(5, "lost", &json!({}))).await;
    assert!(text(&peers.client.json().await).contains("did not answer the call"));
    peers.client.send(call(3, "other", &json!({}))).await;
    assert!(text(&peers.client.json().await).contains("no tool called `other`"));

    // The proxy requests the list again after it changed.
    peers
        .server
        .send(r#"{"method":"notifications/tools/list_changed"}"#)
        .await;
    peers.client.json().await;
    peers.client.send(call(4, "other", &json!({}))).await;
    lists(&mut peers.server, tools(&["other", "t"])).await;
    assert_eq!(
        peers.server.line().await.unwrap(),
        call(4, "other", &json!({}))
    );
}

#[tokio::test]
async fn a_hidden_tool_does_not_run_under_another_name() {
    let hides = NativeHook::new("hides")
        .contributes([ContributionKind::Policy])
        .on::<PromptPolicy>(|_| {
            let policy = prompt_policy::Contribution::Policy(DomainPolicy {
                domain: "tools".into(),
                rules: r#"{"offered":{"t":false}}"#.into(),
            });
            Ok(prompt_policy::Outcome::Contribute(vec![policy]))
        });
    let mut peers = Peers::new([hides, adds_tools()]);
    peers.client.send(call(1, "alias", &json!({}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    tokio::select! {
        answer = peers.client.json() => {
            assert!(text(&answer).contains("no tool called `alias`"), "{answer}");
        }
        sent = peers.server.line() => panic!("it runs: {sent:?}"),
    }
    // The other tool of that hook is not hidden.
    peers.client.send(call(2, "own", &json!({}))).await;
    assert_eq!(text(&peers.client.json().await), "mine");
}

#[tokio::test]
async fn a_call_is_cancelled_before_and_after_it_reaches_the_server() {
    let mut peers = Peers::new([watches_all()]);
    let cancelled = |id: u32| {
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
            .to_string()
    };
    peers.client.send(call(1, "t", &json!({}))).await;
    assert_eq!(peers.server.json().await["method"], "tools/list");
    peers.client.send(cancelled(1)).await;
    // The list was requested for the first call, which is gone: the second call requests it again.
    peers.client.send(call(2, "t", &json!({}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    assert_eq!(peers.server.json().await["id"], 2);
    peers.client.send(cancelled(2)).await;
    assert_eq!(peers.server.line().await.unwrap(), cancelled(2));
    // The late answer to the cancelled call is passed on, as from any server.
    peers.server.send(result(2, "late")).await;
    assert_eq!(text(&peers.client.json().await), "late");
}

#[tokio::test]
async fn progress_that_a_hook_refuses_is_not_shown() {
    let guard = NativeHook::new("guard").on::<ToolUpdate>(|call| {
        Ok(match call.subject.index {
            0 => tool_update::Outcome::Reject(no()),
            _ => tool_update::Outcome::Continue,
        })
    });
    let mut peers = Peers::new([guard]);
    peers.client.send(call(1, "t", &json!({}))).await;
    peers.server.json().await;
    for progress in [1, 2] {
        let report = json!({"method": "notifications/progress", "params": {"progressToken": 1, "progress": progress}});
        peers.server.send(report.to_string()).await;
    }
    assert_eq!(peers.client.json().await["params"]["progress"], 2);
    // A report without a request might belong to a call that has ended.
    let other =
        json!({"method": "notifications/progress", "params": {"progressToken": 9, "progress": 1}});
    peers.server.send(other.to_string()).await;
    peers.server.send(result(1, "done")).await;
    assert_eq!(text(&peers.client.json().await), "done");
}

#[tokio::test]
async fn an_answer_that_no_request_waits_for_does_not_reach_the_client() {
    let mut peers = Peers::new([watches_all()]);
    peers.client.send(r#"{"id":1,"method":"ping"}"#).await;
    peers.server.line().await;
    for line in [
        r#"{"id":"1","result":{"content":[]}}"#,
        r#"{"id":null,"result":{}}"#,
        r#"{"id":1,"result":{}}"#,
    ] {
        peers.server.send(line).await;
    }
    assert_eq!(
        peers.client.line().await.unwrap(),
        r#"{"id":1,"result":{}}"#
    );
}

#[tokio::test]
async fn who_cannot_ask_a_person_is_refused_and_who_can_is_asked() {
    let asks = || {
        NativeHook::new("asks").on::<PreToolCall>(|_| {
            Ok(pre_tool_call::Outcome::Ask(AskRequest {
                question: "May\nit?".into(),
                details: None,
            }))
        })
    };
    let mut peers = Peers::new([asks()]);
    peers.client.send(call(1, "t", &json!({}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    let answer = peers.client.json().await;
    assert!(
        text(&answer).contains("does not support elicitation"),
        "{answer}"
    );

    let mut peers = Peers::new([asks()]);
    let initialize =
        json!({"id": 0, "method": "initialize", "params": {"capabilities": {"elicitation": {}}}});
    peers.client.send(initialize.to_string()).await;
    peers.server.json().await;
    for (decision, runs) in [("approve", true), ("deny", false)] {
        let arguments = json!({"pad": "x".repeat(3_000), "path": "/etc/passwd"});
        peers.client.send(call(1, "t", &arguments)).await;
        if runs {
            lists(&mut peers.server, tools(&["t"])).await;
        }
        let question = peers.client.json().await;
        assert_eq!(question["method"], "elicitation/create");
        let message = question["params"]["message"].as_str().unwrap();
        assert!(
            message.starts_with("May\\nit?\n") && message.ends_with(&arguments.to_string()),
            "{message}"
        );
        let content = json!({"decision": decision, "reason": "too late"});
        let answer =
            json!({"id": question["id"], "result": {"action": "accept", "content": content}});
        peers.client.send(answer.to_string()).await;
        if runs {
            assert_eq!(peers.server.json().await["method"], "tools/call");
            peers.server.send(result(1, "ran")).await;
            assert_eq!(text(&peers.client.json().await), "ran");
        } else {
            assert!(text(&peers.client.json().await).contains("too late"));
        }
    }
    // A question is withdrawn if its call is cancelled.
    peers.client.send(call(2, "t", &json!({}))).await;
    let question = peers.client.json().await;
    peers
        .client
        .send(json!({"method": "notifications/cancelled", "params": {"requestId": 2}}).to_string())
        .await;
    let withdrawn = peers.client.json().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
}

#[tokio::test]
async fn a_client_without_a_session_is_asked_by_the_result() {
    let asks = NativeHook::new("asks").on::<PreToolCall>(|_| {
        Ok(pre_tool_call::Outcome::Ask(AskRequest {
            question: "May it?".into(),
            details: None,
        }))
    });
    let mut peers = Peers::new([asks]);
    let call = |id: u32, arguments: Value, more: Value| {
        let mut params = json!({"name": "t", "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
            "progressToken": id,
        }});
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    };
    peers.client.send(call(1, json!({"a": 1}), json!({}))).await;
    lists(&mut peers.server, tools(&["t"])).await;
    let asked = peers.client.json().await;
    assert_eq!(
        (&asked["id"], &asked["result"]["resultType"]),
        (&json!(1), &json!("input_required"))
    );
    let again = |decision: &str, state: &Value| json!({"requestState": state, "inputResponses": {"decision": {"action": "accept", "content": {"decision": decision}}}});
    let state = &asked["result"]["requestState"];
    peers
        .client
        .send(call(2, json!({"a": 1}), again("approve", state)))
        .await;
    // The server sees neither the question nor the answer.
    assert_eq!(
        peers.server.line().await.unwrap(),
        call(2, json!({"a": 1}), json!({}))
    );
    peers.server.send(result(2, "ran")).await;
    assert_eq!(text(&peers.client.json().await), "ran");

    // An approval of one call does not apply to another.
    peers.client.send(call(3, json!({"a": 1}), json!({}))).await;
    let asked = peers.client.json().await;
    let state = &asked["result"]["requestState"];
    peers
        .client
        .send(call(4, json!({"a": 2}), again("approve", state)))
        .await;
    let answer = peers.client.json().await;
    assert_eq!(
        (&answer["id"], &answer["result"]["isError"]),
        (&json!(4), &json!(true))
    );
}
