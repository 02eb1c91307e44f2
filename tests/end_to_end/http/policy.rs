//! The example hook `policy-server`: a gate that asks a server, and fails closed without one.

use axum::routing::post;
use axum::{Json, Router};
use portcullis::verdict::Cause;
use portcullis::{Decision, SessionOptions};
use portcullis_tests::{HooksDir, tool_call};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Starts a policy server: it allows writes to `/work`, and has no policy for other tools.
async fn policy_server() -> (u16, tokio::task::JoinHandle<()>) {
    async fn decide(Json(question): Json<Value>) -> Json<Value> {
        let input = &question["input"];
        let path = input["arguments"]["path"].as_str().unwrap_or_default();
        Json(match (input["tool"].as_str(), path) {
            (Some("write"), "/nothing") => json!({}),
            (Some("write"), path) if path.starts_with("/work/") => {
                json!({"result": {"allow": true}})
            }
            _ => json!({"result": {"allow": false, "reason": format!("not `{path}`")}}),
        })
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let app = Router::new().route("/v1/data/agent/tool", post(decide));
    let serving = tokio::spawn(async move {
        axum::serve(listener, app).await.expect("it serves");
    });
    (port, serving)
}

#[tokio::test]
async fn a_policy_server_decides_and_without_it_nothing_goes_ahead() {
    let (port, serving) = policy_server().await;
    let settings = format!(
        "[hooks.policy-server.grants]\n\
         http = [\"POST http://localhost:{port}/v1/data/agent/tool at 127.0.0.1\"]\n\
         [hooks.policy-server.config]\n\
         url = \"http://localhost:{port}/v1/data/agent/tool\"\n\
         [hooks.policy-server.limits]\nwall-ms = 10_000\n"
    );
    let hooks = HooksDir::new()
        .with("policy-server")
        .settings(&settings)
        .load();
    let session = hooks.session(SessionOptions::new("session-1"));
    let ask = async |path: &str| {
        let mut call = tool_call(&json!({ "path": path }).to_string());
        session.run(&mut call).await
    };
    assert!(ask("/work/a").await.decision.passed());
    match ask("/etc/passwd").await.decision {
        Decision::Rejected { rejection, .. } => {
            assert_eq!(
                (&*rejection.code, &*rejection.reason),
                ("policy", "not `/etc/passwd`")
            );
        }
        other => panic!("{other:?}"),
    }
    let verdict = ask("/nothing").await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError));
    assert!(!verdict.decision.passed(), "{:?}", verdict.decision);

    serving.abort();
    let _ = serving.await;
    let verdict = ask("/work/a").await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError));
    assert!(!verdict.decision.passed(), "{:?}", verdict.decision);
}
