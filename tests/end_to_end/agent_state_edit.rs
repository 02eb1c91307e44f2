//! Changes of the agent's state as a capability: granted by key, and held until the answer counts.

use std::sync::Arc;

use portcullis::points::OutcomeKind;
use portcullis::points::PreTurn;
use portcullis::prompt::SideOutput;
use portcullis::session::AgentState;
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, Session, SessionOptions, Verdict};
use portcullis_tests::{HooksDir, turn};
use serde_json::{Value, json};

fn dir(settings: &str) -> HooksDir {
    HooksDir::new().with("editor").settings(&format!(
        "[hooks.editor]\n{settings}\n[hooks.editor.grants]\nevents = true\n\
         agent-state-edit = [\"risk\", \"notes/*\"]\n"
    ))
}

fn session(settings: &str) -> Session {
    dir(settings).load().session(SessionOptions::new("test"))
}

async fn said(session: &Session, what: &str, state: Value) -> Verdict<PreTurn> {
    let mut call = turn(what);
    let values = state.as_object().cloned().unwrap_or_default();
    call.views.state = Arc::new(AgentState {
        values,
        ..AgentState::default()
    });
    session.run(&mut call).await
}

/// Returns the changes in a verdict: the hook, and the values by key.
fn edits(verdict: &Verdict<PreTurn>) -> Vec<(String, Value)> {
    let outputs = verdict.side_outputs.iter();
    outputs
        .map(|output| match &output.value {
            SideOutput::StateEdits(edits) => (output.by.to_string(), json!(edits)),
            other => panic!("{other:?}"),
        })
        .collect()
}

fn refusal(verdict: &Verdict<PreTurn>) -> String {
    match &verdict.decision {
        Decision::Rejected { rejection, .. } => rejection.reason.clone(),
        other => panic!("{other:?} {:?}", verdict.runs),
    }
}

#[tokio::test]
async fn granted_keys_are_changed_together_and_are_in_the_record_of_the_run() {
    let what = "set risk \"high\"\nset notes/a [1]\nremove notes/b\nset notes/c null";
    let verdict = said(&session(""), what, json!({ "notes/b": 1 })).await;
    assert!(verdict.decision.passed(), "{:?}", verdict.runs);
    let changed = json!({ "risk": "high", "notes/a": [1], "notes/b": null });
    assert_eq!(edits(&verdict), [("editor".to_owned(), changed)]);
    let kinds: Vec<&str> = verdict.runs[0]
        .contributed
        .iter()
        .map(|it| it.kind)
        .collect();
    assert_eq!(kinds, ["agent-state-edit"; 3]);
}

#[tokio::test]
async fn a_key_that_was_not_granted_is_an_error_to_the_hook() {
    let session = session("");
    for key in ["plan", "notes", "risks"] {
        let verdict = said(&session, &format!("set {key} 1"), json!({})).await;
        let text = refusal(&verdict);
        assert!(
            text.contains("is not in this hook's grants.agent-state-edit"),
            "{text}"
        );
        assert!(edits(&verdict).is_empty());
    }
}

#[tokio::test]
async fn an_answer_that_does_not_count_changes_nothing() {
    let session = session("");
    for what in ["fail", "trap"] {
        let verdict = said(&session, &format!("set risk 1\n{what}"), json!({})).await;
        assert!(matches!(verdict.runs[0].status, RunStatus::Failed { .. }));
        assert!(edits(&verdict).is_empty(), "{what}");
        // Nothing is left for the next call.
        assert!(
            edits(&said(&session, "", json!({})).await).is_empty(),
            "{what}"
        );
    }
    // A refusal is an answer.
    let verdict = said(&session, "set risk 1\nreject", json!({})).await;
    assert_eq!(
        edits(&verdict),
        [("editor".to_owned(), json!({ "risk": 1 }))]
    );
}

#[tokio::test]
async fn too_many_and_too_large_changes_are_an_error_to_the_hook() {
    let limits = "[hooks.editor.limits]\nstate-keys = 5\nstate-bytes = 200";
    let session = session(limits);
    let verdict = said(&session, "many notes/ 6", json!({})).await;
    assert!(refusal(&verdict).ends_with("at most 5 keys"));
    // Values from tools and earlier calls count, and other keys do not.
    let state = json!({ "notes/x": 1, "plan": "x".repeat(500) });
    assert!(
        said(&session, "many notes/ 4", state.clone())
            .await
            .decision
            .passed()
    );
    assert!(refusal(&said(&session, "many notes/ 5", state).await).ends_with("at most 5 keys"));
    let large = format!("set risk \"{}\"", "x".repeat(200));
    let verdict = said(&session, &large, json!({})).await;
    assert!(refusal(&verdict).ends_with("at most 200 bytes"));
}

#[tokio::test]
async fn only_a_transform_changes_the_state() {
    let report = dir("").load().reports().remove(0);
    assert_eq!(json!(report.role), "transform");
    for role in ["gate", "observe"] {
        let verdict = said(
            &session(&format!("role = \"{role}\"")),
            "set risk 1",
            json!({}),
        )
        .await;
        match &verdict.runs[0].status {
            RunStatus::Failed { cause, message, .. } => {
                assert_eq!(*cause, Cause::BadOutput);
                assert!(message.contains("takes the role `transform`"), "{message}");
            }
            other => panic!("{other:?}"),
        }
        assert!(edits(&verdict).is_empty());
    }
}

#[tokio::test]
async fn an_audited_hook_changes_nothing_and_is_recorded() {
    let verdict = said(&session("mode = \"audit\""), "set risk 1", json!({})).await;
    assert_eq!(verdict.runs[0].outcome(), Some(OutcomeKind::Continue));
    assert_eq!(verdict.runs[0].contributed.len(), 1);
    assert!(edits(&verdict).is_empty());
}

#[test]
fn without_a_grant_it_does_not_load_and_a_wrong_entry_is_a_fault() {
    let grants = |line: &str| {
        let settings = format!("[hooks.editor.grants]\nevents = true\n{line}\n");
        let error = HooksDir::new()
            .with("editor")
            .settings(&settings)
            .try_load();
        error
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let text = grants("");
    assert!(
        text.contains("[hooks.editor.grants] agent-state-edit = [\"<key>\"]"),
        "{text}"
    );
    for (entry, fault) in [("", "is empty"), ("a*b", "has a `*` before its end")] {
        let text = grants(&format!("agent-state-edit = [\"{entry}\"]"));
        assert!(text.contains(fault), "{text}");
    }
}
