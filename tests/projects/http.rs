//! Requests over HTTP in every language but Rust, whose tests are in `end_to_end/http`.

use std::fs;
use std::sync::Arc;

use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::routing::{any, get};
use axum::{Json, Router};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, Session, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::{HooksDir, root, tool_call, turn};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Barrier;
use tokio::task::AbortHandle;

use super::from_nothing::{make, options, point};
use super::granted::{PATIENT, granted};

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
        let meet = async move || {
            both.wait().await;
            "met"
        };
        let router = Router::new()
            .route("/echo", any(echo))
            .route("/large", get(async || "x".repeat(100_000)))
            .route("/never", get(std::future::pending::<()>))
            .route("/meet", get(meet));
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

    /// A session of a hook that may reach the server.
    fn session(&self, language: Language, file: &str, source: &str) -> Session {
        let grants = format!(
            "http = [\"GET,POST {}\"]\n[hooks.my-hook.limits]\nhttp-response-bytes = 50_000\nfuel = false\n",
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

/// What the hook says, or the cause and the message that it failed by.
async fn ask(session: &Session, action: &str) -> Result<String, (Cause, String)> {
    let verdict = session.run(&mut turn(action)).await;
    match (verdict.decision, &verdict.runs[0].status) {
        (_, RunStatus::Failed { cause, message, .. }) => Err((*cause, message.to_string())),
        (Decision::Rejected { rejection, .. }, _) => Ok(rejection.reason),
        (other, _) => panic!("{action}: {other:?}"),
    }
}

/// What holds in every language. A request that is refused, or takes too long, is said to be such by these words.
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
    let said = says("get ftp://127.0.0.1/").await;
    assert!(said.contains("is no URL"), "{said}");

    let (cause, message) = ask(session, &format!("get {url}/large"))
        .await
        .expect_err("too large");
    assert_eq!(cause, Cause::HttpResponseBytes, "{message}");
    // It is a call's limit, and the next call is well.
    assert_eq!(says(&format!("get {url}/missing")).await, "404 - ");
}

#[tokio::test]
async fn in_typescript() {
    let server = Server::new().await;
    let source = include_str!("http/hook.ts");
    let session = server.session(Language::TypeScript, "src/hook.ts", source);
    behaves(&server, &session, "TypeError: ", "TimeoutError: ").await;

    // The server answers once both requests are there.
    let said = ask(&session, &format!("both {}/meet", server.url)).await;
    assert_eq!(said.as_deref(), Ok("met met"));
    // What a request listens for ends with it.
    let said = ask(&session, &format!("listeners {}/echo", server.url)).await;
    assert_eq!(said.as_deref(), Ok("200 0"));

    for action in [
        "get http://me:hidden@127.0.0.1:1/",
        "get me:hidden",
        "header http://127.0.0.1:1 hidden",
    ] {
        let said = ask(&session, action).await.expect(action);
        let told = said.starts_with("TypeError: ") && !said.contains("hidden");
        assert!(told, "{action}: {said}");
    }
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

#[tokio::test]
async fn in_c() {
    let server = Server::new().await;
    let source = include_str!("http/hook.c");
    let session = server.session(Language::C, "src/hook.c", source);
    behaves(&server, &session, "refused: ", "timed out: ").await;
}

/// What the cookbook's hook in this file says of two calls.
async fn asks_a_policy_server(language: Language, file: &str, router: Router) {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), language, vec![point("pre-tool-call")]);
    let (_, name) = file.split_once('/').expect("a name");
    let shown = root().join("example-hooks/policy-server").join(name);
    fs::copy(shown, dir.path().join(file)).expect("the source");
    let component = project.build_with(&options(), &mut |_| {});
    let component = component.unwrap_or_else(|error| panic!("{language}: {error}"));
    let server = Server::of(router).await;
    let settings = format!(
        "{PATIENT}[hooks.policy-server]\ngrants = {{ views = [\"tool-data\"], http = [\"POST {0}\"] }}\n\
         config = {{ url = \"{0}\" }}\n",
        server.url
    );
    let hooks = HooksDir::new()
        .with_file(
            "policy-server.wasm",
            &fs::read(component).expect("the component"),
        )
        .settings(&settings)
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut tool_call(r#"{"path":"/work/a"}"#)).await;
    assert!(verdict.decision.passed(), "{language}: {verdict:?}");
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

/// A server that speaks as Open Policy Agent does.
fn opa() -> Router {
    Router::new().fallback(async |Json(question): Json<Value>| {
        let path = question["input"]["arguments"]["path"].as_str();
        Json(match path.is_some_and(|path| path.starts_with("/work/")) {
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
    let router = Router::new().fallback(async |Json(arguments): Json<Value>| {
        match arguments["path"] == "/work/a" {
            true => (StatusCode::NO_CONTENT, ""),
            false => (StatusCode::FORBIDDEN, "not there"),
        }
    });
    asks_a_policy_server(Language::C, "src/hook.c", router).await;
}
