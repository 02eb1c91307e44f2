//! Calls of the paths.

use portcullis::points::PointId;
use portcullis_serve::{ServeOptions, openapi};
use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::server::{Server, body, event, reply, start};

#[tokio::test]
async fn calls_are_decided_over_both_sockets() {
    let server = start(ServeOptions::default()).await;
    let (status, refused) = server.call("delete").await;
    assert_eq!(
        (status, &refused["decision"]["kind"]),
        (200, &json!("reject")),
        "{refused}"
    );
    assert_eq!(refused["decision"]["rejection"]["reason"], "not this");

    // The Unix socket needs no token: it takes requests of its own user.
    let client = Client::builder()
        .unix_socket(server.place.socket())
        .build()
        .unwrap();
    let request = client.post("http://localhost/v1/points/pre-tool-call");
    let response = request.body(body("read").to_string()).send().await.unwrap();
    let (status, passed) = reply(response).await;
    assert_eq!(
        (status, &passed["decision"]["kind"]),
        (200, &json!("continue")),
        "{passed}"
    );
}

#[tokio::test]
async fn every_point_has_a_path() {
    let server = start(ServeOptions::default()).await;
    for point in PointId::ALL {
        // Each error names the missing input.
        let path = format!("/v1/points/{}", point.name());
        let empty = json!({"context": body("x")["context"], "input": null});
        let (status, error) = server.post(&path, empty.to_string()).await;
        assert_eq!(status, 400, "{point:?}: {error}");
        assert!(
            error["error"].as_str().unwrap().contains(point.name()),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_question_waits_in_its_session() {
    let server = start(ServeOptions::default()).await;
    let (_, pending) = server.call("send").await;
    let id = &pending["decision"]["id"];
    assert_eq!(
        pending["decision"]["questions"][0]["question"], "May it?",
        "{pending}"
    );
    let answer = json!({"session-id": "s", "id": id, "decision": "approve"}).to_string();
    let (status, passed) = server.post("/v1/answers", answer.clone()).await;
    assert_eq!(
        (status, &passed["decision"]["kind"]),
        (200, &json!("continue")),
        "{passed}"
    );
    assert_eq!(server.post("/v1/answers", answer).await.0, 404);

    let (_, health) = server.get("/health").await;
    assert_eq!(health["sessions"], 1, "{health}");
    let close = server
        .request(Method::DELETE, "/v1/sessions/s")
        .bearer_auth(&server.token);
    assert_eq!(close.send().await.unwrap().status(), 204);
    assert_eq!(server.get("/health").await.1["sessions"], 0);
}

#[tokio::test]
async fn what_is_wrong_is_never_a_decision() {
    let server = start(ServeOptions::default()).await;
    let mut unknown = body("read");
    unknown["contxt"] = json!(1);
    let mut nameless = body("read");
    nameless["context"]["session-id"] = json!("");
    for (path, sent, expected, why) in [
        (
            "/v1/points/pre-tool-cal",
            body("read").to_string(),
            404,
            "did you mean `pre-tool-call`",
        ),
        (
            "/v1/points/pre-tool-call",
            unknown.to_string(),
            400,
            "contxt",
        ),
        (
            "/v1/points/pre-tool-call",
            nameless.to_string(),
            400,
            "session id must",
        ),
        ("/v1/points/pre-tool-call", "{".to_owned(), 400, "EOF"),
        (
            "/v1/points/post-tool-call",
            body("read").to_string(),
            400,
            "post-tool-call",
        ),
        (
            "/v1/events/emacs",
            event("read").to_string(),
            404,
            "claude, codex, gemini",
        ),
        (
            "/v1/events/claude",
            "[]".to_owned(),
            400,
            "not a JSON object",
        ),
        (
            "/v1/events/gemini",
            event("read").to_string(),
            400,
            "is one of Claude Code, not of Gemini CLI",
        ),
        ("/v1/nothing", String::new(), 404, "/openapi.json"),
    ] {
        let (status, error) = server.post(path, sent).await;
        assert_eq!(status, expected, "{path}: {error}");
        assert!(error["error"].as_str().unwrap().contains(why), "{error}");
        assert!(error.get("decision").is_none(), "{error}");
    }
    let by_get = server.get("/v1/points/pre-tool-call").await;
    for (status, error) in [by_get, server.post("/health", "").await] {
        assert_eq!(status, 405, "{error}");
        let error = error["error"].as_str().unwrap_or_default();
        assert!(error.contains("/openapi.json"), "{error}");
    }
}

#[tokio::test]
async fn metrics_count_calls_events_and_errors() {
    let server = start(ServeOptions::default()).await;
    server.call("read").await;
    server.call("read").await;
    server.call("delete").await;
    server
        .post("/v1/events/claude", event("read").to_string())
        .await;
    server.post("/v1/answers", "").await;
    let (_, text) = server.get("/metrics").await;
    let text = text.as_str().unwrap();
    for line in [
        "portcullis_calls_total{decision=\"continue\",point=\"pre-tool-call\"} 2\n",
        "portcullis_calls_total{decision=\"reject\",point=\"pre-tool-call\"} 1\n",
        "portcullis_events_total{dialect=\"claude\",event=\"PreToolUse\"} 1\n",
        "portcullis_errors_total{status=\"400\"} 1\n",
        "portcullis_call_seconds_count 4\n",
        "portcullis_sessions 2\n",
        "portcullis_in_flight 0\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
}

#[tokio::test]
async fn the_description_fits_what_is_answered() {
    let server = start(ServeOptions::default()).await;
    let (_, described) = server.get("/openapi.json").await;
    assert_eq!(described, openapi());
    let schema = |name: &str| {
        let mut schema = described.clone();
        schema["$ref"] = json!(format!("#/components/schemas/{name}"));
        jsonschema::validator_for(&schema).unwrap()
    };
    assert!(schema("PointRequest").is_valid(&body("read")));
    let mut checked = Vec::new();
    for tool in ["read", "delete", "send"] {
        checked.push(("CallReply", server.call(tool).await.1));
    }
    let (_, error) = server.post("/v1/answers", "{}").await;
    checked.push(("ErrorReply", error));
    checked.push(("Health", server.get("/health").await.1));
    let (_, answered) = server
        .post("/v1/events/claude", event("delete").to_string())
        .await;
    assert_eq!(answered["calls"][0]["decision"]["kind"], "reject");
    checked.push(("AnsweredEvent", answered));
    for (name, value) in checked {
        assert!(schema(name).is_valid(&value), "{name}: {value}");
        assert!(!schema(name).is_valid(&json!({})), "{name}");
    }
    every_path_is_there(&server, &described).await;
}

/// Checks that every path in the description is served.
async fn every_path_is_there(server: &Server, described: &Value) {
    for (path, methods) in described["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let path = path.replace("{id}", "none");
            let request = server.request(method, &path).bearer_auth(&server.token);
            let status = request.send().await.unwrap().status().as_u16();
            assert!([200, 204, 400].contains(&status), "{path}: {status}");
        }
    }
    let mut points = PointId::ALL
        .iter()
        .map(|point| format!("/v1/points/{}", point.name()));
    assert!(points.all(|path| described["paths"][path]["post"].is_object()));
}
