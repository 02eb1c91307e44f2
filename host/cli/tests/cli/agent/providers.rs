use serde_json::{Value, json};

use super::loopback::{Loopback, completion};
use super::scene::{Scene, names};

#[test]
fn a_hook_switches_between_providers_in_order() {
    let first = Loopback::new(|_| (500, json!({ "error": { "message": "down" } })));
    let second = Loopback::new(|_| (200, completion("From the second.")));
    let provider = |name: &str, url: &str| {
        format!(
            "[[providers]]\nname = \"{name}\"\nkind = \"openai\"\nmodel = \"{name}-1\"\nbase-url = \"{url}\"\n\
             no-key = true\nstream = false\n"
        )
    };
    let file = provider("first", &first.url) + &provider("second", &second.url);
    let scene = Scene::new(&file).hook(
        "hooks/provider-fallback.wasm",
        "[hooks.provider-fallback.grants]\nstate = true\n[hooks.provider-fallback.config.retries]\nserver = 0\n",
    );
    let ran = scene.run(&["Hello"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "From the second.\n"),
        "{ran:?}"
    );
    assert_eq!(first.asked().len(), 1);
    assert_eq!(second.asked()[0].1["model"], "second-1");
}

#[test]
fn retries_are_those_of_the_file() {
    let fails = "{ error = { kind = \"overloaded\" } }, { text = \"At last.\" }";
    let calls = |retry: &str| {
        let scene = Scene::scripted(fails, &format!("[retry]\nbase-delay-ms = 1\n{retry}"));
        scene.run(&["Hi"])
    };
    assert_eq!(calls("").out, "At last.\n");
    let none = calls("retries = 0\n");
    assert_eq!((none.code, none.out.as_str()), (Some(1), ""), "{none:?}");
}

#[test]
fn text_is_streamed_as_the_file_says() {
    let pieces = |deltas: &str| {
        let scene = Scene::scripted(
            "{ text = \"one two\", chunk = 4 }",
            &format!("[model]\ndeltas = \"{deltas}\"\n"),
        );
        let events = scene.events("Hi");
        names(&events)
            .iter()
            .filter(|name| **name == "text-delta")
            .count()
    };
    assert_eq!(pieces("always"), 2);
    assert_eq!(pieces("never"), 0);
}

#[test]
fn compaction_is_as_the_file_says() {
    let compacted = |compaction: &str| {
        let scene = Scene::scripted(
            "{ text = \"A first answer that is long enough.\" }, { text = \"Summary.\" }, { text = \"Again.\" }",
            &format!("[compaction]\nlimit-tokens = 10\nkeep-recent = 1\n{compaction}"),
        );
        let mut command = scene.command(&["run", "--json"]);
        let inputs = "{\"type\":\"input\",\"text\":\"one, and some more words\"}\n\
                      {\"type\":\"input\",\"text\":\"two\"}\n";
        let ran = crate::support::run_with_input(&mut command, inputs);
        let count = |name: &str| {
            ran.lines()
                .iter()
                .filter(|line| line["event"] == name)
                .count()
        };
        count("compacted")
    };
    assert_eq!(compacted("enabled = false\n"), 0);
    assert!(compacted("") > 0);
}

/// Answers a request as an MCP server with one tool, over streamable HTTP.
pub fn mcp(request: &Value) -> (u16, Value) {
    let result = match request["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "colours", "version": "1" },
        }),
        Some("tools/list") => json!({ "tools": [{
            "name": "favourite",
            "inputSchema": { "type": "object" },
        }] }),
        Some("tools/call") => json!({ "content": [{ "type": "text", "text": "green" }] }),
        Some(_) if request["id"].is_null() => return (202, Value::Null),
        Some(_) => {
            let error = json!({ "code": -32601, "message": "unknown method" });
            return (
                200,
                json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }),
            );
        }
        None => return (405, Value::Null),
    };
    (
        200,
        json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }),
    )
}

#[test]
fn tools_of_a_server_over_http_are_used() {
    let server = Loopback::new(mcp);
    let scene = Scene::scripted(
        "{ tool_calls = [{ name = \"colours__favourite\" }] }, { expect = \"green\", text = \"Green.\" }",
        &format!(
            "[mcp.colours]\nurl = \"{}\"\ntoken-file = \"token\"\n",
            server.url
        ),
    );
    scene.write("token", "t-1\n");
    let ran = scene.run(&["Which?"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Green.\n"),
        "{ran:?}"
    );
    assert!(server.asked()[0].0.contains("authorization: bearer t-1"));
}

#[test]
fn a_server_that_cannot_be_reached_is_named() {
    let scene = Scene::scripted(
        "{ text = \"x\" }",
        "[mcp.gone]\nurl = \"http://127.0.0.1:1/mcp\"\n",
    );
    let ran = scene.run(&["Hi"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("`gone`"), "{}", ran.err);
}

#[test]
fn a_script_in_a_file_may_begin_again() {
    let scene = Scene::new(
        "[[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\nrepeat = true\n\
         [stores]\nurl = \"sqlite:store.sqlite\"\n",
    );
    scene.write("script.json", r#"{ "responses": [{ "text": "Again." }] }"#);
    let said = crate::support::run_with_input(&mut scene.command(&["run"]), "One.\nTwo.\n");
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "Again.\nAgain.\n"),
        "{said:?}"
    );
}
