//! Calls through the proxy as spans.

use std::fs;

use portcullis_collector::{Collector, attributes};

use super::peers::{hooks_of, text};
use super::running::Running;

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_a_span_with_its_hooks_in_it_which_is_sent_at_the_end() {
    let collector = Collector::start().await;
    let settings = format!(
        "[telemetry]\nendpoint = \"{}\"\nservice-name = \"tools\"\n\
         [hooks.probe.grants]\nstate = true\nevents = true\n\
         contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
         [hooks.probe.config]\npre-tool-call = \"continue\"\npost-tool-call = \"continue\"\n",
        collector.address()
    );
    let dir = hooks_of("probe", &settings);
    tokio::task::block_in_place(|| {
        let mut proxy = Running::start(dir.path(), &["--no-store"]);
        assert_eq!(text(&proxy.call(1)[0]), "ran");
        proxy.end();
    });
    let expected = "\
tools/call t
  run_hook probe at pre-tool-call
  run_hook probe at post-tool-call";
    let points = ["pre-tool-call", "post-tool-call"];
    assert_eq!(collector.tree_at(&points), expected);
    let call = attributes(&collector.span("tools/call t").attributes);
    for (key, value) in [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "t"),
        ("gen_ai.tool.call.id", "1"),
        ("mcp.method.name", "tools/call"),
        ("portcullis.decision", "forwarded"),
    ] {
        assert_eq!(call[key], value, "{key}");
    }
    assert_eq!(collector.taken.lock().unwrap().services[0], "tools");
    // The option names another collector than the settings, whose collector is gone.
    let other = Collector::start().await;
    let more = fs::read_to_string(dir.path().join("hooks.toml")).expect("the settings");
    let gone = more.replace(collector.address(), "http://127.0.0.1:1");
    fs::write(dir.path().join("hooks.toml"), gone).expect("the settings");
    tokio::task::block_in_place(|| {
        let options = ["--no-store", "--otlp", other.address()];
        let mut proxy = Running::start(dir.path(), &options);
        proxy.call(1);
        proxy.end();
    });
    other.span("tools/call t");
}
