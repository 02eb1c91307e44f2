//! A trace through an agent and the servers and programs that it calls.

use portcullis_collector::{Collector, hex};
use serde_json::{Value, json};

use super::live::Live;
use super::loopback::{Loopback, completion};
use super::scene::Scene;
use crate::support::run;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Answers as a model that runs a command, and then repeats the command's output.
fn model(request: &Value) -> (u16, Value) {
    let messages = request["messages"].as_array().expect("messages");
    let result = messages.iter().find(|message| message["role"] == "tool");
    let Some(result) = result else {
        let mut asks = completion("");
        let arguments = json!({ "command": "echo \"[$TRACEPARENT $TRACESTATE $BAGGAGE]\"" });
        asks["choices"][0]["finish_reason"] = "tool_calls".into();
        asks["choices"][0]["message"]["tool_calls"] = json!([{
            "id": "c1", "type": "function",
            "function": { "name": "run_command", "arguments": arguments.to_string() },
        }]);
        return (200, asks);
    };
    (200, completion(&result["content"].to_string()))
}

/// Returns the one header of this name.
fn header<'a>(headers: &'a str, name: &str) -> Option<&'a str> {
    let mut values = headers.lines().filter_map(|line| {
        let (key, value) = line.split_once(": ")?;
        (key == name).then_some(value)
    });
    let value = values.next();
    assert_eq!(values.next(), None, "{headers}");
    value
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_goes_through_an_agent_to_all_that_it_calls() {
    let collector = Collector::start().await;
    let model = Loopback::new(model);
    let policy = Loopback::new(|_| (200, json!({ "result": { "allow": true } })));
    let file = format!(
        "[[providers]]\nname = \"p\"\nkind = \"openai\"\nmodel = \"m-1\"\nbase-url = \"{}\"\nno-key = true\n\
         stream = false\n[tools]\nbuilt-in = [\"run_command\"]\n[policy]\nallow = [\"run_command\"]\n",
        model.url
    );
    let settings = format!(
        "[hooks.policy-server.grants]\nhttp = [\"POST {0}\"]\n\
         [hooks.policy-server.config]\nurl = \"{0}\"\n\
         [scripts.variables]\ncommand = [\"sh\", \"-c\", 'echo \"$TRACEPARENT $TRACESTATE $BAGGAGE\" > variables']\n\
         points = [\"pre-turn\"]\n",
        policy.url
    );
    let scene = Scene::new(&file).hook("hooks/policy-server.wasm", &settings);
    // A script runs in the hooks directory.
    let out = scene.path("hooks/variables");
    let ran = tokio::task::block_in_place(|| {
        let mut command = scene.command(&["run", "--otlp", collector.address(), "Go"]);
        command
            .env("TRACEPARENT", format!("00-{TRACE}-{PARENT}-01"))
            .env("TRACESTATE", "a=1")
            .env("BAGGAGE", "tenant=7");
        run(&mut command)
    });
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let session = collector.span("session agent");
    assert_eq!(hex(&session.trace_id), TRACE);
    assert_eq!(hex(&session.parent_span_id), PARENT);
    let spans = collector.spans();
    for span in &spans {
        assert_eq!(span.trace_id, session.trace_id, "{}", collector.tree());
    }
    let traceparent = |name: &str, at: usize| {
        let mut found: Vec<_> = spans.iter().filter(|span| span.name == name).collect();
        found.sort_by_key(|span| span.start_time_unix_nano);
        let span = found.get(at);
        let span = span.unwrap_or_else(|| panic!("no `{name}`:\n{}", collector.tree()));
        format!("00-{TRACE}-{}-01", hex(&span.span_id))
    };
    // The model's servers belong to others, so they get no state and no baggage.
    for (at, (headers, _)) in model.asked().iter().enumerate() {
        let given = traceparent("chat m-1", at);
        assert_eq!(header(headers, "traceparent"), Some(given.as_str()));
        assert_eq!(header(headers, "baggage"), None);
        assert_eq!(header(headers, "tracestate"), None);
    }
    assert_eq!(model.asked().len(), 2);
    let (headers, _) = &policy.asked()[0];
    let given = traceparent("run_hook policy-server", 0);
    assert_eq!(header(headers, "traceparent"), Some(given.as_str()));
    assert_eq!(header(headers, "tracestate"), Some("a=1"));
    assert_eq!(header(headers, "baggage"), Some("tenant=7"));
    let given = traceparent("execute_tool run_command", 0);
    let expected = format!("[{given} a=1 tenant=7]");
    assert!(ran.out.contains(&expected), "{expected}: {ran:?}");
    let given = traceparent("run_hook variables", 0);
    let said = std::fs::read_to_string(&out).expect("the script ran");
    assert_eq!(said.trim(), format!("{given} a=1 tenant=7"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_terminated_sends_what_it_has() {
    let collector = Collector::start().await;
    let scene = Scene::scripted(
        "{ tool_calls = [{ id = \"c-1\", name = \"run_command\", arguments = { command = \"sleep 600\" } }] }",
        "[hooks]\nenabled = false\n[tools]\nbuilt-in = [\"run_command\"]\n[policy]\nallow = [\"run_command\"]\n",
    );
    tokio::task::block_in_place(|| {
        let arguments = ["run", "--json", "--otlp", collector.address()];
        let mut live = Live::of(scene.uncached(&arguments));
        live.request(json!({ "type": "input", "text": "go" }));
        live.wait("tool-started");
        live.signal("-TERM");
        live.end();
    });
    let tree = collector.tree();
    for name in ["session ", "invoke_agent ", "execute_tool run_command"] {
        assert!(tree.contains(name), "{tree}");
    }
}
