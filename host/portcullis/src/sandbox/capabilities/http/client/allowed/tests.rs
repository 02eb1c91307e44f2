use super::*;

fn rule(text: &str) -> HttpRule {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn ask(rules: &[HttpRule], method: &str, uri: &str) -> Result<(), Option<Denied>> {
    let uri: http::Uri = uri.parse().expect("a URI");
    let server = Server::of(&uri).ok_or(None)?;
    let method = Method::from_bytes(method.as_bytes()).expect("a method");
    allowing(rules, &server, &method, uri.path())
        .map(drop)
        .map_err(Some)
}

#[test]
fn a_rule_is_shown_as_it_is_written() {
    for text in [
        "GET https://api.example.com",
        "GET,POST https://api.example.com:8443",
        "POST http://policy.internal:8181/v1/audit at 10.0.0.0/8,fd00::/8",
        "GET http://127.0.0.1:8080",
        "GET http://[::1]:8080",
        "GET http://localhost at 127.0.0.1",
    ] {
        assert_eq!(rule(text).to_string(), text);
    }
    for (text, shown) in [
        (
            "GET https://API.Example.com:443/",
            "GET https://api.example.com",
        ),
        ("GET http://0x7f.1", "GET http://127.0.0.1"),
        ("GET http://[::ffff:10.0.0.1]", "GET http://10.0.0.1"),
        (
            "GET https://bücher.example",
            "GET https://xn--bcher-kva.example",
        ),
    ] {
        assert_eq!(rule(text).to_string(), shown);
    }
}

#[test]
fn what_is_wrong_is_said_with_its_fix() {
    for (text, said) in [
        ("https://a.example", "\"GET https://a.example\""),
        ("", "is no grant"),
        ("GET POST https://a.example", "is no grant"),
        ("GET https://a.example at", "is no grant"),
        ("get https://a.example", "did you mean `GET`?"),
        ("CONNECT https://a.example", "is no method"),
        ("GET a.example", "is no URL"),
        ("GET ftp://a.example", "only https can be granted, and http"),
        ("GET https://u:p@a.example", "in a header"),
        ("GET https://a.example?x=1", "ends with the path"),
        ("GET https://*.example", "name each one in full"),
        ("GET http://0.0.0.0", "no server's address"),
        ("GET http://224.0.0.1", "no server's address"),
        ("GET http://10.0.0.1 at 10.0.0.1", "take `at` away"),
        ("GET http://a.example at here", "`here` is no address"),
        ("GET http://a.example at 10.0.0.0/33", "is no address"),
    ] {
        let error = text.parse::<HttpRule>().expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
}

#[test]
fn only_what_was_named_is_allowed() {
    let rules = [
        rule("GET https://api.example.com"),
        rule("POST http://a.example:8080/v1"),
        rule("GET http://127.0.0.1:81"),
    ];
    for (method, uri) in [
        ("GET", "https://api.example.com/any/path?q=1"),
        ("GET", "https://API.example.com:443"),
        ("POST", "http://a.example:8080/v1"),
        ("POST", "http://a.example:8080/v1/more?q=/../"),
        ("GET", "http://127.0.0.1:81/"),
        ("GET", "http://[::ffff:127.0.0.1]:81/"),
    ] {
        assert_eq!(ask(&rules, method, uri), Ok(()), "{method} {uri}");
    }
    for (method, uri, denied) in [
        ("POST", "https://api.example.com/", Denied::Method),
        ("get", "https://api.example.com/", Denied::Method),
        ("GET", "http://api.example.com/", Denied::Server),
        ("GET", "http://api.example.com:443/", Denied::Server),
        ("GET", "https://api.example.com:8443/", Denied::Server),
        ("GET", "https://api.example.com./", Denied::Server),
        (
            "GET",
            "https://api.example.com.evil.example/",
            Denied::Server,
        ),
        ("GET", "https://evil.example/", Denied::Server),
        ("GET", "http://127.1:81/", Denied::Server),
        ("GET", "http://2130706433:81/", Denied::Server),
        ("POST", "http://a.example:8080/v10", Denied::Path),
        ("POST", "http://a.example:8080/", Denied::Path),
        ("POST", "http://a.example:8080/v1/../v2", Denied::Path),
        ("POST", "http://a.example:8080/v1/%2E%2e/v2", Denied::Path),
        ("POST", "http://a.example:8080/v1/..%2fv2", Denied::Path),
        ("POST", "http://a.example:8080/v1//v2", Denied::Path),
        ("GET", "http://a.example:8080/v1", Denied::Method),
    ] {
        assert_eq!(
            ask(&rules, method, uri),
            Err(Some(denied)),
            "{method} {uri}"
        );
    }
    let tricked = "https://api.example.com@evil.example/";
    assert_eq!(ask(&rules, "GET", tricked), Err(None));
    let user = "https://user@api.example.com/";
    assert_eq!(ask(&rules, "GET", user), Err(None));
}

#[test]
fn a_name_leads_to_public_addresses_or_to_those_that_were_named() {
    let may = |text: &str, address: &str| rule(text).may_be_at(address.parse().expect("one"));
    let public = "GET https://a.example";
    assert!(may(public, "93.184.215.14"));
    assert!(!may(public, "127.0.0.1"));
    assert!(!may(public, "::ffff:10.0.0.1"));
    let named = "GET https://a.example at 10.0.0.0/8,::1";
    assert!(may(named, "10.1.2.3"));
    assert!(may(named, "::ffff:10.1.2.3"));
    assert!(may(named, "::1"));
    assert!(!may(named, "127.0.0.1"));
    assert!(!may(named, "93.184.215.14"));
    let literal = "GET http://127.0.0.1:80";
    assert!(may(literal, "127.0.0.1"));
    assert!(!may(literal, "127.0.0.2"));
}
