//! The merge against a model of its rules: for any chain and any answers of a person, both have the
//! same decision, value, runs and reports.

mod rules;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};
use portcullis::contract::{AskRequest, FailurePolicy, HookRole, Rejection};
use portcullis::hooks::Mode;
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::verdict::{Failure, RunStatus};
use portcullis::{Decision, Hooks, NativeHook, SessionOptions};
use portcullis_tests::{Watcher, tool_call};
use proptest::prelude::*;

/// The number of times that a person may change one value.
const MOST_CHANGES: u32 = 4;

/// The action of a hook.
#[derive(Debug, Clone, PartialEq)]
enum Move {
    Continue,
    Transform(String),
    Replace(String),
    Answer,
    Reject,
    Ask,
    Fail,
}

impl Move {
    /// Returns whether a value fits the tool's schema.
    fn fits(value: &str) -> bool {
        value.contains("path")
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Transform(_) => "transform",
            Self::Replace(_) => "replace",
            Self::Answer => "answer",
            Self::Reject => "reject",
            Self::Ask => "ask",
            Self::Fail => "fail",
        }
    }
}

/// A hook of a chain.
#[derive(Debug, Clone)]
struct Link {
    does: Move,
    role: HookRole,
    failure: FailurePolicy,
    mode: Mode,
}

impl Link {
    fn decides(&self) -> bool {
        self.role != HookRole::Observe
    }
}

/// The result of a chain.
#[derive(Debug, Clone, Default, PartialEq)]
struct Came {
    decision: String,
    value: String,
    runs: Vec<String>,
    told: Vec<String>,
}

fn id(at: usize) -> String {
    format!("hook-{at:02}")
}

/// Generates arguments of which most fit the tool's schema.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-c]".prop_map(|path| format!(r#"{{"path":"{path}"}}"#)),
        1 => Just(r#"{"other":1}"#.to_owned()),
    ]
}

fn link() -> impl Strategy<Value = Link> {
    let does = prop_oneof![
        3 => Just(Move::Continue),
        3 => value().prop_map(Move::Transform),
        2 => value().prop_map(Move::Replace),
        1 => Just(Move::Answer),
        1 => Just(Move::Reject),
        2 => Just(Move::Ask),
        1 => Just(Move::Fail),
    ];
    let role = prop_oneof![
        3 => Just(HookRole::Transform),
        2 => Just(HookRole::Gate),
        1 => Just(HookRole::Observe),
    ];
    let failure = prop_oneof![
        Just(FailurePolicy::FailOpen),
        Just(FailurePolicy::FailClosed)
    ];
    let mode = prop_oneof![4 => Just(Mode::Enforce), 1 => Just(Mode::Audit)];
    (does, role, failure, mode).prop_map(|(does, role, failure, mode)| Link {
        does,
        role,
        // The loader lets no observer fail closed.
        failure: match role {
            HookRole::Observe => FailurePolicy::FailOpen,
            _ => failure,
        },
        mode,
    })
}

fn says() -> impl Strategy<Value = ApprovalDecision> {
    prop_oneof![
        3 => Just(ApprovalDecision::Approve),
        1 => Just(ApprovalDecision::Deny("no".into())),
        1 => Just(ApprovalDecision::Unanswered("nobody".into())),
        1 => Just(ApprovalDecision::Defer),
        4 => value().prop_map(ApprovalDecision::Edit),
    ]
}

/// A person with these decisions, one after another, and then yes to every question.
struct Person(Mutex<VecDeque<ApprovalDecision>>);

impl Approver for Person {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        let says = self.0.lock().expect("no panic").pop_front();
        Box::pin(std::future::ready(
            says.unwrap_or(ApprovalDecision::Approve),
        ))
    }
}

fn native(at: usize, link: &Link) -> NativeHook {
    use pre_tool_call::Outcome;
    let does = link.does.clone();
    NativeHook::new(id(at))
        .role(link.role)
        .failure(link.failure)
        .mode(link.mode)
        .on::<PreToolCall>(move |_| {
            Ok(match &does {
                Move::Continue => Outcome::Continue,
                Move::Transform(new) => Outcome::Transform(new.clone()),
                Move::Replace(new) => Outcome::Replace(new.clone()),
                Move::Answer => Outcome::Answer(pre_tool_call::ToolAnswer {
                    content: "known".into(),
                    is_error: false,
                }),
                Move::Reject => Outcome::Reject(Rejection {
                    code: "no".into(),
                    reason: "no".into(),
                    details: None,
                }),
                Move::Ask => Outcome::Ask(AskRequest {
                    question: "May it?".into(),
                    details: None,
                }),
                Move::Fail => return Err(Failure::Guest("told to".into())),
            })
        })
}

/// Returns the result of the host's own chain.
fn real(links: &[Link], value: &str, person: &[ApprovalDecision]) -> Came {
    let sink = Arc::new(Watcher::default());
    let hooks = links.iter().enumerate().map(|(at, link)| native(at, link));
    let session = Hooks::none()
        .with(hooks)
        .expect("hooks")
        .session(SessionOptions {
            sink: sink.clone(),
            approver: Arc::new(Person(Mutex::new(person.iter().cloned().collect()))),
            ..SessionOptions::new("test")
        });
    let mut call = tool_call(value);
    let verdict = futures::executor::block_on(session.run(&mut call));
    let runs = verdict.runs.iter().map(|run| {
        let status = match &run.status {
            RunStatus::Completed { outcome, .. } => outcome.name(),
            RunStatus::NotApplied { .. } => "not applied",
            RunStatus::Failed { cause, .. } => cause.code(),
            RunStatus::Skipped => "skipped",
            RunStatus::Backgrounded => "detached",
        };
        format!("{}: {status}", run.hook)
    });
    let told = sink.not_run().into_iter();
    Came {
        runs: runs.collect(),
        told: told
            .map(|(hook, cause, refused)| format!("{hook}: {cause}, {refused}"))
            .collect(),
        decision: match verdict.decision {
            Decision::Passed => "passed".into(),
            Decision::Rejected { by, .. } => format!("rejected by {by}"),
            Decision::Answered { by, .. } => format!("answered by {by}"),
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Failed(failed) => format!("failed by {}", failed.hook),
            Decision::Pending(pending) => format!("pending by {}", pending.first.by),
        },
        value: call.views.tool_arguments.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn the_merge_does_what_its_rules_say(
        links in prop::collection::vec(link(), 0..8),
        person in prop::collection::vec(says(), 0..6),
    ) {
        let value = r#"{"path":"raw"}"#;
        prop_assert_eq!(real(&links, value, &person), rules::come(&links, value, &person));
    }
}
