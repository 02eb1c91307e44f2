//! The combined budget of all hooks of a turn.

use portcullis::points::{PostTurn, PreTurn};
use portcullis::verdict::Cause;
use portcullis::{Call, NativeHook, Session, SessionOptions};
use portcullis_tests::{HooksDir, Sample, hook, turn};

fn of_turn(number: u32) -> Call<PreTurn> {
    let mut call = turn("hello");
    call.context.turn = number;
    call
}

fn session(budget: &str, more: &str) -> Session {
    let settings = budget.to_owned() + &hook("probe", more, "pre-turn = \"append x\"");
    HooksDir::new()
        .with("probe")
        .settings(&settings)
        .load()
        .session(SessionOptions::new("test"))
}

async fn cause(session: &Session, turn: u32) -> Option<Cause> {
    let verdict = session.run(&mut of_turn(turn)).await;
    assert_eq!(verdict.decision.passed(), verdict.runs[0].cause().is_none());
    verdict.runs[0].cause()
}

#[tokio::test]
async fn a_turn_that_used_up_its_fuel_calls_no_component_and_the_next_turn_does() {
    let free = session("", "");
    let first = free.run(&mut of_turn(1)).await.runs[0].fuel;
    let second = free.run(&mut of_turn(1)).await.runs[0].fuel;
    let two = first.zip(second).map(|(a, b)| a + b).expect("fuel");
    for (fuel, third) in [(two, Some(Cause::TurnBudget)), (two + 1, None)] {
        let session = session(&format!("[turn]\nfuel = {fuel}\n"), "");
        assert_eq!(cause(&session, 1).await, None);
        assert_eq!(cause(&session, 1).await, None);
        assert_eq!(cause(&session, 1).await, third, "{fuel}");
        assert_eq!(cause(&session, 2).await, None, "the next turn");
    }
}

#[tokio::test]
async fn a_turn_that_used_up_its_time_calls_no_component() {
    let settings = |ms: u32| format!("[turn]\nhooks-ms = {ms}\n");
    for (ms, then) in [(20, Some(Cause::TurnBudget)), (60_000, None)] {
        let session = HooksDir::new()
            .with("sleeper")
            .settings(&settings(ms))
            .load()
            .session(SessionOptions::new("test"));
        assert!(session.run(&mut turn("30")).await.decision.passed());
        let verdict = session.run(&mut turn("1")).await;
        assert_eq!(verdict.runs[0].cause(), then, "{ms}");
    }
}

#[tokio::test]
async fn it_follows_the_failure_policy_and_is_for_components_only() {
    let native = NativeHook::new("native")
        .on::<PreTurn>(|_| Ok(portcullis::points::pre_turn::Outcome::Continue));
    let settings = "[turn]\nfuel = 1\n".to_owned()
        + &hook(
            "probe",
            "failure = \"fail-open\"",
            "pre-turn = \"append x\"",
        );
    let session = HooksDir::new()
        .with("probe")
        .settings(&settings)
        .load_beside([native])
        .session(SessionOptions::new("test"));
    for expected in [None, Some(Cause::TurnBudget)] {
        let verdict = session.run(&mut of_turn(1)).await;
        assert!(verdict.decision.passed(), "{:?}", verdict.decision);
        let of = |id: &str| {
            let run = verdict.runs.iter().find(|run| run.hook.as_str() == id);
            run.expect("a run").cause()
        };
        assert_eq!((of("probe"), of("native")), (expected, None));
    }
}

#[tokio::test]
async fn outside_of_turns_there_is_no_budget_and_background_runs_take_none() {
    let session = session("[turn]\nfuel = 1\n", "");
    for _ in 0..3 {
        assert_eq!(cause(&session, 0).await, None);
    }
    let settings = "[turn]\nfuel = 1\n".to_owned()
        + &hook(
            "probe",
            "role = \"observe\"\nexecution = \"background\"",
            "post-turn = \"lines 1\"",
        );
    let hooks = HooksDir::new().with("probe").settings(&settings).load();
    let sink = std::sync::Arc::new(portcullis_tests::Watcher::default());
    let session = hooks.session(SessionOptions {
        sink: sink.clone(),
        ..SessionOptions::new("test")
    });
    for _ in 0..3 {
        session.run(&mut PostTurn::sample()).await;
    }
    assert_eq!(hooks.drain(std::time::Duration::from_secs(10)).await, 0);
    assert_eq!(sink.logged().len(), 3);
}

#[tokio::test]
async fn a_hook_that_nobody_named_spends_a_budget_of_its_own() {
    let causes = async |settings: &str| {
        let settings = format!(
            "{settings}[hooks.canned-answer]\n[unnamed]\nload = \"capped\"\nrole = \"transform\"\n\
             answers = [\"answer\", \"replace\"]\n"
        );
        let dir = HooksDir::new()
            .with("canned-answer")
            .with_renamed("canned-answer", "canned-ans000")
            .settings(&settings);
        let session = dir.load().session(SessionOptions::new("test"));
        let mut causes = Vec::new();
        let mut fuel = None;
        for _ in 0..3 {
            let verdict = session.run(&mut turn("hello")).await;
            fuel = fuel.or(verdict.runs[0].fuel);
            let hooks = ["canned-answer", "canned-ans000"].map(|id| {
                let run = verdict.runs.iter().find(|run| run.hook.as_str() == id);
                run.expect("a run").cause()
            });
            causes.push(hooks);
        }
        (causes, fuel)
    };
    let (_, one_call) = causes("").await;
    let (causes, _) = causes(&format!("[turn]\nfuel = {}\n", one_call.expect("fuel") + 1)).await;
    let over = Some(Cause::TurnBudget);
    // Each makes two calls. With one budget for both the second call would exceed it.
    assert_eq!(causes, [[None, None], [None, None], [over, over]]);
}

/// Returns a guard's decisions in ten calls of one turn, with or without an observer beside it.
async fn decisions(settings: &str, observer: Option<(&str, &str)>, said: &str) -> Vec<String> {
    let guard = hook("probe", "role = \"gate\"", "pre-turn = \"continue\"");
    let mut dir = HooksDir::new().with("probe");
    let mut all = settings.to_owned() + &guard;
    if let Some((component, of_observer)) = observer {
        dir = match component {
            "probe" => dir.with_renamed("probe", "watch"),
            other => dir.with(other),
        };
        all += of_observer;
    }
    let session = dir
        .settings(&all)
        .load()
        .session(SessionOptions::new("test"));
    let mut decisions = Vec::new();
    for _ in 0..10 {
        let verdict = session.run(&mut turn(said)).await;
        let run = verdict.runs.iter().find(|run| run.hook.as_str() == "probe");
        let cause = run.and_then(portcullis::verdict::HookRun::cause);
        decisions.push(format!("{} {cause:?}", verdict.decision.passed()));
    }
    decisions
}

#[tokio::test]
async fn an_observer_that_uses_up_its_budget_changes_no_verdict() {
    let watch = |action: &str| {
        hook(
            "watch",
            "role = \"observe\"",
            &format!("pre-turn = \"{action}\""),
        ) + "[hooks.watch.limits]\nfuel = 1_000_000\n"
    };
    let sleeper = "[hooks.sleeper]\nrole = \"observe\"\n";
    let fuel = "[turn]\nfuel = 1_500_000\n";
    for (settings, component, observer, said) in [
        (fuel, "probe", watch("spin"), "hello"),
        (fuel, "probe", watch("recurse"), "hello"),
        (fuel, "probe", watch("panic"), "hello"),
        (
            "[turn]\nhooks-ms = 200\n",
            "sleeper",
            sleeper.to_owned(),
            "120",
        ),
    ] {
        let alone = decisions(settings, None, said).await;
        let observed = decisions(settings, Some((component, &observer)), said).await;
        assert_eq!(alone, observed, "{observer}");
        assert!(alone.iter().all(|one| one == "true None"), "{alone:?}");
    }
}
