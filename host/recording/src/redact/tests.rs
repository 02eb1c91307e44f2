use std::collections::BTreeMap;

use portcullis::recording::{Body, World, WorldCall, WorldRequest};
use serde_json::json;

use super::*;

#[test]
fn what_is_wrong_with_a_rule_is_one_line() {
    for (rule, cause) in [
        ("(", "unclosed group"),
        ("a\n[", "unclosed character class"),
    ] {
        let error = Rule::new(rule).expect_err(rule).to_string();
        assert!(error.contains(&format!("expression: {cause}; ")), "{error}");
    }
}

fn secrets(value: &str) -> Secrets {
    Secrets::of(BTreeMap::from([("KEY".to_owned(), value.to_owned())]))
}

fn rules(rules: &[&str]) -> Redaction {
    Redaction::new(rules.iter().map(|rule| Rule::new(rule).unwrap()).collect())
}

fn call(interface: &str, function: &str, arguments: Value, returned: Value) -> WorldCall {
    WorldCall {
        interface: format!("portcullis:hooks/{interface}"),
        function: function.to_owned(),
        arguments,
        returned: Some(returned),
    }
}

fn of_state(at: &str, value: &[u8]) -> World {
    let calls = vec![
        call("state", "set", json!([at, value]), json!([{ "Ok": null }])),
        call("state", "get", json!([at]), json!([value])),
        call(
            "state",
            "swap",
            json!([at, null, value]),
            json!([{ "Ok": true }]),
        ),
        call(
            "shared-state",
            "swap",
            json!(["sums", at, value, value]),
            json!([{ "Ok": false }]),
        ),
        call(
            "shared-state",
            "get",
            json!(["sums", at]),
            json!([{ "Ok": value }]),
        ),
        call("state", "increment", json!(["n", 2]), json!([{ "Ok": 65 }])),
    ];
    World {
        calls,
        ..World::default()
    }
}

#[test]
fn bytes_of_state_have_no_secret_and_nothing_that_a_rule_finds() {
    let none = Redaction::default();
    for (redaction, secrets, at, value, plain_at, plain, rule) in [
        (
            &none,
            secrets("k-123"),
            "of k-123",
            "a k-123",
            "of [secret KEY]",
            "a [secret KEY]",
            false,
        ),
        (
            &rules(&["k-[0-9]+"]),
            Secrets::default(),
            "of k-123",
            "a k-123",
            "of [redacted]",
            "a [redacted]",
            true,
        ),
        // In a list of bytes, the numbers themselves are not searched.
        (&none, secrets("97"), "at", "abc", "at", "abc", false),
    ] {
        let mut found = Found::default();
        let mut world = of_state(at, value.as_bytes());
        redaction.world(&mut world, &secrets, &mut found);
        assert_eq!(world, of_state(plain_at, plain.as_bytes()));
        assert_eq!((found.rule, found.missing), (rule, None));
    }
}

#[test]
fn bytes_that_are_no_text_are_not_kept_with_a_secret() {
    let mut world = of_state("at", b"\xff k-123");
    let mut found = Found::default();
    Redaction::default().world(&mut world, &secrets("k-123"), &mut found);
    assert_eq!(world, of_state("at", b"[redacted]"));
    assert!(found.missing.is_some() && !found.rule);

    let body = |bytes: &[u8]| World {
        requests: vec![WorldRequest {
            body: Body::of(&[bytes.to_vec()], false),
            ..WorldRequest::default()
        }],
        ..World::default()
    };
    for (bytes, is_kept) in [(&b"\xff k-124"[..], true), (&b"\xff k-123"[..], false)] {
        let mut world = body(bytes);
        let mut found = Found::default();
        Redaction::default().world(&mut world, &secrets("k-123"), &mut found);
        assert_eq!(world == body(bytes), is_kept);
        assert_eq!(found.missing.is_none(), is_kept);
    }
}

#[test]
fn numbers_of_the_host_stay() {
    let line = json!({
        "id": 123456,
        "at": 123456,
        "session": "s 123456",
        "setup": 0,
        "instance": { "opening": 123456, "instance": 1, "call": 0, "seed": [123456, 1] },
        "subject": { "size": 123456 },
        "views": { "turn-start": 123456, "tool-data": { "arguments": "[123456]" } },
        "world": { "wall": [{ "secs": 123456, "nanos": 123456 }], "monotonic": [123456] },
        "outcome": {
            "status": { "failed": { "cause": "trap", "message": "at 123456", "fatal": true } },
            "fuel": 123456,
            "micros": 123456,
            "value": [123456],
        },
    });
    let mut plain = line.clone();
    let fits = |subject: &Value| subject["size"].is_u64();
    Redaction::default().call(&mut plain, &secrets("123456"), fits);
    let mut expected = line;
    expected["session"] = "s [secret KEY]".into();
    expected["subject"]["size"] = "[secret KEY]".into();
    expected["views"]["tool-data"]["arguments"] = "[[secret KEY]]".into();
    expected["outcome"]["status"]["failed"]["message"] = "at [secret KEY]".into();
    expected["outcome"]["value"] = json!(["[secret KEY]"]);
    expected["world"]["missing"] = recorded::UNFIT.into();
    assert_eq!(plain, expected);
}

#[test]
fn rules_find_numbers_and_keys() {
    let redaction = rules(&[r"\b\d{16}\b", r"[a-z]+@[a-z]+\.org"]);
    let value = json!({ "card": 4111111111111111_u64, "a@b.org": [1, true], "n": 4111 });
    let mut found = Found::default();
    let plain = redaction.value(value, &Secrets::default(), &mut found);
    let expected = json!({ "card": "[redacted]", "[redacted]": [1, true], "n": 4111 });
    assert_eq!(plain, expected);
    assert!(found.rule && found.reshaped && found.missing.is_none());

    let two = json!({ "a@b.org": 1, "c@d.org": 2 });
    redaction.value(two, &Secrets::default(), &mut found);
    assert!(found.missing.is_some());
}

#[test]
fn a_rule_that_changes_a_configuration_is_known() {
    let setup = json!({ "config": { "to": "a@b.org" }, "grants": {}, "limits": { "fuel": 1 } });
    for (rule, is_found) in [("@b", true), ("@c", false)] {
        let mut found = Found::default();
        let mut plain = setup.clone();
        rules(&[rule]).setup(&mut plain, &Secrets::default(), &mut found);
        assert_eq!(found.rule, is_found);
        assert_eq!(plain != setup, is_found);
    }
}
