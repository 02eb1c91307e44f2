use portcullis_sdk::config;
use portcullis_sdk::points::llm_error::{LlmFailure, ProviderErrorKind};

use super::{Decision, Plan};
use crate::switch::Switch;

fn plan(table: &str) -> Plan {
    Plan::new(config::from_json(table).expect("a correct table"))
}

fn failure(provider: &str, kind: ProviderErrorKind, attempt: u32) -> LlmFailure {
    LlmFailure {
        provider: provider.into(),
        model: "m".into(),
        attempt,
        kind,
        status: None,
        message: String::new(),
        retry_after_ms: None,
        providers: ["main", "backup", "last"].map(str::to_owned).into(),
    }
}

fn switch_to(provider: &str) -> Decision {
    Decision::Switch(provider.into())
}

#[test]
fn a_rate_limited_call_is_made_again_and_then_elsewhere() {
    let plan = plan("{}");
    let decide = |tries| {
        plan.decide(
            &failure("main", ProviderErrorKind::RateLimited, tries),
            tries,
        )
    };
    assert_eq!(decide(1), Decision::Retry(500));
    assert_eq!(decide(2), Decision::Retry(1_000));
    assert_eq!(decide(3), switch_to("backup"));
}

#[test]
fn the_wait_is_what_the_provider_asks_for() {
    let plan = plan(r#"{"longest_wait_ms": 2000}"#);
    let mut failure = failure("main", ProviderErrorKind::RateLimited, 1);
    failure.retry_after_ms = Some(1_500);
    assert_eq!(plan.decide(&failure, 1), Decision::Retry(1_500));
    failure.retry_after_ms = Some(2_001);
    assert_eq!(plan.decide(&failure, 1), switch_to("backup"));
}

#[test]
fn some_failures_are_not_tried_again() {
    let plan = plan("{}");
    let decide = |kind| plan.decide(&failure("main", kind, 1), 1);
    assert_eq!(decide(ProviderErrorKind::Auth), switch_to("backup"));
    assert_eq!(decide(ProviderErrorKind::BadRequest), Decision::GiveUp);
    assert_eq!(decide(ProviderErrorKind::ContextLength), Decision::GiveUp);
}

#[test]
fn the_last_provider_is_the_end() {
    let decision = plan("{}").decide(&failure("last", ProviderErrorKind::Auth, 3), 3);
    assert_eq!(decision, Decision::GiveUp);
}

#[test]
fn the_operator_orders_and_counts() {
    let table = r#"{"order": ["absent", "last", "main"], "retries": {"auth": 1}, "backoff_ms": 7}"#;
    let plan = plan(table);
    let decide =
        |provider, tries| plan.decide(&failure(provider, ProviderErrorKind::Auth, tries), tries);
    assert_eq!(decide("backup", 1), Decision::Retry(7));
    assert_eq!(decide("backup", 2), switch_to("last"));
    assert_eq!(decide("last", 2), switch_to("main"));
    assert_eq!(decide("main", 2), Decision::GiveUp);
}

#[test]
fn backoff_stops_growing() {
    let plan = plan(r#"{"retries": {"server": 4000000000}}"#);
    let decision = plan.decide(&failure("main", ProviderErrorKind::Server, 90), 90);
    assert_eq!(decision, Decision::Retry(20_000));
}

#[test]
fn each_provider_has_its_own_tries() {
    let third = failure("main", ProviderErrorKind::Server, 3);
    let switch = Switch::to("backup", (1, 2), &third);
    let fourth = failure("backup", ProviderErrorKind::Server, 4);
    assert_eq!(switch.tries_since((1, 2), &fourth), 1);
    assert_eq!(switch.tries_since((1, 3), &fourth), 4);
}
