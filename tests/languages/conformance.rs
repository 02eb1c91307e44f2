//! One table over all languages: the answer that a hook is configured to give at a point, and the
//! result.

use portcullis::json::to_json;
use portcullis::points::{self, FailureRule, OutcomeKind, Point, PointId};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Call, Hooks, SessionOptions, Verdict};
use portcullis_tests::{Check, Sample, at_every_point, decided, decision_after};
use serde_json::{Value, json};

use crate::speech::Speech;

/// Returns the action that makes a probe give this answer at this point.
fn action(point: PointId, kind: OutcomeKind) -> String {
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

/// Returns all that a call decided and changed, except its cost.
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

/// The probes, each with the same actions at every point. They are loaded once, since loading takes
/// long.
struct Stage {
    told: Vec<(&'static str, Speech, Hooks)>,
}

impl Stage {
    fn new<'a>(
        actions: impl IntoIterator<Item = (&'static str, Box<dyn Fn(PointId) -> String + 'a>)>,
    ) -> Self {
        let mut told = Vec::new();
        for (name, action) in actions {
            let lines: Vec<String> = PointId::ALL
                .iter()
                .map(|point| format!("{point} = '{}'", action(*point)))
                .collect();
            for speech in Speech::ALL {
                told.push((name, speech, speech.hooks(&lines.join("\n"))));
            }
        }
        Self { told }
    }

    async fn run<P: Sample>(&self, name: &str, speech: Speech) -> (Call<P>, Verdict<P>) {
        let mut told = self.told.iter();
        let (_, _, hooks) = told
            .find(|(told, by, _)| *told == name && *by == speech)
            .expect("a probe that was told so");
        let session = hooks.session(SessionOptions::new("test"));
        let mut call = P::sample();
        let verdict = session.run(&mut call).await;
        (call, verdict)
    }
}

struct EveryOutcome(Stage);

impl Check for EveryOutcome {
    async fn check<P: Sample>(&self) {
        for kind in P::INFO.outcomes {
            let mut first: Option<String> = None;
            for speech in Speech::ALL {
                let (call, verdict) = self.0.run::<P>(kind.name(), speech).await;
                let row = format!("{} {kind} in {speech}: {verdict:?}", P::ID);
                assert_eq!(verdict.runs[0].outcome(), Some(*kind), "{row}");
                assert_eq!(
                    decided(&verdict.decision),
                    decision_after(P::ID, *kind),
                    "{row}"
                );
                let seen = seen(&call, &verdict);
                assert_eq!(*first.get_or_insert(seen.clone()), seen, "{row}");
            }
        }
    }
}

#[tokio::test]
async fn every_legal_outcome_is_the_same_in_every_language() {
    let stage = Stage::new(OutcomeKind::ALL.map(|kind| {
        let told: Box<dyn Fn(PointId) -> String> = Box::new(move |point| action(point, kind));
        (kind.name(), told)
    }));
    at_every_point(EveryOutcome(stage)).await;
}

/// Returns the facts that a hook read, as its failure names them.
fn told<P: Point>(verdict: &Verdict<P>) -> Value {
    let RunStatus::Failed { message, .. } = &verdict.runs[0].status else {
        panic!("it told nothing: {verdict:?}");
    };
    let from = message.find('{').unwrap_or_default();
    let mut records = serde_json::Deserializer::from_str(&message[from..]).into_iter();
    let record = records.next().and_then(Result::ok);
    record.unwrap_or_else(|| panic!("no record: {message}"))
}

struct EveryFact(Stage);

impl Check for EveryFact {
    async fn check<P: Sample>(&self) {
        let sample = P::sample();
        let expected = json!({
            "context": to_json(&sample.context).expect("a context"),
            "input": to_json(P::input(&sample.subject)).expect("an input"),
        });
        for speech in [Speech::JavaScript, Speech::Python, Speech::Go] {
            let (_, verdict) = self.0.run::<P>("tell", speech).await;
            assert_eq!(told(&verdict), expected, "{} in {speech}", P::ID);
        }
    }
}

/// Every fact of every point is read, one by one.
#[tokio::test]
async fn every_fact_is_the_hosts() {
    let told: Box<dyn Fn(PointId) -> String> = Box::new(|_| "tell".to_owned());
    let stage = Stage::new([("tell", told)]);
    at_every_point(EveryFact(stage)).await;
}

/// JavaScript and Python keep the facts that they read in a call, and forget them when the call
/// ends.
#[tokio::test]
async fn facts_are_those_of_the_current_call() {
    let calls = [
        ("one", "main"),
        ("one", "mine"),
        ("two", "mine"),
        ("", "main"),
    ];
    for speech in [Speech::JavaScript, Speech::Python, Speech::Go] {
        let session = speech.session("pre-turn = \"tell\"");
        for (id, agent) in calls {
            let mut call = points::PreTurn::sample();
            call.context.session_id = id.to_owned();
            call.context.agent = agent.to_owned();
            let verdict = session.run(&mut call).await;
            let told = told(&verdict);
            let context = &told["context"];
            assert_eq!(context["session-id"], id, "{speech}");
            assert_eq!(context["agent"], agent, "{speech}");
        }
    }
}

/// The failures: the action, the cause, and a part of the error text.
const FAILURES: [(&str, Cause, &str); 2] = [
    ("fail no key", Cause::GuestError, "no key"),
    ("panic", Cause::Trap, ""),
];

struct EveryFailure(Stage);

impl Check for EveryFailure {
    async fn check<P: Sample>(&self) {
        for (action, cause, says) in FAILURES {
            for speech in Speech::ALL {
                let (call, verdict) = self.0.run::<P>(action, speech).await;
                let row = format!("{} {action} in {speech}: {verdict:?}", P::ID);
                assert_eq!(verdict.runs[0].cause(), Some(cause), "{row}");
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
}

#[tokio::test]
async fn a_failure_is_never_a_refusal_in_any_language() {
    let stage = Stage::new(FAILURES.map(|(action, ..)| {
        let told: Box<dyn Fn(PointId) -> String> = Box::new(move |_| action.to_owned());
        (action, told)
    }));
    at_every_point(EveryFailure(stage)).await;
}
