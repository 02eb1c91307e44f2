//! One table over all languages: what a hook is told to answer at a point, and what becomes of it.

use portcullis::points::{self, FailureRule, OutcomeKind, Point, PointId};
use portcullis::{Call, Cause, Decision, Verdict};
use portcullis_tests::Sample;

use crate::speech::Speech;

/// Every point, each with a check.
macro_rules! at_every_point {
    ($check:ident($($argument:expr),*)) => {
        at_every_point!($check($($argument),*):
            SessionStart SessionEnd PreTurn PostTurn TurnError TurnSuspended TurnResumed
            PromptPolicy PromptContext PromptRecall PromptTools PromptCompile PreStep PostStep
            PreLlmCall LlmDelta PostLlmCall LlmError PreToolCall ToolUpdate ToolUpdateSent
            PostToolCall StateChanged MessageAdded PreSubagent PostSubagent PreCompaction
            PostCompaction TurnStopping WorkspaceOpened WorkspaceClosed WorkspaceEvicted
            WorkspaceEvictionRetried WorkspaceSnapshotted)
    };
    ($check:ident($($argument:expr),*): $($point:ident)*) => {{
        const LISTED: &[PointId] = &[$(PointId::$point),*];
        assert_eq!(LISTED, PointId::ALL, "the list of this test is not whole");
        $($check::<points::$point>($($argument),*).await;)*
    }};
}

/// What makes a probe answer in this way at this point.
fn deed(point: PointId, kind: OutcomeKind) -> String {
    let value = match point {
        PointId::PreToolCall => r#"{"path":"b"}"#,
        PointId::PreCompaction => "all",
        PointId::LlmError => "switch",
        _ => "ünder “quotes” \u{1f600}",
    };
    match kind {
        OutcomeKind::Continue | OutcomeKind::Reject | OutcomeKind::Ask => kind.name().into(),
        OutcomeKind::Contribute => match point {
            PointId::PromptPolicy => "contribute policy memory {}; note seen".into(),
            PointId::PromptTools => "contribute tool dig; note seen".into(),
            PointId::PromptCompile => "contribute section one First.; note seen".into(),
            PointId::PostTurn => "contribute note seen; job later".into(),
            _ => "contribute context fact Water is wet.; job later".into(),
        },
        _ => format!("{kind} {value}"),
    }
}

/// What becomes of it.
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

/// All that a call decided and changed, beside what it took.
fn seen<P: Point>(call: &Call<P>, verdict: &Verdict<P>) -> String {
    let run = &verdict.runs[0];
    format!(
        "{:?} {:?} {:?} change={:?} gifts={:?} content={:?} messages={:?} arguments={:?} output={:?}",
        verdict.decision,
        run.outcome(),
        run.cause(),
        run.change
            .as_ref()
            .map(|change| (&change.before, &change.after)),
        run.contributed,
        call.views.content,
        call.views.conversation,
        call.views.tool_arguments,
        call.views.tool_output,
    )
}

async fn run<P: Sample>(speech: Speech, deed: &str) -> (Call<P>, Verdict<P>) {
    let session = speech.session(&format!("{} = '{deed}'", P::ID));
    let mut call = P::sample();
    let verdict = session.run(&mut call).await;
    (call, verdict)
}

async fn every_outcome<P: Sample>() {
    for kind in P::INFO.outcomes {
        let deed = deed(P::ID, *kind);
        let mut first: Option<String> = None;
        for speech in Speech::ALL {
            let (call, verdict) = run::<P>(speech, &deed).await;
            let row = format!("{} {deed} in {speech}: {verdict:?}", P::ID);
            assert_eq!(verdict.runs[0].outcome(), Some(*kind), "{row}");
            assert_eq!(decided(&verdict.decision), expected(P::ID, *kind), "{row}");
            let seen = seen(&call, &verdict);
            assert_eq!(*first.get_or_insert(seen.clone()), seen, "{row}");
        }
    }
}

#[tokio::test]
async fn every_legal_outcome_is_the_same_in_every_language() {
    at_every_point!(every_outcome());
}

/// A failure, the cause it must have, and what its text must say.
const FAILURES: &[(&str, Cause, &str)] = &[
    ("fail no key", Cause::GuestError, "no key"),
    ("panic", Cause::Trap, ""),
];

async fn every_failure<P: Sample>() {
    for (deed, cause, says) in FAILURES {
        for speech in Speech::ALL {
            let (call, verdict) = run::<P>(speech, deed).await;
            let row = format!("{} {deed} in {speech}: {verdict:?}", P::ID);
            assert_eq!(verdict.runs[0].cause(), Some(*cause), "{row}");
            assert!(row.contains(says), "{row}");
            let fatal = P::INFO.failure != FailureRule::NeverFatal;
            let decision = if fatal { "failed" } else { "passed" };
            assert_eq!(decided(&verdict.decision), decision, "{row}");
            let untouched = P::sample();
            assert_eq!(call.views.content, untouched.views.content, "{row}");
            assert_eq!(
                call.views.conversation, untouched.views.conversation,
                "{row}"
            );
        }
    }
}

#[tokio::test]
async fn a_failure_is_never_a_refusal_in_any_language() {
    at_every_point!(every_failure());
}
