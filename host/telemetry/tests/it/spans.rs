//! The spans of sessions, and their content.

use portcullis::Hooks;
use portcullis::settings::TelemetryTable;
use portcullis_agent::{AgentConfig, NewSession, ToolStrategy};
use portcullis_collector::{StatusCode, attributes};

use crate::agents::{agent, calls, probe, says, traced, traced_in};

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_a_tree_of_spans() {
    let does = "session-start = \"continue\"\npre-turn = \"continue\"\npre-llm-call = \"continue\"\n\
                pre-tool-call = \"continue\"\npost-tool-call = \"continue\"\npost-step = \"continue\"\n\
                post-turn = \"continue\"";
    let agent = agent(&[calls(&[("echo", "c1")]), says("done")], probe(does));
    let collector = traced(agent).await;
    let expected = "\
session clerk
  run_hook probe at session-start
invoke_agent clerk
  run_hook probe at pre-turn
  step 1
    run_hook probe at pre-llm-call
    chat model-1
    execute_tool echo
      run_hook probe at pre-tool-call
      run_hook probe at post-tool-call
    run_hook probe at post-step
  step 2
    run_hook probe at pre-llm-call
    chat model-1
    run_hook probe at post-step
  run_hook probe at post-turn";
    let points: Vec<_> = does
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(collector.tree_at(&points), expected);
    for span in collector.spans() {
        assert!(
            span.start_time_unix_nano <= span.end_time_unix_nano,
            "{span:?}"
        );
        assert_eq!(span.status.unwrap_or_default().code(), StatusCode::Unset);
    }
    let turn = collector.span("invoke_agent clerk");
    assert_eq!(
        turn.links[0].trace_id,
        collector.span("session clerk").trace_id
    );
    assert_ne!(turn.links[0].trace_id, turn.trace_id);
    let turn = attributes(&turn.attributes);
    for (key, value) in [
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.agent.name", "clerk"),
        ("gen_ai.provider.name", "scripted"),
        ("gen_ai.request.model", "model-1"),
        ("gen_ai.usage.input_tokens", "30"),
        ("gen_ai.usage.output_tokens", "8"),
        ("portcullis.turn", "1"),
        ("portcullis.outcome", "ok"),
    ] {
        assert_eq!(turn[key], value, "{key}");
    }
    let spans = collector.spans();
    let chat = spans
        .iter()
        .find(|span| span.name == "chat model-1")
        .unwrap();
    assert_eq!(chat.kind, 3, "a client's");
    let chat = attributes(&chat.attributes);
    for (key, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.response.finish_reasons", "tool-use"),
        ("gen_ai.usage.input_tokens", "10"),
        ("gen_ai.usage.output_tokens", "3"),
    ] {
        assert_eq!(chat[key], value, "{key}");
    }
    let tool = attributes(&collector.span("execute_tool echo").attributes);
    for (key, value) in [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "echo"),
        ("gen_ai.tool.call.id", "c1"),
        ("portcullis.tool.ran", "true"),
    ] {
        assert_eq!(tool[key], value, "{key}");
    }
    let run = attributes(&collector.run_at("pre-tool-call").attributes);
    assert_eq!(run["portcullis.hook.mode"], "enforce");
    assert_eq!(run["portcullis.hook.answer"], "continue");
    assert_eq!(run["portcullis.hook.component"].len(), 64);
    assert_eq!(collector.taken.lock().unwrap().services[0], "portcullis");
    // The spans have no message text.
    let bytes = collector.taken.lock().unwrap().bytes.clone();
    let bytes = String::from_utf8_lossy(&bytes).into_owned();
    assert!(!bytes.contains("sesame"), "{bytes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_no_error_and_a_guard_that_fails_closed_is() {
    for (does, outcome, status, cause) in [
        (
            "pre-tool-call = \"reject not today\"",
            None,
            StatusCode::Unset,
            None,
        ),
        (
            "pre-tool-call = \"panic\"",
            Some("failed"),
            StatusCode::Error,
            Some("trap"),
        ),
    ] {
        let agent = agent(&[calls(&[("echo", "c1")]), says("done")], probe(does));
        let collector = traced(agent).await;
        let tool = collector.span("execute_tool echo");
        let of_tool = attributes(&tool.attributes);
        assert_eq!(tool.status.unwrap_or_default().code(), status, "{does}");
        assert_eq!(of_tool["portcullis.tool.ran"], "false");
        assert_eq!(of_tool["portcullis.by"], "probe");
        assert_eq!(of_tool.get("error.type").map(String::as_str), cause);
        let run = collector.run_at("pre-tool-call");
        let of_run = attributes(&run.attributes);
        assert_eq!(run.status.unwrap_or_default().code(), status, "{does}");
        assert_eq!(of_run.get("error.type").map(String::as_str), cause);
        assert_eq!(
            of_run.contains_key("portcullis.hook.failed_closed"),
            outcome.is_some()
        );
        assert_eq!(run.parent_span_id, tool.span_id);
        // The turn itself continued.
        let turn = collector.span("invoke_agent clerk");
        assert_eq!(turn.status.unwrap_or_default().code(), StatusCode::Unset);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_turn_is_refused_and_a_failed_one_has_an_error() {
    for (does, outcome, status) in [
        ("pre-turn = \"reject no\"", "refused", StatusCode::Unset),
        ("pre-turn = \"panic\"", "failed", StatusCode::Error),
    ] {
        let agent = agent(&[says("done")], probe(does));
        let collector = traced(agent).await;
        let turn = collector.span("invoke_agent clerk");
        assert_eq!(attributes(&turn.attributes)["portcullis.outcome"], outcome);
        assert_eq!(turn.status.unwrap_or_default().code(), status, "{does}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_tools_and_sub_agents_have_the_right_parents() {
    // The helper's hooks see the calls of the agent above too: two runs under one id.
    let helper = agent(
        &[calls(&[("other", "h1")]), says("helped")],
        probe("pre-tool-call = \"continue\""),
    );
    let helper = helper
        .config(AgentConfig {
            name: "helper".into(),
            ..AgentConfig::default()
        })
        .build()
        .unwrap();
    let script = [
        serde_json::json!({ "tool_calls": [
            { "name": "echo", "id": "c1", "arguments": {} },
            { "name": "helper", "id": "c2", "arguments": { "task": "help" } },
            { "name": "other", "id": "c3", "arguments": {} },
        ] }),
        says("done"),
    ];
    let agent = agent(&script, probe("pre-tool-call = \"continue\""))
        .config(AgentConfig {
            name: "clerk".into(),
            tool_strategy: ToolStrategy::Parallel,
            ..AgentConfig::default()
        })
        .subagent("helper", "Helps.", helper);
    let collector = traced(agent).await;
    let expected = "\
session clerk
invoke_agent clerk
  step 1
    chat model-1
    execute_tool echo
      run_hook probe at pre-tool-call
    execute_tool helper
      session helper
        invoke_agent helper
          step 1
            chat model-1
            execute_tool other
              run_hook probe at pre-tool-call
              run_hook probe at pre-tool-call
          step 2
            chat model-1
    execute_tool other
      run_hook probe at pre-tool-call
  step 2
    chat model-1";
    assert_eq!(collector.tree_at(&["pre-tool-call"]), expected);
    let mut ids = std::collections::BTreeSet::new();
    for span in collector.spans() {
        assert!(
            ids.insert(span.span_id.clone()),
            "two spans of one id: {}",
            span.name
        );
        // The parent span is of this process.
        assert_eq!(span.flags & 0x200, 0, "{}", span.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn content_is_there_on_demand() {
    let agent = agent(
        &[calls(&[("echo", "c1")]), says("It is open.")],
        Hooks::default(),
    );
    let collector = traced_in(agent, NewSession::default(), |table| TelemetryTable {
        content: true,
        ..table
    });
    let (collector, _) = collector.await;
    let turn = attributes(&collector.span("invoke_agent clerk").attributes);
    let input: serde_json::Value = serde_json::from_str(&turn["gen_ai.input.messages"]).unwrap();
    assert_eq!(input[0]["role"], "user");
    assert_eq!(input[0]["parts"][0]["content"], "Open sesame.");
    let output: serde_json::Value = serde_json::from_str(&turn["gen_ai.output.messages"]).unwrap();
    assert_eq!(output[0]["parts"][0]["content"], "It is open.");
    let tool = attributes(&collector.span("execute_tool echo").attributes);
    assert_eq!(tool["gen_ai.tool.call.arguments"], r#"{"word":"sesame"}"#);
    assert!(tool["gen_ai.tool.call.result"].contains("sesame"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_model_call_has_its_kind_and_the_retry_is_seen() {
    let fails = serde_json::json!({ "error": { "kind": "overloaded", "message": "busy" } });
    let agent = agent(&[fails, says("done")], Hooks::default());
    let collector = traced(agent).await;
    let mut chats = collector.spans();
    chats.retain(|span| span.name == "chat model-1");
    chats.sort_by_key(|span| span.start_time_unix_nano);
    let first = attributes(&chats[0].attributes);
    assert_eq!(first["error.type"], "overloaded");
    assert_eq!(chats[0].status.clone().unwrap().message, "");
    assert_eq!(
        attributes(&chats[1].attributes)["portcullis.model.attempt"],
        "2"
    );
    assert_eq!(collector.span("step 1").events[0].name, "retry");
}
