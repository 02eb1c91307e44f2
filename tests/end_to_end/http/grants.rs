//! The servers that a hook may reach.

use portcullis::capabilities::CallMode;

use super::server::{Answer, Server};
use super::{ask, dir, hooks, session};

#[tokio::test]
async fn a_granted_server_is_reached() {
    let server = Server::new(Answer::Text("hello")).await;
    let session = session(&[server.grant("GET,POST")], "");
    assert_eq!(
        ask(&session, &format!("GET {}/a?b=c", server.url())).await,
        "200 hello"
    );
    assert_eq!(
        ask(&session, &format!("POST {} 1000", server.url())).await,
        "200 hello"
    );
    let heads = server.heads();
    assert!(heads[0].starts_with("GET /a?b=c HTTP/1.1\r\n"), "{heads:?}");
    let host = format!("\r\nhost: 127.0.0.1:{}\r\n", server.port());
    assert!(heads[0].contains(&host), "{heads:?}");
    assert!(
        heads[1].contains("\r\ncontent-length: 1000\r\n"),
        "{heads:?}"
    );
    server.closed().await;
}

#[tokio::test]
async fn what_was_not_granted_is_refused_before_anything_is_sent() {
    let server = Server::new(Answer::Text("hello")).await;
    let other = Server::new(Answer::Text("other")).await;
    let port = server.port();
    let session = session(&[format!("GET {}/v1", server.url())], "http-requests = 100");
    for what in [
        format!("GET {}/v1", other.url()),
        format!("POST http://127.0.0.1:{port}/v1 10"),
        format!("DELETE http://127.0.0.1:{port}/v1"),
        format!("CONNECT http://127.0.0.1:{port}/v1"),
        format!("GET https://127.0.0.1:{port}/v1"),
        format!("GET http://localhost:{port}/v1"),
        format!("GET http://127.1:{port}/v1"),
        format!("GET http://2130706433:{port}/v1"),
        format!("GET http://0.0.0.0:{port}/v1"),
        format!("GET http://[::1]:{port}/v1"),
        format!("GET http://user:pass@127.0.0.1:{port}/v1"),
        format!("GET http://127.0.0.1:{port}/"),
        format!("GET http://127.0.0.1:{port}/v2"),
        format!("GET http://127.0.0.1:{port}/v1/../v2"),
        format!("GET http://127.0.0.1:{port}/v1/%2e%2e/v2"),
        format!("GET http://127.0.0.1:{port}/v1/..;/v2"),
        format!("GET http://127.0.0.1:{port}/v1/%252e%252e/v2"),
        format!("GET http://127.0.0.1:{port}/v1/%00"),
        format!("GET http://127.0.0.1:{port}/v1/%c0%af"),
        "GET http://169.254.169.254/latest/meta-data".into(),
        "GET http://10.0.0.1/v1".into(),
        "GET http://127.0.0.1/v1".into(),
        "GET https://example.com/v1".into(),
    ] {
        let said = ask(&session, &what).await;
        assert!(
            said.contains("the hook is not granted it"),
            "{what}: {said}"
        );
    }
    let said = ask(&session, "GET https://user:pass@example.com/token?key").await;
    let grant = "refused: GET https://example.com: the hook is not granted it; grant it in hooks.toml, \
                 under [hooks.ID.grants]: http = [\"GET https://example.com\"]";
    assert!(said.ends_with(grant), "{said}");
    assert_eq!((server.connected(), other.connected()), (0, 0));
    let granted = format!("GET http://127.0.0.1:{port}/v1/more");
    assert_eq!(ask(&session, &granted).await, "200 hello");
}

#[tokio::test]
async fn a_name_that_leads_to_this_machine_is_refused_unless_its_address_was_named() {
    let server = Server::new(Answer::Text("hello")).await;
    let name = format!("http://localhost:{}", server.port());
    let what = format!("GET {name}");
    for (grant, said) in [
        (format!("GET {name}"), "no address that the hook is granted"),
        (
            format!("GET {name} at 10.0.0.0/8"),
            "no address that the hook is granted",
        ),
        (
            format!("GET {name} at ::ffff:10.0.0.1"),
            "no address that the hook is granted",
        ),
    ] {
        let told = ask(&session(std::slice::from_ref(&grant), ""), &what).await;
        assert!(told.contains(said), "{grant}: {told}");
    }
    assert_eq!(server.connected(), 0);
    for at in ["127.0.0.1", "10.0.0.0/8,127.0.0.0/8"] {
        let session = session(&[format!("GET {name} at {at}")], "");
        assert_eq!(ask(&session, &what).await, "200 hello", "{at}");
    }
    // The server receives the name, not the address.
    let host = format!("\r\nhost: localhost:{}\r\n", server.port());
    assert!(server.heads()[0].contains(&host));
}

#[tokio::test]
async fn a_redirect_is_a_new_request_and_checked_like_any_other() {
    let granted = Server::new(Answer::Text("there")).await;
    let other = Server::new(Answer::Text("secret")).await;
    for (to, said) in [
        (granted.url(), "200 there"),
        (other.url(), "not granted it"),
        (
            format!("http://localhost:{}", other.port()),
            "not granted it",
        ),
        ("http://169.254.169.254/".into(), "not granted it"),
    ] {
        let first = Server::new(Answer::Redirect(to.clone())).await;
        let session = session(&[first.grant("GET"), granted.grant("GET")], "");
        let told = ask(&session, &format!("GET {}", first.url())).await;
        assert_eq!(told, "302 ", "{to}: it is not followed");
        let told = ask(&session, &format!("follow {}", first.url())).await;
        assert!(told.contains(said), "{to}: {told}");
        assert_eq!(other.connected(), 0, "{to}");
    }
}

#[tokio::test]
async fn headers_between_two_hops_are_the_hosts() {
    let server = Server::new(Answer::Text("hello")).await;
    let session = session(&[server.grant("GET")], "");
    let said = ask(&session, &format!("host {} evil.example", server.url())).await;
    assert!(said.contains("Forbidden"), "{said}");
    assert_eq!(server.connected(), 0);
}

#[test]
fn without_a_grant_the_hook_does_not_load_and_is_told_which() {
    let error = dir(&[], "").try_load().expect_err("no grant").to_string();
    assert!(error.contains("wasi:http/outgoing-handler"), "{error}");
    assert!(
        error.contains("[hooks.caller.grants] http = [\"GET https://<server>\"]"),
        "{error}"
    );
}

#[test]
fn a_line_that_grants_nothing_is_named_with_its_fix() {
    for (line, said) in [
        ("https://a.example", "names no methods"),
        ("GETT https://a.example", "did you mean `GET`?"),
        ("GET https://*.a.example", "name each one in full"),
        ("GET a.example", "is no URL"),
        ("GET http://a.example at home", "`home` is no address"),
    ] {
        let error = dir(&[line.into()], "")
            .try_load()
            .expect_err(line)
            .to_string();
        assert!(error.contains("hooks.toml:2: "), "{error}");
        assert!(error.contains(&format!("`{line}`")), "{error}");
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_report_says_whom_it_can_reach() {
    let rules = [
        "GET https://api.example.com".to_owned(),
        "POST http://policy.internal:8181/v1 at 10.0.0.0/8".to_owned(),
    ];
    let hooks = hooks(&rules, "");
    let report = &hooks.reports()[0];
    assert_eq!(report.calling, CallMode::Async);
    assert_eq!(
        report.reach().reach,
        [format!(
            "send requests to the servers that it was granted ({})",
            rules.join(", ")
        )]
    );
    let carry = report.exfiltration_risk().expect("it reads and sends");
    assert_eq!(
        carry.sends,
        ["servers (api.example.com, policy.internal:8181)"]
    );
    let json = serde_json::to_string(report).expect("json");
    assert!(
        json.contains("\"http\":[\"GET https://api.example.com\""),
        "{json}"
    );
}
