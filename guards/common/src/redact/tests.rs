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
