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
fn what_is_unclear_is_refused() {
    for path in ["$HOME/x", "a/$(id)", "a\u{200b}b", "..\u{2215}x", "a\0b"] {
        assert_eq!(check(path), Err(Fault::Unclear(path.into())), "{path}");
    }
}
