//! HTTP requests in every language but Rust, whose tests are in `end_to_end/http`.

use std::fs;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::routing::{any, get};
use axum::{Json, Router};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, Session, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::{root, tool_call, tool_call_of, turn};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Barrier;
use tokio::task::AbortHandle;

use super::from_nothing::{built, make, point};
use super::granted::{PATIENT, granted};
use super::hooks_dir;

/// Returns a body of several pieces, no two of them the same.
fn varying() -> String {
    let lines: String = (0..4_000).map(|line| format!("{line:04}\n")).collect();
    assert_eq!(lines.len(), 20_000);
    lines
}

/// A server on loopback. It ends with the test.
struct Server {
    url: String,
    serving: AbortHandle,
}

impl Server {
    async fn new() -> Self {
        let echo = async |method: Method, uri: Uri, headers: HeaderMap, body: String| {
            let asked = headers.get("x-asked").and_then(|it| it.to_str().ok());
            let said = format!("{method} {uri} {} {body}", asked.unwrap_or("-"));
            ([("X-Answer", "yes")], said)
        };
        let both = Arc::new(Barrier::new(2));
        let meet = async move |request: Request| {
            both.wait().await;
            let body = axum::body::to_bytes(request.into_body(), usize::MAX).await;
            body.map_or("cut off", |_| "met")
        };
        let same = async |body: String| body;
        let router = Router::new()
            .route("/echo", any(echo))
            .route("/large", get(async || "x".repeat(100_000)))
            .route("/varying", get(async || varying()).post(same))
            .route("/never", any(std::future::pending::<()>))
            .route("/meet", any(meet))
            .layer(DefaultBodyLimit::disable());
        Self::of(router).await
    }

    async fn of(router: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            url,
            serving: serving.abort_handle(),
        }
    }

    /// Opens a session of a hook that may reach the server.
    fn session(&self, language: Language, file: &str, source: &str) -> Session {
        let grants = format!(
            "http = [\"GET,POST {}\"]\n[hooks.my-hook.limits]\nhttp-response-bytes = 50_000\n\
             http-request-bytes = 50_000_000\nhttp-requests = 1_000\nmemory-bytes = 268_435_456\nfuel = false\ndeadline-ms = 20_000\n",
            self.url
        );
        let suggested = "http = [\"GET https://<server>\"]";
        let hooks = granted(language, (file, source), suggested, &grants).load();
        hooks.session(SessionOptions::new("test"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Returns the hook's answer, or the cause and the message of its failure.
async fn ask(session: &Session, action: &str) -> Result<String, (Cause, String)> {
    let verdict = session.run(&mut turn(action)).await;
    match (verdict.decision, &verdict.runs[0].status) {
        (_, RunStatus::Failed { cause, message, .. }) => Err((*cause, message.to_string())),
        (Decision::Rejected { rejection, .. }, _) => Ok(rejection.reason),
        (other, _) => panic!("{action}: {other:?}"),
    }
}

/// Checks the behaviour of every language. The two texts name a refused request and one that takes
/// too long.
async fn behaves(server: &Server, session: &Session, refused: &str, timed_out: &str) {
    let url = &server.url;
    let says = async |action: &str| ask(session, action).await.expect(action);
    for (action, said) in [
        ("get /echo?q=1", "200 yes GET /echo?q=1 asked "),
        ("post /echo", "200 yes POST /echo asked zwölf"),
        ("get /missing", "404 - "),
    ] {
        let action = action.replace(" /", &format!(" {url}/"));
        assert_eq!(says(&action).await, said, "{action}");
    }

    let said = says("get http://127.0.0.1:1/private?token").await;
    let grant = "under [hooks.ID.grants]: http = [\"GET http://127.0.0.1:1\"]";
    assert!(
        said.starts_with(refused) && said.contains(grant) && !said.contains("token"),
        "{said}"
    );
    let said = says(&format!("within {url}/never 50")).await;
    assert!(said.starts_with(timed_out), "{said}");
    for action in [
        "get ftp://hidden@127.0.0.1/hidden",
        "get me:hidden",
        "get http://hidden@127.0.0.1:1/hidden",
        "get http://me:hid\u{2100}den@127.0.0.1:1/",
    ] {
        let said = says(action).await;
        let says_why =
            said.contains("is no URL") || said.contains("failed") || said.contains("not valid");
        assert!(says_why && !said.contains("hid"), "{action}: {said}");
    }
    // The body has several pieces in each direction, and they arrive in order.
    assert_eq!(says(&format!("large {url}/varying")).await, "20000 true");

    let (cause, message) = ask(session, &format!("get {url}/large"))
        .await
        .expect_err("too large");
    assert_eq!(cause, Cause::HttpResponseBytes, "{message}");
    // The limit is the call's, and the next call is healthy.
    assert_eq!(says(&format!("get {url}/missing")).await, "404 - ");
}

#[tokio::test]
async fn in_typescript() {
    let server = Server::new().await;
    let source = include_str!("http/hook.ts");
    let session = server.session(Language::TypeScript, "src/hook.ts", source);
    behaves(&server, &session, "TypeError: ", "TimeoutError: ").await;

    let said = ask(&session, &format!("form {}/echo", server.url)).await;
    assert_eq!(said.as_deref(), Ok("POST /echo?q=1+2 form a=%C3%BC"));

    // The server answers once both requests have arrived.
    let said = ask(&session, &format!("both {}/meet", server.url)).await;
    assert_eq!(said.as_deref(), Ok("met met"));
    // A request's listeners end with it.
    let said = ask(&session, &format!("listeners {}/echo", server.url)).await;
    assert_eq!(said.as_deref(), Ok("200 0"));

    // The server does not read the body: neither timers nor other requests wait for it.
    let said = ask(&session, &format!("blocked {}/never 50", server.url)).await;
    let said = said.expect("it is no more than the request");
    assert!(said.starts_with("TimeoutError: "), "{said}");
    let said = ask(&session, &format!("both-large {}/meet", server.url)).await;
    assert_eq!(said.as_deref(), Ok("met met"));

    // Unfinished work of the handler: the call waits for its requests, and for its timers that end
    // a request.
    for action in ["abandoned /echo", "abandoned-within /never 50"] {
        let action = action.replace(" /", &format!(" {}/", server.url));
        assert_eq!(ask(&session, &action).await.as_deref(), Ok("at once"));
    }
    // None of these is kept: together they would exceed the memory.
    let said = ask(&session, "methods http://127.0.0.1:1/ 3000").await;
    assert_eq!(said.as_deref(), Ok("all refused"));

    let said = ask(&session, "header http://127.0.0.1:1 hidden").await;
    let said = said.expect("an error");
    let hides = said.starts_with("TypeError: ") && !said.contains("hidden");
    assert!(hides, "{said}");
    let said = ask(&session, "unhandled http://127.0.0.1:1").await;
    let (cause, message) = said.expect_err("nothing handles it");
    assert_eq!(cause, Cause::GuestError);
    assert!(message.contains("the hook is not granted it"), "{message}");
}

#[tokio::test]
async fn in_python() {
    let server = Server::new().await;
    let source = include_str!("http/hook.py");
    let session = server.session(Language::Python, "src/hook.py", source);
    behaves(
        &server,
        &session,
        "Refused PermissionError: ",
        "TimedOut TimeoutError: ",
    )
    .await;

    let url = &server.url;
    for (action, said) in [
        (format!("status {url}/missing"), "StatusError 404"),
        (format!("open {url}/echo"), "200 yes POST /echo - a=1"),
        (format!("open {url}/missing"), "HTTPError 404"),
    ] {
        assert_eq!(
            ask(&session, &action).await.as_deref(),
            Ok(said),
            "{action}"
        );
    }
    let said = ask(&session, "open http://127.0.0.1:1/")
        .await
        .expect("an error of its own");
    assert!(
        said.starts_with("URLError ") && said.contains("the hook is not granted it"),
        "{said}"
    );
}

async fn behaves_as_in_c(language: Language, file: &str, source: &str) {
    let server = Server::new().await;
    let session = server.session(language, file, source);
    behaves(&server, &session, "refused: ", "timed out: ").await;
}

#[tokio::test]
async fn in_c() {
    behaves_as_in_c(Language::C, "src/hook.c", include_str!("http/hook.c")).await;
}

#[tokio::test]
async fn in_cpp() {
    let source = include_str!("http/hook.cpp");
    behaves_as_in_c(Language::Cpp, "src/hook.cpp", source).await;
}

#[tokio::test]
async fn in_zig() {
    let source = include_str!("http/hook.zig");
    behaves_as_in_c(Language::Zig, "src/hook.zig", source).await;
}

#[tokio::test]
async fn in_go() {
    let server = Server::new().await;
    let source = include_str!("http/hook.go");
    let session = server.session(Language::Go, "hook.go", source);
    behaves(&server, &session, "refused: ", "timed out: ").await;
}

/// Checks two calls of the cookbook's hook in this file.
async fn asks_a_policy_server(language: Language, file: &str, router: Router) {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), language, vec![point("pre-tool-call")]);
    let (_, name) = file.split_once('/').expect("a name");
    let shown = root().join("example-hooks/policy-server").join(name);
    fs::copy(shown, dir.path().join(file)).expect("the source");
    let component = built(&project);
    let server = Server::of(router).await;
    let settings = format!(
        "{PATIENT}[hooks.policy-server]\ngrants = {{ views = [\"tool-data\"], http = [\"POST {0}\"] }}\n\
         config = {{ url = \"{0}\" }}\n",
        server.url
    );
    let hooks = hooks_dir()
        .with_file("policy-server.wasm", &component)
        .settings(&settings)
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut tool_call(r#"{"path":"/work/a"}"#)).await;
    assert!(verdict.decision.passed(), "{language}: {verdict:?}");
    // The same call of another tool.
    let verdict = session
        .run(&mut tool_call_of("delete", r#"{"path":"/work/a"}"#))
        .await;
    assert!(!verdict.decision.passed(), "{language}: {verdict:?}");
    let verdict = session.run(&mut tool_call(r#"{"path":"/etc/a"}"#)).await;
    match &verdict.decision {
        Decision::Rejected { rejection, .. } => assert_eq!(rejection.reason, "not there"),
        other => panic!("{language}: {other:?}"),
    }
    drop(server);
    let verdict = session.run(&mut tool_call(r#"{"path":"/work/a"}"#)).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError));
    assert!(!verdict.decision.passed(), "{language}: {verdict:?}");
}

/// Returns a server with the interface of Open Policy Agent.
fn opa() -> Router {
    Router::new().fallback(async |Json(question): Json<Value>| {
        let input = &question["input"];
        let path = input["arguments"]["path"].as_str();
        let is_there = path.is_some_and(|path| path.starts_with("/work/"));
        Json(match is_there && input["tool"] == "write" {
            true => json!({"result": {"allow": true}}),
            false => json!({"result": {"allow": false, "reason": "not there"}}),
        })
    })
}

#[tokio::test]
async fn the_cookbooks_hook_in_typescript() {
    asks_a_policy_server(Language::TypeScript, "src/hook.ts", opa()).await;
}

#[tokio::test]
async fn the_cookbooks_hook_in_python() {
    asks_a_policy_server(Language::Python, "src/hook.py", opa()).await;
}

#[tokio::test]
async fn the_cookbooks_hook_in_c() {
    let router =
        Router::new().fallback(async |headers: HeaderMap, Json(arguments): Json<Value>| {
            let tool = headers.get("x-tool");
            match tool.is_some_and(|tool| tool == "write") && arguments["path"] == "/work/a" {
                true => (StatusCode::NO_CONTENT, ""),
                false => (StatusCode::FORBIDDEN, "not there"),
            }
        });
    asks_a_policy_server(Language::C, "src/hook.c", router).await;
}
