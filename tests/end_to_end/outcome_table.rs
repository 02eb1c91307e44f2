//! Every point, every legal outcome, and a failure, answered by a component: by today's build, and
//! by the build for each version of the contract.

use portcullis::SessionOptions;
use portcullis::points::{FailureRule, OutcomeKind, PointId};
use portcullis::verdict::Cause;
use portcullis::{Call, Verdict};
use portcullis_tests::{
    Check, FROZEN, HooksDir, Sample, at_every_point, component, decided, decision_after, probe,
};

/// Returns the action that makes the probe give this answer at this point.
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

/// Returns today's probe and the frozen ones.
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

struct EveryLegalOutcome;

impl Check for EveryLegalOutcome {
    async fn check<P: Sample>(&self) {
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
                // The probe was frozen before this point existed.
                continue;
            }
            assert_eq!(verdict.runs[0].outcome(), Some(*kind), "{what}");
            assert_eq!(
                decided(&verdict.decision),
                decision_after(P::ID, *kind),
                "{what}"
            );
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
}

#[tokio::test]
async fn every_legal_outcome_is_what_it_says() {
    at_every_point(EveryLegalOutcome).await;
}

struct Trap;

impl Check for Trap {
    async fn check<P: Sample>(&self) {
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
}

#[tokio::test]
async fn a_trap_is_a_failure_and_never_a_refusal() {
    at_every_point(Trap).await;
}
