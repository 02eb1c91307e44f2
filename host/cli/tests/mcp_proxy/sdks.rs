//! The results of each pair of a client and a server.

use serde_json::{Value, json};

use super::peers::{HttpServer, Peer, hooks, node, proxy, python, run};
use super::running::Listening;

const HOOKS: &str = include_str!("hooks.toml");

fn over_stdio(client: Option<Peer>, server: Option<Peer>) {
    if let (Some(client), Some(server)) = (client, server) {
        let dir = hooks(HOOKS);
        let behind = std::iter::once("--".to_owned()).chain(server.0);
        let behind: Vec<String> = behind.collect();
        check(&run(&client, &proxy(dir.path(), &behind)));
    }
}

fn over_http(client: Option<Peer>, server: Option<Peer>) {
    if let (Some(client), Some(server)) = (client, server) {
        let dir = hooks(HOOKS);
        let server = HttpServer::start(&server);
        let behind = ["--url".to_owned(), server.url.clone()];
        check(&run(&client, &proxy(dir.path(), &behind)));
    }
}

fn to_listening(client: Option<Peer>, server: Option<Peer>) {
    if let (Some(client), Some(server)) = (client, server) {
        let dir = hooks(HOOKS);
        let proxy = Listening::start(dir.path(), &server.0);
        check(&run(&client, std::slice::from_ref(&proxy.url)));
    }
}

fn check(seen: &Value) {
    let text = |tool: &str| seen[tool]["text"].as_str().unwrap_or_default();
    let refused = |tool: &str, why: &str| {
        assert_eq!(seen[tool]["error"], true, "{seen}");
        assert!(text(tool).contains(why), "{seen}");
    };
    // One tool is hidden, and one is added.
    let tools = [
        "asked",
        "boom",
        "echo",
        "guarded",
        "hang",
        "leak",
        "shout",
        "was_cancelled",
    ];
    assert_eq!(seen["tools"], json!(tools), "{seen}");
    refused("secret", "no tool called `secret` is offered");
    // A hook rewrites the arguments, also those of an alias.
    assert_eq!(text("echo"), "you said changed", "{seen}");
    assert_eq!(text("shout"), "you said changed", "{seen}");
    // A hook redacts the results, and an error stays an error.
    let redacted = json!({"error": false, "text": "[gone]", "structured": {"result": "[gone]"}});
    assert_eq!(seen["leak"], redacted, "{seen}");
    refused("boom", "[an error]");
    // A guard that does not end is a refusal.
    refused("guarded", "hook `actor` failed");
    assert_eq!(text("asked"), "ran", "{seen}");
    let questions = seen["questions"].as_array().expect("the questions");
    assert_eq!(questions.len(), 1, "{seen}");
    assert!(
        questions[0]
            .as_str()
            .is_some_and(|it| it.starts_with("May it?\n")),
        "{seen}"
    );
    // Progress notifications and cancellations pass.
    let [progress, total, message] = [
        &seen["progress"][0][0],
        &seen["progress"][0][1],
        &seen["progress"][0][2],
    ];
    assert_eq!(
        (progress.as_f64(), total.as_f64()),
        (Some(1.0), Some(2.0)),
        "{seen}"
    );
    assert_eq!(message, "started", "{seen}");
    assert_eq!(text("was_cancelled"), "yes", "{seen}");
    assert!(!seen.to_string().contains("1234"), "{seen}");
}

#[test]
fn python_to_python() {
    over_stdio(python("client.py", &["auto"]), python("server.py", &[]));
}

#[test]
fn python_with_a_handshake_to_typescript() {
    over_stdio(python("client.py", &["legacy"]), node("server.mjs", &[]));
}

#[test]
fn typescript_to_python() {
    over_stdio(node("client.mjs", &[]), python("server.py", &[]));
}

#[test]
fn typescript_to_typescript() {
    over_stdio(node("client.mjs", &[]), node("server.mjs", &[]));
}

#[test]
fn python_to_python_over_http() {
    over_http(
        python("client.py", &["auto"]),
        python("server.py", &["http"]),
    );
}

#[test]
fn typescript_to_typescript_over_http() {
    over_http(node("client.mjs", &[]), node("server.mjs", &["http"]));
}

#[test]
fn python_to_a_proxy_that_listens() {
    for mode in ["legacy", "auto"] {
        to_listening(python("client.py", &[mode]), python("server.py", &[]));
    }
}

#[test]
fn typescript_to_a_proxy_that_listens() {
    to_listening(node("client.mjs", &[]), node("server.mjs", &[]));
}
