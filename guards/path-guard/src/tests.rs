use portcullis_sdk::schemars::schema_for;
use serde_json::json;

use super::config::Config;
use super::paths::{Fault, Guard};

fn check(path: &str) -> Result<(), Fault> {
    let guard = Guard::new(Config::default()).expect("the defaults");
    guard.check(
        &json!({ "file_path": path, "content": "/etc/passwd" }),
        Some("/work/repo"),
    )
}

#[test]
fn paths_stay_inside() {
    for path in [
        "src/lib.rs",
        "/work/repo/a",
        "a/../b",
        ".env.example",
        "https://example.com/x",
        "docs/.gitignore",
        "id_rsa.pub",
    ] {
        assert_eq!(check(path), Ok(()), "{path}");
    }
    for path in [
        "../x",
        "/etc/hosts",
        "~/x",
        "a/../../x",
        "%2e%2e/x",
        "%252e%252e/x",
        "file:///etc/passwd",
        r"..\x",
        "git://../../../etc/passwd",
    ] {
        assert_eq!(check(path), Err(Fault::Outside(path.into())), "{path}");
    }
}

#[test]
fn files_with_keys_are_denied() {
    for path in [
        ".env",
        "a/.ENV",
        ".git/config",
        "x/../.git/hooks/pre-commit",
        "deploy/server.pem",
        ".env.",
        ".env::$DATA",
    ] {
        assert!(matches!(check(path), Err(Fault::Denied { .. })), "{path}");
    }
}

#[test]
fn an_address_is_denied_unless_it_is_of_the_web() {
    let guard = Guard::new(Config {
        arguments: vec!["url".to_owned(), "uri".to_owned()],
        ..Config::default()
    })
    .expect("a table");
    for (address, expected) in [
        ("https://example.com/.env", true),
        ("http://example.com/a/.git/config", true),
        ("https://example.com/?q=a%0Ab&p=$(x)&r=%E4", true),
        ("git://example.com/a.git", true),
        ("ssh://git@example.com/a/b", true),
        ("ab://../.env", false),
        ("ab://.env", false),
        ("repo://x/server.pem", false),
        ("https://../.env", false),
        ("https://x/../../.env", false),
        ("https://x/%2e%2e/%2e%2e/.env", false),
    ] {
        for name in ["url", "uri"] {
            let arguments = json!({ name: address });
            let checked = guard.check(&arguments, Some("/work/repo"));
            let denied = matches!(checked, Err(Fault::Denied { .. }));
            assert_eq!(checked.is_ok(), expected, "{address}");
            assert_eq!(denied, !expected, "{address}");
        }
    }
}

#[test]
fn a_path_is_checked_before_and_after_it_is_decoded() {
    for path in [
        "%24HOME/x",
        "a/%0ab",
        "a/%250a",
        "a/%24%28id%29",
        "a/%e2%80%8bb",
        "a%00b",
    ] {
        assert_eq!(check(path), Err(Fault::Unclear(path.into())), "{path}");
    }
    // `x%2fy` is one directory for a tool that does not decode it.
    for path in ["x%2fy/../../z", "x%252fy/../../z"] {
        assert_eq!(check(path), Err(Fault::Outside(path.into())), "{path}");
    }
    for path in ["%2eenv", "a/%252eenv", ".env%2f"] {
        assert!(matches!(check(path), Err(Fault::Denied { .. })), "{path}");
    }
    for path in [
        "a%20b.txt",
        "%41",
        "caf%C3%A9.md",
        "100%",
        "routes/%24id.tsx",
    ] {
        assert_eq!(check(path), Ok(()), "{path}");
    }
}

#[test]
fn patterns_may_be_absolute() {
    let guard = Guard::new(Config {
        deny: vec!["/work/repo/secret/**".to_owned(), "keys/**".to_owned()],
        allow: vec!["/work/repo/secret/README.md".to_owned()],
        ..Config::default()
    })
    .expect("a table");
    for (path, expected) in [
        ("secret/x", false),
        ("a/../secret/x", false),
        ("/work/repo/secret/x", false),
        ("keys/x", false),
        ("/work/repo/keys/x", false),
        ("secret/README.md", true),
        ("/work/repo/secret/README.md", true),
        ("a/secret/x", true),
        ("a/keys/x", true),
    ] {
        let checked = guard.check(&json!({ "path": path }), Some("/work/repo"));
        assert_eq!(checked.is_ok(), expected, "{path}");
    }
}

#[test]
fn what_is_unclear_is_refused() {
    for path in ["$HOME/x", "a/$(id)", "a\u{200b}b", "..\u{2215}x", "a\0b"] {
        assert_eq!(check(path), Err(Fault::Unclear(path.into())), "{path}");
    }
}

#[test]
fn the_schema_takes_absolute_roots_only() {
    let schema = schema_for!(Config).to_value();
    assert_eq!(schema["properties"]["roots"]["items"]["pattern"], "^/");
}
