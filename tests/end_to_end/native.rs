//! Native hooks and components in one order, under one `hooks.toml`.

use std::sync::Arc;

use portcullis::contract::{ContributionKind, FailurePolicy, HookRole};
use portcullis::hooks::{Hook, HooksError, LoadErrors, LoadFault, OrderError, Response};
use portcullis::points::{PointId, PostTurn, PreTurn, post_turn, pre_turn};
use portcullis::verdict::{Cause, Failure};
use portcullis::{Call, Decision, NativeHook, SessionOptions};
use portcullis_tests::{HooksDir, Sample, hook, text, turn};

/// Returns a native hook that appends its id to the text, before and after a turn.
fn appending(id: &'static str) -> NativeHook {
    let parts = |text: String| vec![portcullis::contract::ContentPart::Text(text)];
    NativeHook::new(id)
        .on::<PreTurn>(move |call| {
            let text = format!("{} {id}", text(call));
            Ok(pre_turn::Outcome::Transform(parts(text)))
        })
        .on::<PostTurn>(move |call| {
            let text = format!("{} {id}", text(call));
            Ok(post_turn::Outcome::Transform(parts(text)))
        })
}

/// Creates a directory with two equal components, with these settings, and more lines of
/// `hooks.toml`.
fn components(first: &str, later: &str, more: &str) -> HooksDir {
    let actions = |id: &str| format!("pre-turn = \"append  {id}\"\npost-turn = \"append  {id}\"");
    HooksDir::new()
        .with_renamed("probe", "first")
        .with_renamed("probe", "later")
        .settings(
            &(hook("first", first, &actions("first"))
                + &hook("later", later, &actions("later"))
                + more),
        )
}

/// Returns the values after the chains of both points.
async fn both(hooks: &portcullis::Hooks) -> (String, String) {
    let session = hooks.session(SessionOptions::new("test"));
    let (mut before, mut after) = (turn("."), PostTurn::sample());
    after.views.content = before.views.content.clone();
    assert!(session.run(&mut before).await.decision.passed());
    assert!(session.run(&mut after).await.decision.passed());
    (text(&before), text(&after))
}

#[tokio::test]
async fn priority_then_id_decide_whatever_a_hook_is() {
    let dir = components("priority = 10", "priority = 30", "");
    let hooks = dir.load_beside([
        appending("between").priority(20),
        appending("alike").priority(10),
    ]);
    let (before, after) = both(&hooks).await;
    assert_eq!(before, ". alike first between later");
    // Post points run in reverse order; hooks of equal priority stay in the order of their ids.
    assert_eq!(after, ". later between alike first");
    assert_eq!(
        hooks.order(PointId::PreTurn),
        ["alike", "first", "between", "later"]
    );
    assert_eq!(
        hooks.order(PointId::PostTurn),
        ["later", "between", "alike", "first"]
    );
}

#[tokio::test]
async fn a_native_hook_runs_after_a_component_and_a_component_after_a_native_hook() {
    let dir = components("", "priority = 1\nafter = [\"native\"]", "");
    let native = appending("native").priority(-50).after(["first"]);
    let (before, after) = both(&dir.load_beside([native])).await;
    // As written, at forward and at reversed points.
    assert_eq!(before, ". first native later");
    assert_eq!(after, ". first native later");
}

#[tokio::test]
async fn hooks_toml_speaks_of_native_hooks_too() {
    let more = "[hooks.off]\nenabled = false\n[hooks.moved]\npriority = -1\nafter = []\n";
    let dir = components("", "", more);
    let hooks = dir.load_beside([
        appending("off"),
        appending("moved").priority(500).after(["later"]),
    ]);
    let (before, _) = both(&hooks).await;
    assert_eq!(before, ". moved first later");
}

#[tokio::test]
async fn the_operator_may_change_role_mode_and_failure_of_a_native_hook() {
    let failing = || NativeHook::new("native").on::<PreTurn>(|_| Err(Failure::Guest("x".into())));
    for (said, passes) in [
        ("", false),
        ("failure = \"fail-open\"", true),
        ("role = \"observe\"", true),
        ("mode = \"audit\"", true),
    ] {
        let dir = HooksDir::new().settings(&format!("[hooks.native]\n{said}\n"));
        let session = dir
            .load_beside([failing()])
            .session(SessionOptions::new("test"));
        let verdict = session.run(&mut turn("hello")).await;
        assert_eq!(verdict.decision.passed(), passes, "{said}: {verdict:?}");
    }
}

#[tokio::test]
async fn a_panic_goes_the_way_of_the_failure_policy() {
    struct Awaited;
    impl Hook<PreTurn> for Awaited {
        fn call<'a>(&'a self, _: &Call<PreTurn>) -> Response<'a, PreTurn> {
            Response::Future(Box::pin(async { panic!("awaited") }))
        }
    }
    let at_once = || NativeHook::new("native").on::<PreTurn>(|_| panic!("at once"));
    let awaited = || NativeHook::new("native").serve::<PreTurn>(Arc::new(Awaited));
    for native in [at_once, awaited] {
        for (failure, passes) in [
            (FailurePolicy::FailClosed, false),
            (FailurePolicy::FailOpen, true),
        ] {
            let hooks = [native().failure(failure), appending("other")];
            let hooks = portcullis::Hooks::none().with(hooks).expect("hooks");
            let session = hooks.session(SessionOptions::new("test"));
            let mut call = turn("hello");
            let verdict = session.run(&mut call).await;
            assert_eq!(verdict.runs[0].cause(), Some(Cause::Host));
            assert_eq!(verdict.decision.passed(), passes);
            assert_eq!(text(&call) == "hello other", passes);
        }
    }
}

#[test]
fn a_native_hook_that_was_not_given_is_unknown_to_hooks_toml() {
    let dir = HooksDir::new().settings("[hooks.nativ]\nenabled = false\n");
    let error = dir.try_load().expect_err("an error").to_string();
    assert!(error.contains("there is no hook `nativ`"), "{error}");
    let error = dir
        .try_load_beside([appending("native")])
        .expect_err("an error")
        .to_string();
    assert!(error.contains("did you mean `native`?"), "{error}");
}

fn faults(result: Result<portcullis::Hooks, LoadErrors>) -> Vec<LoadFault> {
    let errors = result.expect_err("errors").0;
    errors.into_iter().map(|error| error.fault).collect()
}

#[test]
fn an_id_is_taken_once() {
    let taken = |id: &str| vec![OrderError::TakenId { id: id.into() }.into()];
    let twice = portcullis::Hooks::none().with([appending("native"), appending("native")]);
    assert_eq!(faults(twice), taken("native"));
    let hooks = components("", "", "").load();
    assert_eq!(faults(hooks.with([appending("first")])), taken("first"));
    match components("", "", "").try_load_beside([appending("first")]) {
        Err(HooksError::Load(errors)) => assert_eq!(errors.0[0].fault, taken("first")[0]),
        other => panic!("{other:?}"),
    }
    let mut session = hooks.session(SessionOptions::new("test"));
    assert!(session.add(appending("first")).is_err());
    // A rejected hook has no effect.
    session.add(appending("native")).expect("a free id");
}

#[test]
fn an_id_has_a_form() {
    for id in ["", "Native", "-native", "na tive", "nätive"] {
        let hook = NativeHook::new(id).on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
        let faults = faults(portcullis::Hooks::none().with([hook]));
        assert!(matches!(faults[0], LoadFault::BadId(_)), "{id}: {faults:?}");
    }
}

#[test]
fn dependencies_that_cannot_be_kept_are_named() {
    let hooks = components("after = [\"native\"]", "enabled = false", "");
    let missing = hooks.try_load().expect_err("an error").to_string();
    assert!(
        missing.contains("runs after `native`, which is not in"),
        "{missing}"
    );
    let cycle = hooks
        .try_load_beside([appending("native").after(["first"])])
        .expect_err("an error")
        .to_string();
    assert!(
        cycle.contains("first runs after native runs after first"),
        "{cycle}"
    );
    let off = hooks
        .try_load_beside([appending("native").after(["later"])])
        .expect_err("an error")
        .to_string();
    assert!(
        off.contains("runs after `later`, which is disabled"),
        "{off}"
    );
}

#[test]
fn an_observer_in_rust_cannot_fail_closed_either() {
    let hook = NativeHook::new("native")
        .role(HookRole::Observe)
        .failure(FailurePolicy::FailClosed)
        .contributes([ContributionKind::Note])
        .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
    let faults = faults(portcullis::Hooks::none().with([hook]));
    assert_eq!(faults, [LoadFault::ObserverFailsClosed]);
}

#[tokio::test]
async fn hooks_added_to_a_session_stand_in_their_place_and_in_no_other_session() {
    let hooks = components("priority = 10", "priority = 30", "").load();
    let mut session = hooks.session(SessionOptions::new("one"));
    session
        .add(appending("between").priority(20))
        .expect("a hook");
    let mut call = turn(".");
    let _ = session.run(&mut call).await;
    assert_eq!(text(&call), ". first between later");
    let mut other = turn(".");
    let _ = hooks
        .session(SessionOptions::new("two"))
        .run(&mut other)
        .await;
    assert_eq!(text(&other), ". first later");
}

#[tokio::test]
async fn a_native_guard_refuses_before_a_component() {
    let guard = NativeHook::new("guard")
        .role(HookRole::Gate)
        .priority(1)
        .on::<PreTurn>(|_| {
            Ok(pre_turn::Outcome::Reject(portcullis::contract::Rejection {
                code: "no".into(),
                reason: "no".into(),
                details: None,
            }))
        });
    let session = components("", "", "")
        .load_beside([guard])
        .session(SessionOptions::new("test"));
    let mut call = turn(".");
    match session.run(&mut call).await.decision {
        Decision::Rejected { by, .. } => assert_eq!(by.as_str(), "guard"),
        other => panic!("{other:?}"),
    }
    assert_eq!(text(&call), ".");
}
