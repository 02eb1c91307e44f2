//! Access control.

use portcullis_ui::{Listening, UiError};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::json;

use crate::support::Served;

fn send(served: &Served, request: RequestBuilder) -> Response {
    served.runtime.block_on(request.send()).unwrap()
}

fn text(served: &Served, response: Response) -> String {
    served.runtime.block_on(response.text()).unwrap()
}

/// Returns a client with the cookie, the cookie itself, and the form token.
fn enter(served: &Served) -> (Client, String, String) {
    let client = Client::new();
    let login = client.post(format!("{}/login", served.address()));
    let answered = send(served, login.bearer_auth(served.token()));
    let cookie = answered.headers()["set-cookie"]
        .to_str()
        .unwrap()
        .to_owned();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(
        !cookie.contains(served.token()),
        "the cookie is not the token"
    );
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let page = client.get(served.address()).header("cookie", &cookie);
    let page = text(served, send(served, page));
    let form = page.split("portcullis-form\" content=\"").nth(1).unwrap();
    let form = form.split('"').next().unwrap().to_owned();
    (client, cookie, form)
}

#[test]
fn only_its_own_pages_with_the_cookie_are_answered() {
    let served = Served::start();
    served.begin("s", "Hello");
    let (client, cookie, form) = enter(&served);
    let get = |path: &str| client.get(format!("{}{path}", served.address()));
    let status = |request| send(&served, request).status().as_u16();
    for path in [
        "/",
        "/session?id=s",
        "/events",
        "/session/events?id=s",
        "/file?id=s",
        "/none",
    ] {
        assert_eq!(status(get(path)), 401, "{path}");
        let wrong = format!("{}x", cookie);
        assert_eq!(status(get(path).header("cookie", wrong)), 401, "{path}");
        assert_eq!(status(get(path).bearer_auth(served.token())), 401, "{path}");
    }
    for path in ["/", "/session?id=s", "/file?id=s"] {
        assert_eq!(status(get(path).header("cookie", &cookie)), 200, "{path}");
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "http://127.0.0.1:1"),
            ("origin", "null"),
            ("host", "evil.example"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let request = get(path).header("cookie", &cookie).header(name, value);
            assert_eq!(status(request), 403, "{path} {name}: {value}");
        }
    }
    assert_eq!(
        status(get("/session?id=none").header("cookie", &cookie)),
        404
    );
    let post = || {
        let request = client.post(format!("{}/cancel", served.address()));
        request.header("cookie", &cookie).body(r#"{"session":"s"}"#)
    };
    assert_eq!(status(post()), 403, "a form of another page");
    assert_eq!(status(post().header("x-portcullis-form", "x")), 403);
    assert_eq!(status(post().header("x-portcullis-form", &form)), 409);
    let login = client.post(format!("{}/login", served.address()));
    assert_eq!(status(login.bearer_auth("0123456789abcdef")), 401);
}

#[test]
fn pages_may_load_and_ask_nothing_else() {
    let served = Served::start();
    served.begin("s", "Hello");
    let (client, cookie, _) = enter(&served);
    for path in ["/", "/session?id=s", "/login"] {
        let page = client.get(format!("{}{path}", served.address()));
        let page = send(&served, page.header("cookie", &cookie));
        let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
        let policy = header("content-security-policy");
        for part in [
            "default-src 'none'",
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "'sha256-",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("x-content-type-options"), "nosniff");
        let text = text(&served, page);
        for loads in ["https://", " src=", "url(", "@import", "<link", "<iframe"] {
            assert!(!text.contains(loads), "{path}: {loads}");
        }
    }
}

#[test]
fn what_is_not_there_is_a_page_for_a_browser() {
    let served = Served::start();
    served.begin("s", "Hello");
    let (client, cookie, _) = enter(&served);
    for (path, said) in [
        ("/session?id=no%3Cb%3Epe", "no&lt;b&gt;pe"),
        ("/nopage", "There is no such page."),
    ] {
        let get = |accept: &str| {
            let request = client.get(format!("{}{path}", served.address()));
            let request = request.header("cookie", &cookie).header("accept", accept);
            send(&served, request)
        };
        let page = get("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
        assert_eq!(page.status().as_u16(), 404, "{path}");
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'"), "{policy}");
        let page = text(&served, page);
        for part in [said, "<a href=\"/\">"] {
            assert!(page.contains(part), "{path}: no `{part}`: {page}");
        }
        let other = get("application/json");
        assert_eq!(other.status().as_u16(), 404, "{path}");
        let other = text(&served, other);
        assert!(other.starts_with("{\"error\""), "{path}: {other}");
    }
}

#[test]
fn what_waits_is_listed_without_a_journal() {
    let served = Served::start();
    served.begin("kept", "Hello");
    served.checkpoint("unkept", &[("c1", "May it?"), ("c2", "And that?")]);
    let (client, cookie, _) = enter(&served);
    let cases: [(&str, &[&str]); 4] = [
        ("", &["kept", "unkept"]),
        ("?state=waiting", &["unkept"]),
        ("?q=UNK", &["unkept"]),
        ("?q=UNK&state=ended", &[]),
    ];
    for (query, sessions) in cases {
        let page = client.get(format!("{}/{query}", served.address()));
        let page = text(&served, send(&served, page.header("cookie", &cookie)));
        for session in ["kept", "unkept"] {
            let address = format!("/session?id={session}\"");
            let is_listed = page.contains(&address);
            assert_eq!(is_listed, sessions.contains(&session), "{query}: {session}");
        }
        let waits = page.contains("2 waiting for you");
        assert_eq!(waits, sessions.contains(&"unkept"), "{query}");
    }
    let page = client.get(format!("{}/session?id=unkept", served.address()));
    let page = text(&served, send(&served, page.header("cookie", &cookie)));
    assert!(page.contains("And that?"), "{page}");
}

#[test]
fn an_address_that_others_reach_is_refused() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let bound = runtime.block_on(Listening::bind(address.parse().unwrap()));
        assert!(matches!(bound, Err(UiError::NotLoopback(_))), "{address}");
    }
}

#[test]
fn a_question_is_answered_once() {
    let mut served = Served::start();
    let mut continued = std::mem::replace(
        &mut served.continued,
        tokio::sync::mpsc::unbounded_channel().1,
    );
    served.begin("s", "Write it");
    let id = served.suspend("s", &[("c1", "Write there?"), ("c2", "And there?")]);
    let (client, cookie, form) = enter(&served);
    let post = |path: &str, body: serde_json::Value| {
        let request = client.post(format!("{}{path}", served.address()));
        let request = request
            .header("cookie", &cookie)
            .header("x-portcullis-form", &form);
        send(&served, request.body(body.to_string()))
            .status()
            .as_u16()
    };
    let answer = |call: &str, answer: serde_json::Value| {
        post(
            "/answer",
            json!({"checkpoint": id.to_string(), "call": call, "answer": answer}),
        )
    };
    assert_eq!(answer("c1", json!({"edit": "[]"})), 400);
    assert_eq!(answer("c3", json!("approve")), 400);
    assert_eq!(answer("c1", json!({"result": "x"})), 400);
    assert_eq!(
        post(
            "/answer",
            json!({"checkpoint": "x", "call": "c1", "answer": "approve"})
        ),
        400
    );
    let turn = json!({"checkpoint": id.to_string()});
    assert_eq!(post("/continue", turn.clone()), 409, "c2 waits");
    assert_eq!(answer("c1", json!({"deny": "not today"})), 204);
    assert_eq!(answer("c1", json!("approve")), 409, "it is denied");
    assert_eq!(continued.try_recv().ok(), None);
    assert_eq!(answer("c2", json!({"edit": "{\"path\":\"b.md\"}"})), 204);
    let first = continued.blocking_recv().unwrap();
    assert_eq!(first, portcullis_ui::Continued::Suspended(id.clone()));
    let who = served.journal.events("s").unwrap();
    let who: Vec<_> = who
        .iter()
        .map(|event| format!("{:?}", event.row.event))
        .collect();
    assert!(
        who.iter()
            .any(|it| it.contains("ann, in a browser") && it.contains("denied")),
        "{who:?}"
    );
    // Another process claims the turn.
    use portcullis_agent::CheckpointStore as _;
    served
        .runtime
        .block_on(served.store.checkpoints().claim(&id))
        .unwrap();
    assert_eq!(answer("c2", json!("approve")), 409);
    assert_eq!(post("/release", turn.clone()), 409, "its process is there");
    assert_eq!(post("/discard", turn), 409);
}

#[test]
fn an_answer_that_comes_too_late_is_refused() {
    let served = Served::start();
    let id = served.expired("s", &[("c1", "Write there?")]);
    let (client, cookie, form) = enter(&served);
    let request = client.post(format!("{}/answer", served.address()));
    let request = request
        .header("cookie", &cookie)
        .header("x-portcullis-form", &form);
    let answer = json!({"checkpoint": id.to_string(), "call": "c1", "answer": "approve"});
    let answered = send(&served, request.body(answer.to_string()));
    assert_eq!(answered.status().as_u16(), 409);
    let why = text(&served, answered);
    assert!(why.contains("stopped taking answers"), "{why}");
}
