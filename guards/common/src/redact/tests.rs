use portcullis_sdk::{HookResult, config};
use serde::Deserialize;

use super::{Found, Kinds, Patterns, Redactor};
use crate::find::ALL;

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
struct Table {
    kinds: Kinds,
    patterns: Patterns,
}

fn redactor(table: &str) -> HookResult<Redactor> {
    let Table { kinds, patterns } = config::from_json(table)?;
    let all: Vec<_> = ALL.iter().collect();
    Redactor::new(&all, &kinds, &patterns)
}

fn redact(table: &str, text: &str) -> (Option<String>, String) {
    let mut found = Found::default();
    let redacted = redactor(table).expect("a table").redact(text, &mut found);
    (redacted, found.to_string())
}

#[test]
fn everything_is_redacted_and_counted() {
    let text = "Mail ada@example.org or bob@example.org, SSN 123-45-6789. Grüße";
    let expected = "Mail [REDACTED:email] or [REDACTED:email], SSN [REDACTED:ssn]. Grüße";
    assert_eq!(
        redact("{}", text),
        (Some(expected.into()), "email:2,ssn:1".into())
    );
}

#[test]
fn a_kind_can_be_switched_off() {
    let (redacted, _) = redact(
        r#"{"kinds": {"email": false}}"#,
        "ada@example.org 123-45-6789",
    );
    assert_eq!(redacted.as_deref(), Some("ada@example.org [REDACTED:ssn]"));
}

#[test]
fn a_pattern_can_be_added() {
    let (redacted, found) = redact(
        r#"{"patterns": {"ticket": "ACME-\\d+"}}"#,
        "see ACME-12, ada@example.org",
    );
    assert_eq!(
        redacted.as_deref(),
        Some("see [REDACTED:ticket], [REDACTED:email]")
    );
    assert_eq!(found, "email:1,ticket:1");
}

#[test]
fn what_is_refused_hides_nothing() {
    let redactor = redactor("{}")
        .expect("a table")
        .accept(|_, text, span| !text[span.clone()].contains("demo"));
    let key = format!("sk-{}", "aB3".repeat(9));
    for (text, expected) in [
        // A match within a refused one, of another kind and of the same kind.
        (format!("token=demo/{key}"), "token=demo/[REDACTED:api-key]"),
        (format!("sk-demo1-{key}"), "sk-demo1-[REDACTED:api-key]"),
        (
            "token=\"demo1234;token=real5678\"".into(),
            "token=\"demo1234;token=[REDACTED:secret]\"",
        ),
        // A match of another kind at the same byte.
        (
            "https://a:pass1@demo.example.org".into(),
            "https://a:[REDACTED:url-password]@demo.example.org",
        ),
        // A match across the end of a refused one.
        (
            "bearer demo0123456789token=real5678".into(),
            "bearer demo0123456789token=[REDACTED:secret]",
        ),
    ] {
        let redacted = redactor.redact(&text, &mut Found::default());
        assert_eq!(redacted.as_deref(), Some(expected), "{text}");
    }
    let refused = "token=demo1234 sk-demo-0123456789012345";
    assert_eq!(redactor.redact(refused, &mut Found::default()), None);
}

#[test]
fn the_name_of_a_member_says_what_its_text_is() {
    let redactor = redactor(r#"{"patterns": {"ticket": "^ACME-\\d+"}}"#).expect("a table");
    let long = format!("{}_password", "é".repeat(100));
    for (name, text, expected) in [
        ("password", "hunter2secret", Some("[REDACTED:secret]")),
        ("dbPassword", "hunter2secret", Some("[REDACTED:secret]")),
        ("API-Key", "é-0123abcd é", Some("[REDACTED:secret] é")),
        (&long, "hunter2secret", Some("[REDACTED:secret]")),
        ("phone", "030 901820", Some("[REDACTED:phone]")),
        // The pattern is matched against the text alone.
        ("password", "ACME-12", Some("[REDACTED:ticket]")),
        // A match in the name or across its end is not part of the text.
        ("ada@example.org", "hello", None),
        ("-----BEGIN PRIVATE KEY-----", "hello", None),
        (
            "+49 30 1234567",
            "ada@example.org",
            Some("[REDACTED:email]"),
        ),
        // Ordinary members.
        ("", "hunter2secret", None),
        ("path", "src/hunter2/secret.rs", None),
        ("password_hint", "the 2nd dog's name", None),
        ("password", "Ask Ada for it", None),
        ("token", "TOKEN", None),
        ("max_tokens", "4096000000", None),
        ("page_token", "CAEQAA0123", None),
    ] {
        let redacted = redactor.redact_named(name, text, &mut Found::default());
        assert_eq!(redacted.as_deref(), expected, "{name}: {text}");
    }
}

#[test]
fn clean_text_stays() {
    assert_eq!(redact("{}", "nothing to see"), (None, String::new()));
}

#[test]
fn what_is_redacted_stays_redacted() {
    let text = "ada@example.org, Bearer abcdefghij0123456789, +49 30 1234567";
    let (once, _) = redact("{}", text);
    assert_eq!(redact("{}", &once.expect("three things")).0, None);
}

#[test]
fn wrong_tables_are_explained() {
    let message = |table| match redactor(table) {
        Err(fault) if fault.is_bad_config() => fault.message().to_owned(),
        other => panic!("this is bad config: {other:?}"),
    };
    assert!(
        message(r#"{"kinds": {"mail": true}}"#).starts_with("`kinds.mail`: there is no such kind")
    );
    assert!(message(r#"{"patterns": {"x": "("}}"#).starts_with("`patterns.x`: `(`: "));
    let empty = message(r#"{"patterns": {"x": "a*"}}"#);
    assert_eq!(empty, "`patterns.x`: `a*`: matches the empty text");
}
