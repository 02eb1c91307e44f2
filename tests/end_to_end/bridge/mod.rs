//! The bridge: every point called with JSON, sessions by id, and state that outlives the process.

mod asked;
mod every_point;
mod kept;

use portcullis::LoadOptions;
use portcullis_bridge::{Bridge, BridgeOptions, CallContext, CallReply, CallRequest};
use portcullis_store::{Durability, Store, StoreOptions, StoreUrl};
use portcullis_tests::{HooksDir, cache, probe};
use serde_json::json;

/// Creates a hooks directory with the probe, which performs these actions.
fn dir(actions: &str) -> HooksDir {
    HooksDir::new().with("probe").settings(&probe(actions))
}

fn load() -> LoadOptions<'static> {
    LoadOptions {
        cache: cache(),
        ..LoadOptions::default()
    }
}

fn bridge(dir: &HooksDir, options: BridgeOptions) -> Bridge {
    Bridge::load(dir.path(), load(), options).expect("the hooks load")
}

/// Opens the store in this directory, as another process would.
fn store(dir: &tempfile::TempDir) -> Store {
    let url = StoreUrl::sqlite(dir.path().join("store.sqlite"));
    let options = StoreOptions::default().durability(Durability::Normal);
    Store::open_blocking(url, options).expect("a store")
}

/// Returns a tool call with these arguments.
fn tool_call(session: &str, arguments: &str) -> CallRequest {
    CallRequest {
        point: "pre-tool-call".into(),
        context: CallContext::new(session, "tests").turn(1).step(1),
        input: json!({
            "call-id": "1", "name": "shell", "arguments-bytes": arguments.len(),
            "grant": {"working-dir": null, "timeout-ms": 1_000},
        }),
        views: json!({"tool-data": {"input": arguments}}),
    }
}

async fn call(bridge: &Bridge, request: CallRequest) -> CallReply {
    bridge.call(request).await.expect("a decision")
}

#[test]
fn hooks_that_get_no_thread_to_load_on_stay_as_they_are() {
    let bridge = bridge(&dir(""), BridgeOptions::default());
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.thread_stack_size(1 << 60).build().expect("one");
    let error = runtime.block_on(bridge.reload()).expect_err("no thread");
    assert!(error.to_string().contains("no more threads"), "{error}");
}
