//! The rules of the merge, checked for any chain of native hooks.

use portcullis::contract::{ContentPart, FailurePolicy, HookRole, Rejection};
use portcullis::hooks::Mode;
use portcullis::points::{OutcomeKind, PreTurn, pre_turn};
use portcullis::verdict::Failure;
use portcullis::{Decision, Hooks, NativeHook, Session, SessionOptions};
use portcullis_tests::{HooksDir, text, turn};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Action {
    Continue,
    Append(char),
    Reject,
    Replace(char),
    Answer(char),
    Fail,
}

#[derive(Debug, Clone)]
struct Link {
    action: Action,
    role: HookRole,
    failure: FailurePolicy,
    mode: Mode,
}

fn link() -> impl Strategy<Value = Link> {
    let letter = proptest::char::range('a', 'z');
    let action = prop_oneof![
        3 => Just(Action::Continue),
        3 => letter.clone().prop_map(Action::Append),
        1 => Just(Action::Reject),
        1 => letter.clone().prop_map(Action::Replace),
        1 => letter.prop_map(Action::Answer),
        1 => Just(Action::Fail),
    ];
    let role = prop_oneof![
        Just(HookRole::Transform),
        Just(HookRole::Gate),
        Just(HookRole::Observe)
    ];
    let failure = prop_oneof![
        Just(FailurePolicy::FailOpen),
        Just(FailurePolicy::FailClosed)
    ];
    let mode = prop_oneof![4 => Just(Mode::Enforce), 1 => Just(Mode::Audit)];
    (action, role, failure, mode).prop_map(|(action, role, failure, mode)| Link {
        // The loader lets no observer fail closed.
        failure: if role == HookRole::Observe {
            FailurePolicy::FailOpen
        } else {
            failure
        },
        action,
        role,
        mode,
    })
}

/// Returns the decision of a chain, in a form that can be compared, and the value it left.
fn run(links: &[Link]) -> (String, String, usize) {
    let mut session = Hooks::none().session(SessionOptions::new("test"));
    for hook in hooks(links) {
        session.add(hook).unwrap();
    }
    run_in(&session)
}

fn hooks(links: &[Link]) -> Vec<NativeHook> {
    let mut hooks = Vec::new();
    for (index, link) in links.iter().enumerate() {
        let action = link.action.clone();
        let parts = |text: String| vec![ContentPart::Text(text)];
        let hook = NativeHook::new(format!("hook-{index:02}"))
            .role(link.role)
            .failure(link.failure)
            .mode(link.mode)
            .on::<PreTurn>(move |call| match &action {
                Action::Continue => Ok(pre_turn::Outcome::Continue),
                Action::Append(c) => Ok(pre_turn::Outcome::Transform(parts(format!(
                    "{}{c}",
                    text(call)
                )))),
                Action::Replace(c) => Ok(pre_turn::Outcome::Replace(parts(c.to_string()))),
                Action::Answer(c) => Ok(pre_turn::Outcome::Answer(parts(c.to_string()))),
                Action::Reject => Ok(pre_turn::Outcome::Reject(Rejection {
                    code: "no".into(),
                    reason: "no".into(),
                    details: None,
                })),
                Action::Fail => Err(Failure::Guest("told to".into())),
            });
        hooks.push(hook);
    }
    hooks
}

fn run_in(session: &Session) -> (String, String, usize) {
    let mut call = turn("");
    let verdict = futures::executor::block_on(session.run(&mut call));
    let runs = verdict.runs.len();
    let decision = match verdict.decision {
        Decision::Passed => "passed".to_owned(),
        Decision::Rejected { by, .. } => format!("rejected by {by}"),
        Decision::Answered { by, answer } => format!("answered by {by}: {answer:?}"),
        Decision::Stopped { stop, .. } => match stop {},
        Decision::Failed(failed) => format!("failed: {}", failed.hook),
        Decision::Pending(pending) => match pending.first.ask {},
    };
    (decision, text(&call), runs)
}

proptest! {
    /// Hooks after a refusal change nothing about it.
    #[test]
    fn a_refusal_is_final(
        before in prop::collection::vec(link(), 0..4),
        after in prop::collection::vec(link(), 0..4),
        role in prop_oneof![Just(HookRole::Gate), Just(HookRole::Transform)],
    ) {
        let refuser = Link {
            action: Action::Reject,
            role,
            failure: FailurePolicy::FailClosed,
            mode: Mode::Enforce,
        };
        let mut links = before;
        links.push(refuser);
        let (alone, value, _) = run(&links);
        prop_assert_ne!(&alone, "passed");
        links.extend(after);
        let (decision, later, _) = run(&links);
        // An answer or a closed failure before it may have ended the chain first; that is final in
        // the same way.
        prop_assert_eq!(alone, decision);
        prop_assert_eq!(value, later);
    }

    /// Every hook of a chain has a run: none is silent.
    #[test]
    fn no_hook_is_silent(links in prop::collection::vec(link(), 0..8)) {
        let (_, _, runs) = run(&links);
        prop_assert_eq!(runs, links.len());
    }

    /// Removing the observers changes neither verdict nor value.
    #[test]
    fn observers_change_nothing(links in prop::collection::vec(link(), 0..8)) {
        let without: Vec<Link> = links.iter().filter(|l| l.role != HookRole::Observe).cloned().collect();
        let numberless = |decision: String| decision.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
        let (with_decision, with_value, _) = run(&links);
        let (decision, value, _) = run(&without);
        prop_assert_eq!(numberless(with_decision), numberless(decision));
        prop_assert_eq!(with_value, value);
    }

    /// The actions of an observer change neither verdict nor value.
    #[test]
    fn a_failing_observer_changes_nothing(links in prop::collection::vec(link(), 0..8)) {
        let failing: Vec<Link> = links.iter().cloned().map(|l| Link {
            action: if l.role == HookRole::Observe { Action::Fail } else { l.action },
            ..l
        }).collect();
        prop_assert_eq!(run(&links), run(&failing));
    }

    /// Once a hook that counts has refused, nothing passes and nothing is answered.
    #[test]
    fn a_refusal_that_was_given_is_the_decision(links in prop::collection::vec(link(), 0..8)) {
        let mut session = Hooks::none().session(SessionOptions::new("test"));
        for hook in hooks(&links) {
            session.add(hook).unwrap();
        }
        let verdict = futures::executor::block_on(session.run(&mut turn("")));
        let refuser = verdict.runs.iter().find(|run| {
            run.mode == Mode::Enforce && run.outcome() == Some(OutcomeKind::Reject)
        });
        match (&verdict.decision, refuser) {
            (Decision::Rejected { by, .. }, Some(run)) => prop_assert_eq!(by, &run.hook),
            (other, refuser) => prop_assert!(
                refuser.is_none() && !matches!(other, Decision::Rejected { .. }),
                "{:?}", verdict
            ),
        }
    }

    /// Every change begins where the one before ended.
    #[test]
    fn the_trail_has_no_gap(links in prop::collection::vec(link(), 0..8)) {
        let mut session = Hooks::none().session(SessionOptions::new("test"));
        for hook in hooks(&links) {
            session.add(hook).unwrap();
        }
        let verdict = futures::executor::block_on(session.run(&mut turn("")));
        let changes: Vec<_> = verdict.runs.iter().filter_map(|run| run.change.as_ref()).collect();
        for pair in changes.windows(2) {
            prop_assert_eq!(pair[0].after, pair[1].before);
        }
    }

    /// The passed value is the letters of the transforms that count, in order.
    #[test]
    fn transforms_chain_in_order(letters in prop::collection::vec(proptest::char::range('a', 'z'), 0..8)) {
        let links: Vec<Link> = letters.iter().map(|c| Link {
            action: Action::Append(*c),
            role: HookRole::Transform,
            failure: FailurePolicy::FailClosed,
            mode: Mode::Enforce,
        }).collect();
        let (decision, value, _) = run(&links);
        prop_assert_eq!(decision, "passed");
        prop_assert_eq!(value, letters.into_iter().collect::<String>());
    }

    /// A hook that fails closed and fails never lets anything pass.
    #[test]
    fn a_closed_failure_never_passes(before in prop::collection::vec(link(), 0..4), after in prop::collection::vec(link(), 0..4)) {
        let closed = Link {
            action: Action::Fail,
            role: HookRole::Transform,
            failure: FailurePolicy::FailClosed,
            mode: Mode::Enforce,
        };
        // An answer before the failure rightly ends the chain.
        let before: Vec<Link> = before.into_iter().filter(|l| !matches!(l.action, Action::Answer(_))).collect();
        let links: Vec<Link> = before.into_iter().chain([closed]).chain(after).collect();
        prop_assert_ne!(run(&links).0, "passed");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Disabling observers in `hooks.toml` changes neither verdict nor value.
    #[test]
    fn a_disabled_observer_changes_nothing(links in prop::collection::vec(link(), 0..8)) {
        let off: String = links.iter().enumerate()
            .filter(|(_, link)| link.role == HookRole::Observe)
            .map(|(index, _)| format!("[hooks.hook-{index:02}]\nenabled = false\n"))
            .collect();
        let loaded = HooksDir::new().settings(&off).load_beside(hooks(&links));
        let (decision, value, runs) = run_in(&loaded.session(SessionOptions::new("test")));
        let (with_decision, with_value, _) = run(&links);
        prop_assert_eq!((decision, value), (with_decision, with_value));
        let deciding = links.iter().filter(|link| link.role != HookRole::Observe).count();
        prop_assert_eq!(runs, deciding);
    }
}
