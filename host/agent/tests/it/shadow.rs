//! The effects that hooks in audit mode would have had.

use portcullis::contract::{AskRequest, StopKind, StopSignal};
use portcullis::hooks::Mode;
use portcullis::points::{PreStep, PreToolCall, PreTurn, pre_step, pre_tool_call, pre_turn};
use portcullis::verdict::{Effect, Failure};
use portcullis::{NativeHook, verdict};
use portcullis_agent::WouldHave;
use portcullis_store::{Journal, JournalRun, RunFilter, Store};

use crate::support::{bench, calls_echo, rejection, responses, text};

async fn runs(journal: &Journal) -> Vec<JournalRun> {
    journal.flush_async().await.unwrap();
    let journal = journal.clone();
    let all = tokio::task::spawn_blocking(move || journal.runs(&RunFilter::default()));
    all.await.unwrap().unwrap()
}

/// Returns hooks in audit mode with different answers.
fn audited() -> Vec<NativeHook> {
    let hook = |id: &str| NativeHook::new(id).mode(Mode::Audit);
    let hooks = [
        hook("answers").on::<PreTurn>(|_| Ok(pre_turn::Outcome::Answer(text("instead")))),
        hook("changes").on::<PreTurn>(|_| Ok(pre_turn::Outcome::Transform(text("else")))),
        hook("stops").on::<PreStep>(|_| {
            Ok(pre_step::Outcome::Stop(StopSignal {
                kind: StopKind::StepsLimit,
                message: "enough".into(),
            }))
        }),
        hook("refuses")
            .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Reject(rejection("no", "not this")))),
        hook("asks").on::<PreToolCall>(|_| {
            Ok(pre_tool_call::Outcome::Ask(AskRequest {
                question: "May it?".into(),
                details: None,
            }))
        }),
        hook("fails").on::<PreToolCall>(|_| {
            Err::<pre_tool_call::Outcome, _>(Failure::Guest("broken".into()))
        }),
        hook("invalid")
            .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Transform("not JSON".into()))),
    ];
    let places = (1..).map(|n| n * 10);
    hooks
        .into_iter()
        .zip(places)
        .map(|(hook, at)| hook.priority(at))
        .collect()
}

/// Returns the recorded runs, by hook name, and the tool's trail.
async fn recorded(keeps_values: bool) -> (impl Fn(&str) -> JournalRun, Vec<String>) {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let kept = journal.clone().keeping_values(keeps_values);
    let script = responses(&[&calls_echo("x"), r#"{"text": "done"}"#]);
    let bench = bench(&script, |builder, _| {
        let last = NativeHook::new("last")
            .priority(500)
            .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Continue));
        builder
            .journal(kept)
            .native(audited().into_iter().chain([last]))
    });
    let end = bench.session().await.turn("go").await.unwrap();
    assert_eq!(end.done().unwrap().text(), "done");
    let runs = runs(&journal).await;
    let of = move |hook: &str| {
        runs.iter()
            .find(|run| run.row.hook == hook)
            .unwrap()
            .clone()
    };
    (of, bench.trail.take())
}

#[tokio::test]
async fn what_would_have_followed_is_recorded_and_nothing_follows() {
    let (of, did) = recorded(true).await;
    assert_eq!(did, ["echo runs: x"]);
    let would = |hook: &str| {
        of(hook)
            .end
            .would
            .unwrap_or_else(|| panic!("{:#?}", of(hook)))
    };
    let plain = |effect| WouldHave {
        effect,
        message: None,
        answer: None,
        before: None,
        after: None,
        changes: None,
        not_run: Vec::new(),
    };
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();

    let answers = would("answers");
    assert_eq!(
        (answers.effect, &*answers.not_run),
        (Effect::Answered, &["changes".to_owned()][..])
    );
    assert!(
        answers
            .answer
            .is_some_and(|answer| answer.contains("instead"))
    );
    let changes = would("changes");
    assert!(
        changes.before.is_some() && changes.before != changes.after,
        "{changes:?}"
    );
    let fields = changes.changes.unwrap();
    assert!(
        fields
            .iter()
            .any(|field| field.before.as_deref() == Some("go")),
        "{fields:?}"
    );
    assert!(
        fields
            .iter()
            .any(|field| field.after.as_deref() == Some("else")),
        "{fields:?}"
    );
    assert_eq!(
        would("stops"),
        WouldHave {
            message: Some("enough".into()),
            ..plain(Effect::Stopped)
        }
    );
    let refuses = of("refuses");
    assert_eq!(refuses.end.code.as_deref(), Some("no"));
    assert_eq!(refuses.end.message.as_deref(), Some("not this"));
    let behind: Vec<String> = names(&["asks", "fails", "invalid", "last"]);
    assert_eq!(
        would("refuses"),
        WouldHave {
            not_run: behind,
            ..plain(Effect::Refused)
        }
    );
    assert_eq!(
        would("refuses").at("pre-tool-call"),
        Some("the tool would not have run, and the model would have been told why")
    );
    assert_eq!(
        would("asks"),
        WouldHave {
            message: Some("May it?".into()),
            ..plain(Effect::Asked)
        }
    );
    let failed = |not_run: &[&str]| WouldHave {
        not_run: names(not_run),
        ..plain(Effect::Failed)
    };
    assert_eq!(would("fails"), failed(&["invalid", "last"]));
    assert!(!of("fails").end.fatal);
    // An invalid change would also have failed.
    assert_eq!(
        of("invalid").end.cause.as_deref(),
        Some(verdict::Cause::BadOutput.code())
    );
    assert_eq!(would("invalid"), failed(&["last"]));
    assert_eq!(of("last").end.would, None);
}

#[tokio::test]
async fn a_journal_without_values_has_digests_of_what_would_have_changed() {
    let (of, _) = recorded(false).await;
    let changes = of("changes").end.would.unwrap();
    assert!(
        changes.before.is_some() && changes.changes.is_none(),
        "{changes:?}"
    );
    assert_eq!(of("answers").end.would.unwrap().answer, None);
}
