//! Calls that are part of a trace.

use std::time::Duration;

use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::settings::TelemetryTable;
use portcullis::verdict::Failure;
use portcullis::{Hooks, NativeHook};
use portcullis_collector::{Collector, attributes, hex};
use portcullis_mcp_proxy::HookOptions;
use portcullis_telemetry::Telemetry;
use serde_json::{Value, json};

use super::calls::{lists, no, result, tools};
use super::peers::Peers;

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Returns a call within a trace, with more metadata.
fn call(id: u32, tool: &str) -> String {
    let meta = json!({"progressToken": id, "traceparent": TRACE, "baggage": "tenant=7"});
    let params = json!({"name": tool, "arguments": {}, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

fn guard() -> NativeHook {
    NativeHook::new("guard").on::<PreToolCall>(|call| {
        Ok(match call.subject.name.as_str() {
            "delete" => pre_tool_call::Outcome::Reject(no()),
            "break" => return Err(Failure::BadOutput("broken".into())),
            _ => pre_tool_call::Outcome::Continue,
        })
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_part_of_its_clients_trace_and_the_server_is_told_of_it() {
    let collector = Collector::start().await;
    let table = TelemetryTable {
        endpoint: Some(collector.address().to_owned()),
        ..TelemetryTable::default()
    };
    let telemetry = Telemetry::start(&table).await.unwrap();
    let options = HookOptions {
        telemetry: Some(telemetry.clone()),
        ..HookOptions::default()
    };
    let mut peers = Peers::of(Hooks::none().with([guard()]).unwrap(), options);
    peers.client.send(call(1, "read")).await;
    lists(&mut peers.server, tools(&["read", "delete", "break"])).await;
    let asked = peers.server.json().await;
    peers.server.send(result(1, "done")).await;
    peers.client.json().await;
    for (id, tool) in [(2, "delete"), (3, "break")] {
        peers.client.send(call(id, tool)).await;
        peers.client.json().await;
    }
    let failed = json!({"content": [], "isError": true});
    let failed = json!({"jsonrpc": "2.0", "id": 4, "result": failed});
    let error = json!({"code": -32602, "message": "no"});
    let error = json!({"jsonrpc": "2.0", "id": 5, "error": error});
    for (id, tool, answer) in [(4, "fails", failed), (5, "errs", error)] {
        peers.client.send(call(id, tool)).await;
        peers.server.json().await;
        peers.server.send(answer.to_string()).await;
        peers.client.json().await;
    }
    drop(peers.client);
    peers.relay.await.unwrap();
    telemetry.end(Duration::from_secs(10)).await;
    let read = collector.span("tools/call read");
    assert_eq!(hex(&read.trace_id), "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(hex(&read.parent_span_id), "00f067aa0ba902b7");
    assert_eq!(
        attributes(&read.attributes)["portcullis.decision"],
        "forwarded"
    );
    let meta: &Value = &asked["params"]["_meta"];
    let given = format!("00-{}-{}-01", hex(&read.trace_id), hex(&read.span_id));
    assert_eq!(
        meta,
        &json!({"progressToken": 1, "traceparent": given, "baggage": "tenant=7"})
    );
    let refused = collector.span("tools/call delete");
    let said = attributes(&refused.attributes);
    for (key, value) in [
        ("portcullis.decision", "refused"),
        ("portcullis.by", "guard"),
        ("portcullis.code", "no"),
    ] {
        assert_eq!(said[key], value, "{said:?}");
    }
    // A refusal is not an error. The failure of a guard or a tool is.
    let error = |name: &str| {
        let span = collector.span(name);
        let status = span.status.as_ref().map_or(0, |status| status.code);
        let kind = attributes(&span.attributes);
        (status, kind.get("error.type").cloned().unwrap_or_default())
    };
    for (name, kind) in [
        ("tools/call break", "bad-output"),
        ("tools/call fails", "tool_error"),
        ("tools/call errs", "-32602"),
    ] {
        assert_eq!(error(name), (2, kind.into()), "{name}");
    }
    assert_eq!(error("tools/call read").0, 0);
    assert_eq!(error("tools/call delete").0, 0);
    let by = attributes(&collector.span("tools/call break").attributes);
    assert_eq!(by["portcullis.by"], "guard");
    let runs = collector.tree_at(&["pre-tool-call"]);
    let expected = "\
tools/call read
  run_hook guard at pre-tool-call
tools/call delete
  run_hook guard at pre-tool-call
tools/call break
  run_hook guard at pre-tool-call
tools/call fails
  run_hook guard at pre-tool-call
tools/call errs
  run_hook guard at pre-tool-call";
    assert_eq!(runs, expected);
}

#[tokio::test]
async fn without_telemetry_a_call_keeps_its_bytes() {
    let mut peers = Peers::new([guard()]);
    peers.client.send(call(1, "read")).await;
    lists(&mut peers.server, tools(&["read"])).await;
    let line = peers.server.line().await.unwrap();
    assert_eq!(line, call(1, "read"));
}
