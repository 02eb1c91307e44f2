//! A hook's start and the call it is started for have one budget.

use portcullis::points::PreTurn;
use portcullis::verdict::Cause;
use portcullis::{Decision, Hooks, SessionOptions, Verdict};
use portcullis_tests::{HooksDir, turn};

/// More fuel than start and call use together.
const PLENTY: u64 = 1_000_000_000;

/// Returns limits of which only the fuel can be reached.
fn limits(of: &str, fuel: u64) -> String {
    format!("[{of}.limits]\nfuel = {fuel}\ndeadline-ms = 5_000\nwall-ms = 5_000\n")
}

fn starter(settings: &str) -> Hooks {
    HooksDir::new().with("starter").settings(settings).load()
}

async fn first_calls(hooks: &Hooks) -> [Verdict<PreTurn>; 2] {
    let session = hooks.session(SessionOptions::new("test"));
    let first = session.run(&mut turn("hello")).await;
    [first, session.run(&mut turn("hello")).await]
}

/// Returns the fuel of a cold call and of a warm one.
async fn fuel() -> (u64, u64) {
    let [cold, warm] = first_calls(&starter(&limits("defaults", PLENTY))).await;
    let of = |verdict: Verdict<PreTurn>| verdict.runs[0].fuel.expect("fuel is counted");
    (of(cold), of(warm))
}

#[tokio::test]
async fn fuel_covers_start_and_call_together() {
    let (cold, warm) = fuel().await;
    assert!(
        cold - warm > 1_000_000 && warm > 1_000_000,
        "{cold}, {warm}"
    );
    let either = warm.max(cold - warm) + 1_000;
    for (fuel, cause) in [
        (cold, None),
        // wasm checks its fuel at intervals only.
        (cold - 1_000, Some(Cause::Fuel)),
        // Enough for either of the two, and not for both.
        (either, Some(Cause::Fuel)),
        // Not enough for the start: the error names the limit, not the failed start.
        (cold - warm - 1_000, Some(Cause::Fuel)),
    ] {
        let plenty = limits("defaults", PLENTY);
        let hooks = starter(&format!("{plenty}{}", limits("hooks.starter", fuel)));
        let [first, second] = first_calls(&hooks).await;
        for verdict in [first, second] {
            assert_eq!(verdict.runs[0].cause(), cause, "{fuel}: {verdict:?}");
        }
    }
}

#[tokio::test]
async fn describe_has_what_the_start_leaves() {
    let (cold, warm) = fuel().await;
    let dir = HooksDir::new().with("starter");
    let dir = dir.settings(&limits("defaults", cold - warm + 20));
    let error = dir.try_load().expect_err("no fuel is left").to_string();
    assert!(error.contains("could not describe itself"), "{error}");
    assert!(error.contains("used up its fuel"), "{error}");
    assert!(error.contains("(`fuel` of its limits)"), "{error}");
    let dir = dir.settings(&limits("defaults", cold));
    assert!(dir.try_load().is_ok());
}

#[tokio::test]
async fn a_start_that_takes_too_long_ends_at_the_deadline() {
    let hooks = starter(
        "[hooks.starter.limits]\ndeadline-ms = 1\n[defaults.limits]\nfuel = false\ndeadline-ms = 5_000\nwall-ms = 5_000\n",
    );
    let [first, _] = first_calls(&hooks).await;
    let Decision::Failed(failed) = first.decision else {
        panic!("{first:?}");
    };
    assert_eq!(failed.failure.cause(), Cause::Deadline, "{failed}");
}
