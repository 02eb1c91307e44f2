//! Data that a journal contains only if it keeps values.

use std::sync::Arc;

use portcullis::NativeHook;
use portcullis::approval::ApprovalDecision;
use portcullis::contract::{AskRequest, ContextItem, ContributionKind};
use portcullis::hooks::Mode;
use portcullis::points::{PreToolCall, PromptContext, pre_tool_call, prompt_context};
use portcullis::verdict::Approval;
use portcullis_agent::{FieldChange, JournalEvent, NewSession};
use portcullis_store::{JournalRun, Store};

use super::{of, runs};
use crate::support::{Says, bench, calls_echo, responses};

async fn recorded(keeps_values: bool) -> (Vec<JournalEvent>, Vec<JournalRun>) {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let to = journal.clone().keeping_values(keeps_values);
    let script = responses(&[&calls_echo("the text"), r#"{"text": "done"}"#]);
    let bench = bench(&script, |builder, _| {
        builder
            .journal(to)
            .native([NativeHook::new("shouts").on::<PreToolCall>(|_| {
                let changed = r#"{"text": "THE TEXT"}"#;
                Ok(pre_tool_call::Outcome::Transform(changed.into()))
            })])
    });
    let mut session = bench.session().await;
    session.turn("say it").await.unwrap();
    let (id, runs) = (session.id().to_owned(), runs(&journal).await);
    session.close().await;
    let read = tokio::task::spawn_blocking(move || journal.events(&id));
    let events = read.await.unwrap().unwrap();
    (
        events.into_iter().map(|event| event.row.event).collect(),
        runs,
    )
}

#[tokio::test]
async fn events_have_content_only_where_the_journal_keeps_values() {
    for keeps in [false, true] {
        let (events, runs) = recorded(keeps).await;
        let json = serde_json::to_string(&events).unwrap();
        let names: Vec<String> = serde_json::from_str::<Vec<serde_json::Value>>(&json)
            .unwrap()
            .iter()
            .map(|event| event["event"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(
            names,
            [
                "session-opened",
                "turn-began",
                "model-called",
                "tool-started",
                "tool-finished",
                "model-called",
                "turn-ended",
                "session-ended",
            ]
        );
        for content in ["say it", "done", "THE TEXT"] {
            assert_eq!(json.contains(content), keeps, "{content}: {json}");
        }
        let [run] = of(&runs, "shouts")[..] else {
            panic!("{runs:#?}");
        };
        assert!(run.end.before.is_some() && run.row.call_id.is_some());
        assert_eq!(run.row.input, run.end.before, "{run:#?}");
        assert_eq!(run.end.changes.is_some(), keeps, "{run:#?}");
    }
}

#[tokio::test]
async fn a_persons_change_is_recorded_with_its_fields_only_where_the_journal_keeps_values() {
    for keeps in [false, true] {
        let journal = Store::temporary().unwrap().journal().unwrap();
        let to = journal.clone().keeping_values(keeps);
        let script = responses(&[&calls_echo("rm"), r#"{"text": "done"}"#]);
        let bench = bench(&script, |builder, _| {
            let asks = NativeHook::new("asks").on::<PreToolCall>(|_| {
                Ok(pre_tool_call::Outcome::Ask(AskRequest {
                    question: "May it?".into(),
                    details: None,
                }))
            });
            builder.journal(to).native([asks])
        });
        let edit = ApprovalDecision::Edit(r#"{"text": "ls"}"#.into());
        let new = NewSession {
            approver: Arc::new(Says(edit)),
            ..NewSession::default()
        };
        let mut session = bench.agent.session(new).await.unwrap();
        session.turn("go").await.unwrap();
        assert_eq!(bench.trail.take(), ["echo runs: ls"]);
        let id = session.id().to_owned();
        session.close().await;
        journal.flush_async().await.unwrap();
        let read = tokio::task::spawn_blocking(move || journal.events(&id));
        let events = read.await.unwrap().unwrap().into_iter();
        let events: Vec<JournalEvent> = events
            .map(|event| event.row.event)
            .filter(|event| matches!(event, JournalEvent::Decided { .. }))
            .collect();
        let [
            JournalEvent::Decided {
                hook,
                approval,
                before,
                after,
                changes,
                ..
            },
        ] = events.as_slice()
        else {
            panic!("{events:#?}");
        };
        assert_eq!((hook.as_str(), *approval), ("asks", Approval::Changed));
        assert!(before.is_some() && after.is_some() && before != after);
        let field = FieldChange {
            path: "/text".into(),
            before: Some("rm".into()),
            after: Some("ls".into()),
        };
        assert_eq!(*changes, keeps.then(|| vec![field]));
    }
}

#[tokio::test]
async fn a_contribution_is_a_digest_and_has_its_fields_only_where_the_journal_keeps_values() {
    for keeps in [false, true] {
        let journal = Store::temporary().unwrap().journal().unwrap();
        let to = journal.clone().keeping_values(keeps);
        let bench = bench(&responses(&[r#"{"text": "done"}"#]), |builder, _| {
            let adds = |id: &str| {
                NativeHook::new(id)
                    .contributes([ContributionKind::Context])
                    .on::<PromptContext>(|_| {
                        let item = |data: Option<&str>| {
                            prompt_context::Contribution::Context(ContextItem {
                                kind: "fact".into(),
                                text: "Water is wet.".into(),
                                data: data.map(str::to_owned),
                            })
                        };
                        let items = vec![item(None), item(Some("{}"))];
                        Ok(prompt_context::Outcome::Contribute(items))
                    })
            };
            builder
                .journal(to)
                .native([adds("adds"), adds("audited").mode(Mode::Audit)])
        });
        bench.session().await.turn("go").await.unwrap();
        let runs = runs(&journal).await;
        let field = |path: &str, text: &str| FieldChange {
            path: path.into(),
            before: None,
            after: Some(text.into()),
        };
        let expected = [
            field("/0/context/kind", "fact"),
            field("/0/context/text", "Water is wet."),
            field("/1/context/data", "{}"),
            field("/1/context/kind", "fact"),
            field("/1/context/text", "Water is wet."),
        ];
        for hook in ["adds", "audited"] {
            let [run] = of(&runs, hook)[..] else {
                panic!("{runs:#?}");
            };
            assert_eq!(run.end.contributions.len(), 2, "{run:#?}");
            let mut added = run.end.added.clone();
            if let Some(added) = &mut added {
                added.sort_by(|one, other| one.path.cmp(&other.path));
            }
            assert_eq!(added.as_deref(), keeps.then_some(&expected[..]));
            assert_eq!(run.end.changes, None, "a contribution changes nothing");
        }
    }
}
