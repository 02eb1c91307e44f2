//! Requests that are part of a trace.

use std::time::Duration;

use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::settings::TelemetryTable;
use portcullis::{Hooks, NativeHook};
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_collector::{Collector, Has, attributes, differences, hex};
use portcullis_serve::ServeOptions;
use portcullis_telemetry::Telemetry;
use reqwest::Method;
use serde_json::json;

use crate::server::{body, start_with};

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Returns a hook that refuses every call, with the trace in its reason.
fn says() -> NativeHook {
    NativeHook::new("says").on::<PreToolCall>(|call| {
        let trace = call
            .views
            .trace
            .as_ref()
            .map(|trace| trace.context().traceparent());
        Ok(pre_tool_call::Outcome::Reject(
            portcullis::contract::Rejection {
                code: "no".into(),
                reason: trace.unwrap_or_default(),
                details: None,
            },
        ))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_part_of_its_callers_trace() {
    let collector = Collector::start().await;
    let table = TelemetryTable {
        endpoint: Some(collector.address().to_owned()),
        ..TelemetryTable::default()
    };
    let telemetry = Telemetry::start(&table).await.expect("telemetry");
    let hooks = Hooks::none().with([says()]).expect("the hook");
    let options = BridgeOptions {
        observer: telemetry.observer(""),
        ..BridgeOptions::default()
    };
    let bridge = Bridge::new(hooks, options).expect("a bridge");
    let options = ServeOptions {
        telemetry: Some(telemetry.clone()),
        ..ServeOptions::default()
    };
    let server = start_with(bridge, options).await;
    let request = server
        .request(Method::POST, "/v1/points/pre-tool-call")
        .bearer_auth(&server.token)
        .header("traceparent", TRACE);
    let answer = request
        .body(body("delete").to_string())
        .send()
        .await
        .expect("an answer");
    let answer = answer.text().await.expect("a body");
    telemetry.end(Duration::from_secs(10)).await;
    let span = collector.span("POST /v1/points/{name}");
    assert_eq!(hex(&span.trace_id), "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(hex(&span.parent_span_id), "00f067aa0ba902b7");
    let of_span = attributes(&span.attributes);
    assert_eq!(of_span["portcullis.decision"], "reject");
    assert_eq!(of_span["portcullis.point"], "pre-tool-call");
    let run = collector.run_at("pre-tool-call");
    assert_eq!(run.parent_span_id, span.span_id);
    let given = format!("00-{}-{}-01", hex(&span.trace_id), hex(&span.span_id));
    assert!(answer.contains(&given), "{answer}");
    // An event of another agent, and an invalid request.
    let event = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": "/work", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "c1",
    });
    for (body, status) in [(event.to_string(), 200), ("{".to_owned(), 400)] {
        let request = server
            .request(Method::POST, "/v1/events/claude")
            .bearer_auth(&server.token)
            .header("traceparent", TRACE);
        let answer = request.body(body).send().await.expect("an answer");
        assert_eq!(answer.status(), status);
    }
    telemetry.end(Duration::from_secs(10)).await;
    let event = collector.span("POST /v1/events/{dialect}");
    assert_eq!(hex(&event.parent_span_id), "00f067aa0ba902b7");
    assert_eq!(
        attributes(&event.attributes)["portcullis.event"],
        "PreToolUse"
    );
    let runs = collector.spans();
    let mut runs = runs.iter().filter(|run| run.name == "run_hook says");
    assert!(runs.any(|run| run.parent_span_id == event.span_id));
    // The counters are sent to the collector, and read here too.
    let metrics = server.get("/metrics").await.1;
    let metrics = metrics.as_str().expect("text");
    for line in [
        "portcullis_calls_total{decision=\"reject\",point=\"pre-tool-call\"} 1\n",
        "portcullis_hook_refusals_total{hook=\"says\",mode=\"enforce\",point=\"pre-tool-call\"} 2\n",
    ] {
        assert!(metrics.contains(line), "{line}{metrics}");
    }
    let differences = differences(metrics, Has::Daemon);
    assert!(differences.is_empty(), "{differences:#?}\n{metrics}");
    let taken = collector.taken.lock().expect("the lock");
    assert!(taken.metrics.iter().any(|name| name == "portcullis.calls"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_telemetry_a_trace_is_passed_on() {
    let hooks = Hooks::none().with([says()]).expect("the hook");
    let bridge = Bridge::new(hooks, BridgeOptions::default()).expect("a bridge");
    let server = start_with(bridge, ServeOptions::default()).await;
    for (header, expected) in [(TRACE, TRACE), ("00-0-0-00", "\"reason\":\"\"")] {
        let request = server
            .request(Method::POST, "/v1/points/pre-tool-call")
            .bearer_auth(&server.token)
            .header("traceparent", header);
        let answer = request
            .body(body("delete").to_string())
            .send()
            .await
            .expect("an answer");
        let answer = answer.text().await.expect("a body");
        assert!(answer.contains(expected), "{answer}");
    }
}
