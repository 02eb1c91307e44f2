use std::time::{Duration, Instant};

use guards_common::redact::Found;
use portcullis_sdk::prelude::*;
use portcullis_sdk::testing::Host;
use serde_json::{Value, json};

use super::Secrets;
use super::config::Config;

fn redacted(text: &str) -> Option<String> {
    let search = Config::default().search().expect("the defaults");
    search.redact("", text, &mut Found::default())
}

#[test]
fn members_of_arguments_are_known_by_their_names() {
    let call = |arguments: Value| {
        let host = Host::new().tool_arguments(arguments);
        host.call(Secrets::pre_tool_call, Default::default())
    };
    for (arguments, expected) in [
        (
            json!({ "password": "hunter2secret" }),
            json!({ "password": "[REDACTED:secret]" }),
        ),
        (
            json!({ "login": { "user": "ada42", "api_key": ["0123abcd4567"] } }),
            json!({ "login": { "user": "ada42", "api_key": ["[REDACTED:secret]"] } }),
        ),
    ] {
        let changed = pre_tool_call::Outcome::Transform(expected.to_string());
        assert_eq!(call(arguments), Ok(changed));
    }
    for ordinary in [
        json!({ "path": "src/token1.rs", "text": "let token = lexer.next_token();" }),
        json!({ "query": "password rules", "page_token": "CAEQAA0123" }),
        json!({ "password": "${DB_PASSWORD_1}", "token": "{{ token_1 }}" }),
        json!({ "api_key": "YOUR_API_KEY_1", "secret": true, "max_tokens": 4096 }),
    ] {
        assert_eq!(call(ordinary), Ok(pre_tool_call::Outcome::Continue));
    }
}

// The key is assembled here, so that no scanner reports this file as a leak.
#[test]
fn placeholders_hide_no_keys() {
    let key = format!("ghp_{}", "aB3dE5fG7".repeat(4));
    for (text, expected) in [
        (
            format!("token=\"your-own-{key}\""),
            Some("token=\"your-own-[REDACTED:github-token]\""),
        ),
        (
            "password=${OLD}token=Wq8kLm2pZ7".into(),
            Some("password=${OLD}token=[REDACTED:secret]"),
        ),
        ("password=\"${OLD:-example1}\"".into(), None),
        ("api_key = sk-your-key-here-0123456789".into(), None),
        ("AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE".into(), None),
    ] {
        assert_eq!(redacted(&text).as_deref(), expected, "{text}");
    }
}

#[test]
fn placeholders_take_no_longer_in_a_long_text() {
    for piece in ["token=undefined1", "sk-undefined-0123456789-"] {
        let text = piece.repeat(200_000 / piece.len());
        let start = Instant::now();
        redacted(&text);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(20), "{piece:?} took {took:?}");
    }
}
