use guards_common::redact::Found;
use portcullis_sdk::prelude::*;
use portcullis_sdk::testing::Host;
use serde_json::json;

use super::Pii;
use super::config::Config;

fn redacted(text: &str) -> Option<String> {
    let search = Config::default().search().expect("the defaults");
    search.redact("", text, &mut Found::default())
}

#[test]
fn a_word_before_a_number_is_apart_from_it() {
    for (text, expected) in [
        ("SSN#123-45-6789", "SSN#[REDACTED:ssn]"),
        ("SSN #123-45-6789", "SSN #[REDACTED:ssn]"),
        ("SSN/123-45-6789", "SSN/[REDACTED:ssn]"),
        ("SSN=123-45-6789", "SSN=[REDACTED:ssn]"),
        ("SSN:123-45-6789", "SSN:[REDACTED:ssn]"),
        ("ssn:#123-45-6789.", "ssn:#[REDACTED:ssn]."),
        ("user_ssn=#123-45-6789", "user_ssn=#[REDACTED:ssn]"),
        (
            "Social Security No. #123-45-6789",
            "Social Security No. #[REDACTED:ssn]",
        ),
        ("card #4111 1111 1111 1111", "card #[REDACTED:credit-card]"),
        (
            "Card number #4111111111111111",
            "Card number #[REDACTED:credit-card]",
        ),
        ("visa-4111111111111111", "visa-[REDACTED:credit-card]"),
        ("/card/4111111111111111", "/card/[REDACTED:credit-card]"),
        ("phone #212-555-0123", "phone #[REDACTED:phone]"),
        ("Tel/+49 30 1234567", "Tel/[REDACTED:phone]"),
        ("Tel/030 901820", "Tel/[REDACTED:phone]"),
        ("DNI#12345678Z", "DNI#[REDACTED:national-id]"),
    ] {
        assert_eq!(redacted(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn parts_of_longer_identifiers_stay() {
    for text in [
        "#123-45-6789",
        "order #4111111111111111",
        "order number #4111111111111111",
        "A card was used, #4111111111111111",
        "discard #4111111111111111",
        "tracking/4111111111111111",
        "/orders/4111111111111111/items",
        "run-4111111111111111",
        "PR #212-555-0123",
        "part/123-45-6789",
        "case-12345678Z",
        "SSN#123-45-6789-01",
        "card-4111111111111111_old",
        "é#123-45-6789",
    ] {
        assert_eq!(redacted(text), None, "{text}");
    }
}

#[test]
fn a_part_of_an_identifier_hides_nothing() {
    let text = "item-+1 212-555-0123 and #4111111111111111 4111111111111111";
    let expected = "item-+1 [REDACTED:phone] and #4111111111111111 [REDACTED:credit-card]";
    assert_eq!(redacted(text).as_deref(), Some(expected));
}

#[test]
fn members_of_arguments_are_known_by_their_names() {
    let host = Host::new()
        .config(json!({ "places": { "tool_input": "redact" } }))
        .tool_arguments(json!({ "phone": "030 901820", "sum": "030 901820" }));
    let changed = json!({ "phone": "[REDACTED:phone]", "sum": "030 901820" });
    assert_eq!(
        host.call(Pii::pre_tool_call, Default::default()),
        Ok(pre_tool_call::Outcome::Transform(changed.to_string()))
    );
}
