//! Every point, every outcome that is legal there, and a failure, answered by a component: as it is
//! built today, and as it was built for each version of the contract.

use portcullis::SessionOptions;
use portcullis::points::{self, FailureRule, OutcomeKind, Point, PointId};
use portcullis::verdict::Cause;
use portcullis::{Call, Decision, Verdict};
use portcullis_tests::{FROZEN, HooksDir, Sample, component, probe};

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
fn action(point: PointId, kind: OutcomeKind) -> String {
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

/// The probe of today and those that were frozen.
fn probes() -> impl Iterator<Item = Vec<u8>> {
    let today = std::fs::read(component("probe")).expect("the probe");
    let frozen = FROZEN.iter().map(|frozen| frozen.bytes());
    std::iter::once(today).chain(frozen)
}

async fn run<P: Sample>(probe_: &[u8], action: &str) -> (Call<P>, Verdict<P>) {
    let session = HooksDir::new()
        .with_file("probe.wasm", probe_)
        .settings(&probe(&format!("{} = '{action}'", P::ID)))
        .load()
        .session(SessionOptions::new("test"));
    let mut call = P::sample();
    let verdict = session.run(&mut call).await;
    (call, verdict)
}

async fn every_legal_outcome<P: Sample>() {
    let probes = probes().collect::<Vec<_>>();
    let all = probes
        .iter()
        .enumerate()
        .flat_map(|(age, probe)| P::INFO.outcomes.iter().map(move |kind| (age, probe, kind)));
    for (age, probe, kind) in all {
        let action = action(P::ID, *kind);
        let (call, verdict) = run::<P>(probe, &action).await;
        let what = format!("{} {action}: {:?}", P::ID, verdict);
        if age > 0 && verdict.runs.is_empty() {
            // It was frozen before there was this point.
            continue;
        }
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
    let probe = std::fs::read(component("probe")).expect("the probe");
    let (call, verdict) = run::<P>(&probe, "panic").await;
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
