//! Every point, every outcome that is legal there, and a failure, answered by a component.

use portcullis::points::{self, FailureRule, OutcomeKind, Point, PointId};
use portcullis::{Call, Cause, Decision, Verdict};
use portcullis_tests::{Sample, probe_session};

/// Runs a check at every point.
macro_rules! at_every_point {
    ($check:ident: $($point:ident)*) => {{
        const LISTED: &[PointId] = &[$(PointId::$point),*];
        assert_eq!(LISTED, PointId::ALL, "the list of this test is not whole");
        $($check::<points::$point>().await;)*
    }};
    ($check:ident) => {
        at_every_point!($check:
            SessionStart SessionEnd PreTurn PostTurn TurnError TurnSuspended TurnResumed
            PromptPolicy PromptContext PromptRecall PromptTools PromptCompile PreStep PostStep
            PreLlmCall LlmDelta PostLlmCall LlmError PreToolCall ToolUpdate ToolUpdateSent
            PostToolCall StateChanged MessageAdded PreSubagent PostSubagent PreCompaction
            PostCompaction TurnStopping WorkspaceOpened WorkspaceClosed WorkspaceEvicted
            WorkspaceEvictionRetried WorkspaceSnapshotted)
    };
}

/// What makes the probe answer in this way at this point.
fn deed(point: PointId, kind: OutcomeKind) -> String {
    let value = match point {
        PointId::PreToolCall => r#"{"path":"b"}"#,
        PointId::PreCompaction => "all",
        PointId::LlmError => "give-up",
        _ => "changed",
    };
    match kind {
        OutcomeKind::Continue | OutcomeKind::Reject | OutcomeKind::Ask => kind.name().into(),
        OutcomeKind::Contribute => match point {
            PointId::PromptPolicy => "contribute policy memory {}".into(),
            PointId::PromptTools => "contribute tool dig".into(),
            PointId::PromptCompile => "contribute section one First.".into(),
            PointId::PostTurn => "contribute note seen".into(),
            _ => "contribute context fact Water is wet.".into(),
        },
        _ => format!("{kind} {value}"),
    }
}

async fn run<P: Sample>(deed: &str) -> (Call<P>, Verdict<P>) {
    let session = probe_session(&format!("{} = '{deed}'", P::ID));
    let mut call = P::sample();
    let verdict = session.run(&mut call).await;
    (call, verdict)
}

async fn every_legal_outcome<P: Sample>() {
    for kind in P::INFO.outcomes {
        let deed = deed(P::ID, *kind);
        let (call, verdict) = run::<P>(&deed).await;
        let what = format!("{} {deed}: {:?}", P::ID, verdict);
        assert_eq!(verdict.runs[0].outcome(), Some(*kind), "{what}");
        assert_eq!(decided(&verdict.decision), expected(P::ID, *kind), "{what}");
        let changes = matches!(kind, OutcomeKind::Transform)
            || matches!(kind, OutcomeKind::Replace) && verdict.decision.passed();
        assert_eq!(verdict.runs[0].change.is_some(), changes, "{what}");
        let contributes = matches!(kind, OutcomeKind::Contribute);
        assert_eq!(
            !verdict.runs[0].contributed.is_empty(),
            contributes,
            "{what}"
        );
        assert!(call.views.verdict.is_none(), "{what}");
    }
}

fn decided<P: Point>(decision: &Decision<P>) -> &'static str {
    match decision {
        Decision::Passed => "passed",
        Decision::Rejected { .. } => "rejected",
        Decision::Answered { .. } => "answered",
        Decision::Stopped { .. } => "stopped",
        Decision::Failed(_) => "failed",
        Decision::Pending(_) => "pending",
    }
}

fn expected(point: PointId, kind: OutcomeKind) -> &'static str {
    match (kind, point) {
        // There is nobody to ask.
        (OutcomeKind::Reject | OutcomeKind::Ask, _) => "rejected",
        (OutcomeKind::Replace, PointId::TurnError | PointId::LlmError)
        | (OutcomeKind::Answer | OutcomeKind::KeepGoing, _) => "answered",
        (OutcomeKind::Stop, _) => "stopped",
        _ => "passed",
    }
}

#[tokio::test]
async fn every_legal_outcome_is_what_it_says() {
    at_every_point!(every_legal_outcome);
}

async fn a_trap<P: Sample>() {
    let (call, verdict) = run::<P>("panic").await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Trap), "{}", P::ID);
    let fatal = P::INFO.failure != FailureRule::NeverFatal;
    let decision = decided(&verdict.decision);
    assert_eq!(
        decision,
        if fatal { "failed" } else { "passed" },
        "{}",
        P::ID
    );
    let untouched = P::sample();
    assert_eq!(call.views.content, untouched.views.content);
    assert_eq!(call.views.conversation, untouched.views.conversation);
}

#[tokio::test]
async fn a_trap_is_a_failure_and_never_a_refusal() {
    at_every_point!(a_trap);
}
