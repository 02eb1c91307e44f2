//! The MCP client with real servers.
//!
//! This test is its own server. Started with [`SERVE`] in its environment, it serves MCP on its
//! standard streams; otherwise it runs the tests. It has no test harness, because a harness would
//! write to the same streams.

mod hostile;
mod server;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use portcullis::trace::TraceContext;
use portcullis_agent::{
    Agent, ExecutionGrant, McpError, McpServer, McpServerConfig, NewSession, Replay, Script,
    ToolDispatcher, ToolError, ToolOutput, ToolProgress, ToolRun, Toolbox,
};
use serde_json::{Value, json};

const SERVE: &str = "PORTCULLIS_TEST_MCP_SERVE";

fn main() {
    match std::env::var(SERVE).as_deref() {
        Ok("1") => return block_on(server::serve()),
        Ok(kind) => return hostile::serve(kind),
        Err(_) => {}
    }
    let trials = vec![
        trial("lists_and_calls_tools", lists_and_calls_tools),
        trial("gives_the_server_little_of_the_environment", environment),
        trial("names_the_server_in_errors", errors),
        trial("says_which_trace_a_call_is_part_of", trace),
        trial("keeps_the_time_limit", time_limit),
        trial("gives_the_server_the_key_of_a_call", key),
        trial("takes_hints_for_whether_a_tool_may_run_again", hints),
        trial("passes_the_progress_of_a_tool_on", progress),
        trial("survives_the_death_of_the_server", death),
        trial("says_why_a_server_does_not_start", bad_servers),
        trial("is_used_by_an_agent", agent),
        trial("bounds_the_schemas_of_a_server_without_hooks", schemas),
        trial("reads_no_more_pages_of_tools_than_it_uses", pages),
        trial("does_not_keep_a_line_without_end", long_line),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

fn trial<F: Future<Output = ()>>(
    name: &'static str,
    test: impl FnOnce() -> F + Send + 'static,
) -> Trial {
    Trial::test(name, move || -> Result<(), Failed> {
        block_on(test());
        Ok(())
    })
}

fn config(name: &str) -> McpServerConfig {
    let this = std::env::current_exe().unwrap();
    let mut config = McpServerConfig::new(name, this.to_str().unwrap());
    config.env.insert(SERVE.into(), "1".into());
    config
}

fn run(ms: u64) -> ToolRun {
    ToolRun::detached(ExecutionGrant {
        working_dir: None,
        timeout: Duration::from_millis(ms),
    })
}

async fn connected(name: &str) -> (McpServer, Toolbox) {
    let server = McpServer::connect(config(name)).await.unwrap();
    let mut toolbox = Toolbox::new();
    toolbox.extend(server.tools()).unwrap();
    (server, toolbox)
}

async fn call(toolbox: &Toolbox, name: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
    toolbox.dispatch(name, arguments, run(10_000)).await
}

async fn lists_and_calls_tools() {
    let (server, toolbox) = connected("notes").await;
    let mut names: Vec<String> = toolbox.specs().into_iter().map(|spec| spec.name).collect();
    names.sort();
    assert_eq!(
        names,
        [
            "notes__die",
            "notes__env_of",
            "notes__fail",
            "notes__hang",
            "notes__look",
            "notes__order",
            "notes__say",
            "notes__trace",
            "notes__work"
        ]
    );
    let catalog = portcullis::tools::ToolCatalog::new(toolbox.specs()).unwrap();
    assert!(catalog.arguments("notes__say", r#"{"text": "hi"}"#).is_ok());
    assert!(catalog.arguments("notes__say", r#"{"text": 1}"#).is_err());
    let said = call(&toolbox, "notes__say", json!({ "text": "hi" })).await;
    assert_eq!(said, Ok(ToolOutput::ok("you said hi")));

    // The same server under the same name collides; under another name it does not.
    let mut both = toolbox.clone();
    let again = McpServer::connect(config("notes")).await.unwrap();
    let error = both.extend(again.tools()).unwrap_err().to_string();
    assert!(error.contains("notes__"), "{error}");
    let other = McpServer::connect(config("other")).await.unwrap();
    both.extend(other.tools()).unwrap();
    assert_eq!(both.len(), 18);
    for server in [server, again, other] {
        server.close().await;
    }
}

async fn trace() {
    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let (server, toolbox) = connected("notes").await;
    let run = ToolRun {
        trace: TraceContext::from_headers(PARENT, None, Some("tenant=7")).ok(),
        ..run(10_000)
    };
    let given = toolbox.dispatch("notes__trace", json!({}), run).await;
    let expected = format!("{PARENT:?} {:?}", "tenant=7");
    assert_eq!(given, Ok(ToolOutput::ok(expected)));
    let none = call(&toolbox, "notes__trace", json!({})).await;
    assert_eq!(none, Ok(ToolOutput::ok("null null")));
    server.close().await;
}

async fn environment() {
    // Cargo sets this for tests. It represents a key.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let mut config = config("notes");
    config.env.insert("GIVEN".into(), "given".into());
    config.inherit_env.push("CARGO_PKG_NAME".into());
    let server = McpServer::connect(config).await.unwrap();
    let mut toolbox = Toolbox::new();
    toolbox.extend(server.tools()).unwrap();
    for (name, value) in [
        ("CARGO_MANIFEST_DIR", "not set"),
        ("GIVEN", "given"),
        ("CARGO_PKG_NAME", "portcullis-agent"),
    ] {
        let output = call(&toolbox, "notes__env_of", json!({ "text": name })).await;
        assert_eq!(output, Ok(ToolOutput::ok(value)), "{name}");
    }
    server.close().await;
}

async fn errors() {
    let (server, toolbox) = connected("notes").await;
    let error = call(&toolbox, "notes__fail", json!({})).await.unwrap_err();
    let words = error.to_string();
    assert!(
        words.contains("`notes`") && words.contains("it did not work\\u{1b}"),
        "{words}"
    );
    // The server refuses arguments that do not fit the schema. The agent checks them first.
    let refused = call(&toolbox, "notes__say", json!({})).await;
    assert!(refused.is_err() || refused.unwrap().is_error);
    server.close().await;
}

async fn key() {
    let (server, toolbox) = connected("notes").await;
    let without = call(&toolbox, "notes__order", json!({})).await;
    assert_eq!(without, Ok(ToolOutput::ok("no key")));
    let mut keyed = run(10_000);
    keyed.key = Some("7f#12".into());
    let with = toolbox.dispatch("notes__order", json!({}), keyed).await;
    assert_eq!(with, Ok(ToolOutput::ok("\"7f#12\"")));
    server.close().await;
}

async fn hints() {
    let (server, mut toolbox) = connected("notes").await;
    for (name, replay) in [
        ("notes__look", Replay::Safe),
        ("notes__order", Replay::Safe),
        ("notes__say", Replay::Never),
    ] {
        assert_eq!(toolbox.replay(name), replay, "{name}");
    }
    // The operator's setting takes precedence over the server's.
    toolbox.set_replay("notes__order", Replay::Keyed);
    assert_eq!(toolbox.replay("notes__order"), Replay::Keyed);
    server.close().await;
}

async fn time_limit() {
    let (server, toolbox) = connected("notes").await;
    let error = toolbox.dispatch("notes__hang", json!({}), run(100)).await;
    assert_eq!(error, Err(ToolError::Timeout(Duration::from_millis(100))));
    let said = call(&toolbox, "notes__say", json!({ "text": "still here" })).await;
    assert_eq!(said, Ok(ToolOutput::ok("you said still here")));
    server.close().await;
}

async fn progress() {
    let (server, toolbox) = connected("notes").await;
    let (reports, mut reported) = tokio::sync::mpsc::unbounded_channel();
    let mut working = run(60_000);
    working.progress = ToolProgress::new(move |text| {
        reports.send(text.to_owned()).unwrap();
    });
    // The tool ends only when it is cancelled, so it reported this while it was running.
    let report = tokio::select! {
        ended = toolbox.dispatch("notes__work", json!({}), working) => panic!("{ended:?}"),
        report = reported.recv() => report,
    };
    assert_eq!(report.as_deref(), Some("1 of 2: half of it"));
    let said = call(&toolbox, "notes__say", json!({ "text": "still here" })).await;
    assert_eq!(said, Ok(ToolOutput::ok("you said still here")));
    // The call is over, and so are its reports.
    assert_eq!(reported.recv().await, None);
    server.close().await;
}

async fn death() {
    let (server, toolbox) = connected("notes").await;
    for name in ["notes__die", "notes__say"] {
        let error = call(&toolbox, name, json!({ "text": "x" }))
            .await
            .unwrap_err();
        let ToolError::ServerGone { server, cause } = &error else {
            panic!("{name}: {error:?}");
        };
        assert_eq!(server, "notes");
        assert_eq!(cause, "of a broken heart");
    }
    server.close().await;
}

async fn bad_servers() {
    let none = McpServer::connect(McpServerConfig::new("none", "/no/such/program")).await;
    assert!(matches!(none, Err(McpError::Spawn { .. })), "{none:?}");

    for name in ["", "a b", "ä"] {
        let error = McpServer::connect(config(name)).await.unwrap_err();
        assert!(matches!(error, McpError::Name(_)), "{error}");
    }

    let mut quits = McpServerConfig::new("quits", "sh");
    quits.args = vec!["-c".into(), "echo no config found >&2".into()];
    let error = McpServer::connect(quits).await.unwrap_err().to_string();
    assert!(
        error.contains("`quits`") && error.contains("no config found"),
        "{error}"
    );

    let mut silent = McpServerConfig::new("silent", "sh");
    silent.args = vec!["-c".into(), "sleep 60".into()];
    silent.startup_timeout_ms = 100;
    let error = McpServer::connect(silent).await.unwrap_err();
    assert!(matches!(error, McpError::Timeout { .. }), "{error}");

    let long = "n".repeat(62);
    let error = McpServer::connect(config(&long)).await.unwrap_err();
    assert!(matches!(error, McpError::ToolName { .. }), "{error}");
}

async fn agent() {
    let (server, toolbox) = connected("notes").await;
    let script = Script::parse(
        r#"{"responses": [
            {"tool_calls": [{"name": "notes__say", "arguments": {"text": "hello"}}]},
            {"expect": "you said hello", "text": "done"}
        ]}"#,
    )
    .unwrap();
    let agent = Agent::builder()
        .providers(script.providers())
        .tools(Arc::new(toolbox))
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    assert_eq!(
        session
            .turn("say hello")
            .await
            .unwrap()
            .done()
            .unwrap()
            .text(),
        "done"
    );
    session.close().await;
    server.close().await;
}

/// These schemas are the server's own, not a hook's, and are also bounded.
async fn schemas() {
    for schema in [hostile::CHAIN, hostile::DOUBLING] {
        let (server, toolbox) = hostile(schema).await;
        let built = Agent::builder()
            .providers(Script::parse(r#"{"responses": []}"#).unwrap().providers())
            .tools(Arc::new(toolbox))
            .build();
        let error = built.map(drop).unwrap_err().to_string();
        assert!(
            error.contains("hostile__t") && error.contains("$ref"),
            "{schema}: {error}"
        );
        server.close().await;
    }
}

async fn hostile(kind: &str) -> (McpServer, Toolbox) {
    let mut config = config("hostile");
    config.env.insert(SERVE.into(), kind.into());
    let server = McpServer::connect(config).await.unwrap();
    let mut toolbox = Toolbox::new();
    toolbox.extend(server.tools()).unwrap();
    (server, toolbox)
}

async fn pages() {
    for (kind, tools) in [
        (hostile::PAGES, 256),
        (hostile::EMPTY_PAGES, 0),
        (hostile::LONG_PAGES, 3),
    ] {
        let (server, toolbox) = hostile(kind).await;
        assert_eq!(toolbox.len(), tools, "{kind}");
        server.close().await;
    }
}

async fn long_line() {
    let (server, toolbox) = hostile(hostile::LONG_LINE).await;
    let long = toolbox.dispatch("hostile__t", json!({ "long": true }), run(600_000));
    let short = toolbox.dispatch("hostile__t", json!({}), run(600_000));
    // The server answers the first call first. Once the second call has its answer, the answer to
    // the first call was dropped.
    let answer = tokio::select! {
        biased;
        kept = long => panic!("{:?}", kept.map(|output| output.content.len())),
        answer = short => answer,
    };
    assert_eq!(answer, Ok(ToolOutput::ok("x")));
    server.close().await;
}
