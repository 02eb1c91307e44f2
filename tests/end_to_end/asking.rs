//! A person decides about the value that is finally used.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};
use portcullis::verdict::Approval;
use portcullis::{Decision, SessionOptions};
use portcullis_tests::{HooksDir, hook, tool_call};

/// A person with one decision, who records the questions.
struct Person {
    says: ApprovalDecision,
    asked: Mutex<Vec<String>>,
}

impl Person {
    fn who_says(says: ApprovalDecision) -> Arc<Self> {
        Arc::new(Self {
            says,
            asked: Mutex::default(),
        })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }
}

impl Approver for Person {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        let asked = format!("{}: {}", question.hook, question.value);
        self.asked.lock().expect("no panic").push(asked);
        Box::pin(std::future::ready(self.says.clone()))
    }
}

/// Creates a directory with a hook that asks, before one that performs this action.
fn dir(then: &str) -> HooksDir {
    let settings = hook("asker", "priority = 1", "pre-tool-call = \"ask\"")
        + &hook("later", "", &format!("pre-tool-call = '{then}'"));
    HooksDir::new()
        .with_renamed("probe", "asker")
        .with_renamed("probe", "later")
        .settings(&settings)
}

fn session(then: &str, person: &Arc<Person>) -> portcullis::Session {
    dir(then).load().session(SessionOptions {
        approver: person.clone(),
        ..SessionOptions::new("test")
    })
}

#[tokio::test]
async fn a_person_sees_the_arguments_as_the_whole_chain_left_them() {
    let person = Person::who_says(ApprovalDecision::Approve);
    let session = session(r#"transform {"path":"safe"}"#, &person);
    let mut call = tool_call(r#"{"path":"raw"}"#);
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed());
    assert_eq!(person.asked(), [r#"asker: {"path":"safe"}"#]);
    assert_eq!(verdict.runs[0].approval, Some(Approval::Approved));
}

#[tokio::test]
async fn a_no_is_a_refusal_of_the_hook_that_asked() {
    let person = Person::who_says(ApprovalDecision::Deny("not today".into()));
    let session = session("continue", &person);
    let verdict = session.run(&mut tool_call(r#"{"path":"raw"}"#)).await;
    let Decision::Rejected { by, rejection } = verdict.decision else {
        panic!("{:?}", verdict.decision);
    };
    assert_eq!((by.as_str(), rejection.code.as_str()), ("asker", "denied"));
    assert_eq!(rejection.reason, "not today");
}

#[tokio::test]
async fn nobody_is_asked_about_what_another_hook_refuses() {
    let person = Person::who_says(ApprovalDecision::Approve);
    let session = session("reject", &person);
    let verdict = session.run(&mut tool_call(r#"{"path":"raw"}"#)).await;
    assert!(matches!(verdict.decision, Decision::Rejected { .. }));
    assert!(person.asked().is_empty());
}

#[tokio::test]
async fn what_a_person_changes_goes_through_the_whole_chain_again() {
    let person = Person::who_says(ApprovalDecision::Edit(r#"{"path":"mine"}"#.into()));
    let session = session("continue", &person);
    let mut call = tool_call(r#"{"path":"raw"}"#);
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    assert_eq!(&*call.views.tool_arguments, r#"{"path":"mine"}"#);
    // Each hook twice: once for the model's arguments, once for the person's.
    assert_eq!(verdict.runs.len(), 4);
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test]
async fn a_change_answers_one_hook_and_not_the_others() {
    // The second hook asks too, about the person's own value.
    let person = Person::who_says(ApprovalDecision::Edit(r#"{"path":"mine"}"#.into()));
    let session = session("ask", &person);
    let mut call = tool_call(r#"{"path":"raw"}"#);
    let verdict = session.run(&mut call).await;
    let askers: Vec<String> = person
        .asked()
        .iter()
        .filter_map(|asked| asked.split(':').next().map(str::to_owned))
        .collect();
    assert_eq!(&askers[..2], ["asker", "later"], "{askers:?}");
    // This person changes it repeatedly, which is bounded.
    assert!(matches!(verdict.decision, Decision::Rejected { .. }));
}

/// Changes the first value in question, agrees to all others, and counts the questions.
#[derive(Default)]
struct ChangesOne(AtomicU32);

impl Approver for ChangesOne {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        let says = match self.0.fetch_add(1, Ordering::Relaxed) {
            0 => ApprovalDecision::Edit(r#"{"path":"mine"}"#.into()),
            _ => ApprovalDecision::Approve,
        };
        Box::pin(std::future::ready(says))
    }
}

#[tokio::test]
async fn a_change_answers_no_hook_of_another_agent_with_the_same_id() {
    let person = Arc::new(ChangesOne::default());
    let mut session = dir("continue").load().session(SessionOptions {
        approver: person.clone(),
        ..SessionOptions::new("test")
    });
    session.stack(&dir("continue").load());
    let verdict = session.run(&mut tool_call(r#"{"path":"raw"}"#)).await;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    // The first question is answered with a change, about which both hooks ask.
    assert_eq!(person.0.load(Ordering::Relaxed), 3);
    let approvals = verdict.runs.iter().filter_map(|run| run.approval);
    let expected = [Approval::Changed, Approval::Approved, Approval::Approved];
    assert_eq!(approvals.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_change_that_the_schema_forbids_is_refused() {
    let person = Person::who_says(ApprovalDecision::Edit("{}".into()));
    let session = session("continue", &person);
    let mut call = tool_call(r#"{"path":"raw"}"#);
    let verdict = session.run(&mut call).await;
    assert!(matches!(verdict.decision, Decision::Rejected { .. }));
    assert_eq!(&*call.views.tool_arguments, r#"{"path":"raw"}"#);
}

/// Returns the value in question as an edit.
struct Echo;

impl Approver for Echo {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        let edit = ApprovalDecision::Edit(question.value.to_owned());
        Box::pin(std::future::ready(edit))
    }
}

#[tokio::test]
async fn what_a_person_is_asked_about_can_be_handed_back() {
    let hooks = dir(r#"transform {"path":"safe"}"#).load();
    let session = hooks.session(SessionOptions {
        approver: Arc::new(Echo),
        ..SessionOptions::new("test")
    });
    let mut call = tool_call(r#"{"path":"raw"}"#);
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    assert_eq!(&*call.views.tool_arguments, r#"{"path":"safe"}"#);
    assert_eq!(verdict.runs[0].approval, Some(Approval::Changed));
}

#[tokio::test]
async fn where_there_is_nobody_to_ask_the_answer_is_no() {
    let session = dir("continue").load().session(SessionOptions::new("test"));
    let verdict = session.run(&mut tool_call(r#"{"path":"raw"}"#)).await;
    assert!(matches!(verdict.decision, Decision::Rejected { .. }));
    assert_eq!(verdict.runs[0].approval, Some(Approval::Unanswered));
}
