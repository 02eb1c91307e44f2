//! A decision that a person makes later, perhaps in another process.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Pending, Question};
use portcullis::contract::HookRole;
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::{Call, Decision, NativeHook, Session, SessionOptions};
use portcullis_tests::{HooksDir, hook, tool_call};

/// Defers every question, and records who asked.
#[derive(Default)]
struct Later(Mutex<Vec<String>>);

impl Approver for Later {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        self.0
            .lock()
            .expect("no panic")
            .push(question.hook.to_string());
        Box::pin(std::future::ready(ApprovalDecision::Defer))
    }
}

struct Stage {
    session: Session,
    call: Call<PreToolCall>,
    pending: Option<Pending<PreToolCall>>,
    looked: Arc<AtomicU32>,
    person: Arc<Later>,
}

/// Returns a stage with a hook that asks, one after it that performs this action, and an observer;
/// the question is deferred.
async fn asked(then: &str) -> Stage {
    let settings = hook("asker", "priority = 1", "pre-tool-call = \"ask\"")
        + &hook("later", "", &format!("pre-tool-call = '{then}'"));
    let looked = Arc::new(AtomicU32::new(0));
    let count = looked.clone();
    let watch = NativeHook::new("watch")
        .role(HookRole::Observe)
        .on::<PreToolCall>(move |call| {
            assert!(call.views.verdict.is_some());
            count.fetch_add(1, Ordering::Relaxed);
            Ok(pre_tool_call::Outcome::Continue)
        });
    let person = Arc::new(Later::default());
    let session = HooksDir::new()
        .with_renamed("probe", "asker")
        .with_renamed("probe", "later")
        .settings(&settings)
        .load_beside([watch])
        .session(SessionOptions {
            approver: person.clone(),
            ..SessionOptions::new("test")
        });
    let mut call = tool_call(r#"{"path":"raw"}"#);
    let verdict = session.run(&mut call).await;
    assert_eq!(verdict.runs.len(), 2, "observers wait");
    let Decision::Pending(pending) = verdict.decision else {
        panic!("{:?}", verdict.decision);
    };
    assert_eq!(looked.load(Ordering::Relaxed), 0);
    Stage {
        session,
        call,
        pending: Some(pending),
        looked,
        person,
    }
}

impl Stage {
    /// Makes the person's decision. Returns the result, and the number of hooks that ran for it.
    async fn says(&mut self, says: ApprovalDecision) -> (Decision<PreToolCall>, usize) {
        let pending = self.pending.take().expect("a question");
        let answered = self.session.answer(&mut self.call, pending.into(), says);
        let mut decided = answered.await;
        let ran = decided.verdict.runs.len();
        match &decided.verdict.decision {
            Decision::Pending(pending) => self.pending = Some(pending.clone()),
            _ => self.session.observe(&mut self.call, &mut decided).await,
        }
        (decided.verdict.decision, ran)
    }

    fn looked(&self) -> u32 {
        self.looked.load(Ordering::Relaxed)
    }

    fn questions(&self) -> Vec<String> {
        self.person.0.lock().expect("no panic").clone()
    }
}

#[tokio::test]
async fn the_chain_has_passed_when_the_question_is_put_off() {
    let stage = asked(r#"transform {"path":"safe"}"#).await;
    assert_eq!(&*stage.call.views.tool_arguments, r#"{"path":"safe"}"#);
    let pending = stage.pending.expect("a question");
    assert_eq!(pending.first.by.as_str(), "asker");
    assert_eq!(pending.first.ask.question, "May it?");
    assert!(pending.rest.is_empty());
}

#[tokio::test]
async fn a_yes_passes_and_runs_no_hook_again() {
    let mut stage = asked("continue").await;
    let (decision, ran) = stage.says(ApprovalDecision::Approve).await;
    assert!(decision.passed(), "{decision:?}");
    assert_eq!((ran, stage.looked()), (0, 1));
}

#[tokio::test]
async fn a_no_is_a_refusal_of_the_hook_that_asked() {
    let mut stage = asked("continue").await;
    let (decision, _) = stage.says(ApprovalDecision::Deny("not today".into())).await;
    let Decision::Rejected { by, rejection } = decision else {
        panic!("{decision:?}");
    };
    assert_eq!((by.as_str(), rejection.code.as_str()), ("asker", "denied"));
    assert_eq!(rejection.reason, "not today");
    assert_eq!(stage.looked(), 1);
}

#[tokio::test]
async fn a_change_runs_the_chain_again_and_those_that_look_on_once() {
    let mut stage = asked("continue").await;
    let change = ApprovalDecision::Edit(r#"{"path":"mine"}"#.into());
    let (decision, ran) = stage.says(change).await;
    assert!(decision.passed(), "{decision:?}");
    assert_eq!(&*stage.call.views.tool_arguments, r#"{"path":"mine"}"#);
    assert_eq!((ran, stage.looked()), (2, 1));
    // The hook that asked does not ask again about the person's own value.
    assert_eq!(stage.questions(), ["asker"]);
}

#[tokio::test]
async fn a_change_that_the_schema_forbids_is_refused_and_leaves_the_value() {
    let mut stage = asked("continue").await;
    let (decision, ran) = stage.says(ApprovalDecision::Edit("{}".into())).await;
    match decision {
        Decision::Rejected { rejection, .. } => assert_eq!(rejection.code, "invalid-change"),
        other => panic!("{other:?}"),
    }
    assert_eq!(&*stage.call.views.tool_arguments, r#"{"path":"raw"}"#);
    assert_eq!((ran, stage.looked()), (0, 1));
}

#[tokio::test]
async fn the_next_question_is_put_when_the_first_is_answered() {
    let mut stage = asked("ask").await;
    let pending = stage.pending.as_ref().expect("a question");
    let rest: Vec<_> = pending.rest.iter().map(|asked| asked.by.as_str()).collect();
    assert_eq!((pending.first.by.as_str(), rest), ("asker", vec!["later"]));
    let (decision, _) = stage.says(ApprovalDecision::Approve).await;
    let Decision::Pending(pending) = decision else {
        panic!("{decision:?}");
    };
    assert_eq!(pending.first.by.as_str(), "later");
    assert_eq!(
        (stage.questions(), stage.looked()),
        (vec!["asker".into(), "later".into()], 0)
    );
    let (decision, _) = stage.says(ApprovalDecision::Approve).await;
    assert!(decision.passed());
    assert_eq!(stage.looked(), 1);
}

#[tokio::test]
async fn what_is_put_off_once_more_is_still_pending() {
    let mut stage = asked("continue").await;
    let (decision, _) = stage.says(ApprovalDecision::Defer).await;
    assert!(matches!(decision, Decision::Pending(_)), "{decision:?}");
    assert_eq!(stage.looked(), 0);
    let (decision, _) = stage.says(ApprovalDecision::Approve).await;
    assert!(decision.passed());
}

/// Lets the model's arguments pass and not the person's.
fn guard() -> NativeHook {
    NativeHook::new("guard")
        .role(HookRole::Gate)
        .on::<PreToolCall>(|call| {
            Ok(match call.views.tool_arguments.contains("mine") {
                true => pre_tool_call::Outcome::Reject(portcullis::contract::Rejection {
                    code: "no".into(),
                    reason: "not there".into(),
                    details: None,
                }),
                false => pre_tool_call::Outcome::Continue,
            })
        })
}

fn is_refused_by_guard(decision: &Decision<PreToolCall>) -> bool {
    matches!(decision, Decision::Rejected { by, .. } if by.as_str() == "guard")
}

#[tokio::test]
async fn a_change_that_another_hook_refuses_is_refused() {
    let mut stage = asked("continue").await;
    stage.session.add(guard()).expect("a hook");
    let change = ApprovalDecision::Edit(r#"{"path":"mine"}"#.into());
    let (decision, _) = stage.says(change).await;
    assert!(is_refused_by_guard(&decision), "{decision:?}");
    assert_eq!(stage.looked(), 1);
}

#[tokio::test]
async fn hooks_that_were_put_in_front_or_added_meanwhile_take_the_place_of_no_others() {
    let asker = HooksDir::new().with_renamed("probe", "asker");
    let asker = asker.settings(&hook("asker", "", "pre-tool-call = \"ask\""));
    let front = asker.load();
    let own = HooksDir::new().load_beside([guard()]);
    for adds in [false, true] {
        let mut session = own.session(SessionOptions {
            approver: Arc::new(Later::default()),
            ..SessionOptions::new("test")
        });
        session.set_front(&front);
        let mut call = tool_call(r#"{"path":"raw"}"#);
        let decided = session.decide(&mut call).await;
        let pending = &decided.verdict.decision;
        assert!(matches!(pending, Decision::Pending(_)), "{pending:?}");
        session.remove_front();
        if adds {
            let added = NativeHook::new("added")
                .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Continue));
            session.add(added).expect("a hook");
        }
        let change = ApprovalDecision::Edit(r#"{"path":"mine"}"#.into());
        let decided = session.answer(&mut call, decided, change).await;
        let decision = &decided.verdict.decision;
        assert!(is_refused_by_guard(decision), "{decision:?}");
        let ran = |id: &str| {
            decided
                .verdict
                .runs
                .iter()
                .any(|run| run.hook.as_str() == id)
        };
        assert_eq!(ran("added"), adds);
    }
}
