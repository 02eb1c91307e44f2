//! A person's decisions on waiting calls.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::ApprovalDecision;
use portcullis::points::TurnSuspended;
use portcullis::verdict::Failure;
use portcullis_agent::{
    AgentConfig, Answerer, CheckpointError, CheckpointStore, FieldChange, JournalEvent, NewSession,
    ResumeError, RulePolicy, SuspendReason, ToolOutput, ToolStrategy, Toolbox, TurnEnd, TurnError,
    Wanted,
};
use portcullis_store::Store;

use crate::support::{
    Does, Says, Trail, assert_whole, bench, hook, lines, quick, record_all, responses, toolbox_with,
};

use super::support::*;

#[tokio::test]
async fn a_deferred_decision_is_resumed_by_another_process() {
    for (says, expected, ran) in [
        (ApprovalDecision::Approve, "echo rm", "echo runs: rm"),
        (
            ApprovalDecision::Deny("too dangerous".into()),
            "too dangerous",
            "",
        ),
        (
            ApprovalDecision::Edit(r#"{"text":"ls"}"#.into()),
            "echo ls",
            "echo runs: ls",
        ),
        (
            ApprovalDecision::Edit(r#"{"text":1}"#.into()),
            "invalid-change",
            "",
        ),
    ] {
        let file = File::new();
        let (suspension, mut trail) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
        assert_eq!(suspension.reason, SuspendReason::Human);
        assert_eq!(suspension.pending[0].call_id, "c1");
        assert!(
            matches!(&suspension.pending[0].wants, Wanted::Decision { hook, request, .. }
                if hook == "ask" && request.question == "May it rm?")
        );
        assert_eq!(trail.last().unwrap(), "turn-suspended");

        let store = file.open();
        let info = store.list(None).await.unwrap().remove(0);
        assert_eq!((info.turn, info.reason.as_str()), (1, "human"));
        let bench = careful(&responses(&[&format!(
            r#"{{"expect": "{expected}", "text": "done"}}"#
        )]));
        let (mut session, ended) = bench
            .agent
            .resume(info.id.clone(), decision("c1", says), new(&store))
            .await
            .unwrap();
        let report = ended.unwrap().done().unwrap();
        assert_eq!(
            (report.turn, report.steps, report.text().as_str()),
            (1, 2, "done")
        );
        assert!(report.usage.input_tokens > 10, "both steps count");
        assert_eq!(session.usage(), report.usage);
        assert_eq!(session.id(), info.session);
        assert_whole(session.conversation());
        assert!(store.list(None).await.unwrap().is_empty());
        assert!(store.claimed(None).await.unwrap().is_empty());
        let again = bench
            .agent
            .resume(info.id, BTreeMap::new(), new(&store))
            .await;
        assert!(matches!(
            again,
            Err(ResumeError::Checkpoint(CheckpointError::Unknown(_)))
        ));

        let error = session.turn("more").await.unwrap_err();
        assert!(
            error.to_string().contains("run out"),
            "the session continues: {error}"
        );
        session.close().await;
        trail.extend(bench.trail.take());
        let count = |what: &str| trail.iter().filter(|w| *w == what).count();
        for (point, times) in [
            ("session-start", 1),
            // Every hook sees the person's changes.
            ("pre-tool-call", 1 + usize::from(ran.ends_with("ls"))),
            ("turn-suspended", 1),
            ("turn-resumed", 1),
            ("post-turn", 1),
            ("post-tool-call", usize::from(!ran.is_empty())),
            (ran, usize::from(!ran.is_empty())),
            ("session-end", 1),
            // Including the turn that found no more responses in the script.
            ("pre-turn", 2),
            ("pre-step", 3),
            ("post-step", 2),
        ] {
            assert_eq!(count(point), times, "{point} in {trail:?}");
        }
    }
}

#[tokio::test]
async fn a_change_is_recorded_by_the_process_that_applies_it() {
    let store = Store::temporary().unwrap();
    let (journal, checkpoints) = (store.journal().unwrap(), Arc::new(store.checkpoints()));
    let careful = |script: &str| {
        let to = journal.clone().keeping_values(true);
        bench(script, move |builder, _| {
            builder
                .journal(to)
                .prepare(|session| asks(session, "ask", "rm"))
        })
    };
    let first = careful(&responses(&[&calls(&[call("c1", "echo", "rm")])]));
    let mut session = first.agent.session(new(&checkpoints)).await.unwrap();
    suspended(session.turn("go").await);
    session.close().await;
    let info = checkpoints.list(None).await.unwrap().remove(0);
    let edit = ApprovalDecision::Edit(r#"{"text":"ls"}"#.into());
    let second = careful(&responses(&[r#"{"text": "done"}"#]));
    let (session, ended) = second
        .agent
        .resume(info.id, decision("c1", edit), new(&checkpoints))
        .await
        .unwrap();
    ended.unwrap().done().unwrap();
    session.close().await;
    assert_eq!(second.trail.take(), ["echo runs: ls"]);
    journal.flush_async().await.unwrap();
    let read = tokio::task::spawn_blocking(move || journal.events(&info.session));
    let events = read.await.unwrap().unwrap().into_iter();
    let decided: Vec<Option<Vec<FieldChange>>> = events
        .filter_map(|event| match event.row.event {
            JournalEvent::Decided { hook, changes, .. } if hook == "ask" => Some(changes),
            _ => None,
        })
        .collect();
    let field = FieldChange {
        path: "/text".into(),
        before: Some("rm".into()),
        after: Some("ls".into()),
    };
    assert_eq!(decided, [Some(vec![field])]);
}

#[tokio::test]
async fn only_the_asked_call_of_two_waits() {
    for (strategy, partial) in [
        (ToolStrategy::Parallel, true),
        (ToolStrategy::Sequential, false),
    ] {
        let file = File::new();
        let recorded = Trail::default();
        let make = |script: &str| {
            let recorded = recorded.clone();
            bench(script, move |builder, trail| {
                let trail = trail.clone();
                builder
                    .config(AgentConfig {
                        tool_strategy: strategy,
                        ..quick()
                    })
                    .prepare(move |session| {
                        asks(session, "ask", "rm");
                        let recorded = recorded.clone();
                        hook::<TurnSuspended, _>(session, "hears", move |call| {
                            recorded.add(format!(
                                "{} {:?}",
                                call.subject.partial, call.subject.pending
                            ));
                            Err(Failure::Guest("never fatal".into()))
                        });
                        record_all(session, &trail);
                    })
            })
        };
        let response = calls(&[call("c1", "echo", "rm"), call("c2", "other", "two")]);
        let first = make(&responses(&[&response]));
        let mut session = first.agent.session(new(&file.open())).await.unwrap();
        let suspension = suspended(session.turn("go").await);
        assert_eq!(recorded.take(), [format!("{partial} [\"c1\"]")]);
        assert_eq!(first.trail.count("other runs: two"), usize::from(partial));
        assert!(matches!(
            session.turn("more").await,
            Err(TurnError::Suspended)
        ));
        drop(session);

        let second = make(&responses(&[r#"{"text": "done"}"#]));
        let (session, ended) = second
            .agent
            .resume(
                suspension.checkpoint,
                decision("c1", ApprovalDecision::Approve),
                new(&file.open()),
            )
            .await
            .unwrap();
        assert_eq!(ended.unwrap().done().unwrap().text(), "done");
        assert_eq!(
            lines(&session)[2..],
            ["tool: echo rm", "tool: echo two", "assistant: done"]
        );
        assert_whole(session.conversation());
        assert_eq!(second.trail.count("other runs: two"), usize::from(!partial));
        assert_eq!(second.trail.count("post-tool-call"), 2);
        tokio::task::yield_now().await;
        assert_eq!(
            first.trail.count("session-end"),
            0,
            "a suspended session is not over"
        );
    }
}

#[tokio::test]
async fn calls_decided_together_run_in_parallel() {
    let file = File::new();
    let make = |script: &str| {
        let barrier = Arc::new(tokio::sync::Barrier::new(2));
        bench(script, move |builder, trail| {
            let meets = Does::tool("meet", move |_, _| {
                let barrier = barrier.clone();
                async move {
                    barrier.wait().await;
                    Ok(ToolOutput::ok("met"))
                }
            });
            builder
                .tools(toolbox_with(trail, [meets]))
                .config(AgentConfig {
                    tool_strategy: ToolStrategy::Parallel,
                    ..quick()
                })
                .prepare(|session| asks(session, "ask", "rm"))
        })
    };
    let response = calls(&[call("c1", "meet", "rm 1"), call("c2", "meet", "rm 2")]);
    let first = make(&responses(&[&response]));
    let mut session = first.agent.session(new(&file.open())).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    assert_eq!(suspension.pending.len(), 2);
    let second = make(&responses(&[r#"{"text": "done"}"#]));
    let mut yes = decision("c1", ApprovalDecision::Approve);
    yes.extend(decision("c2", ApprovalDecision::Approve));
    let resumed = second
        .agent
        .resume(suspension.checkpoint, yes, new(&file.open()));
    let (_, ended) = tokio::time::timeout(Duration::from_secs(10), resumed)
        .await
        .expect("they wait for each other")
        .unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
}

#[tokio::test]
async fn an_approval_is_of_the_call_that_was_shown_whatever_ids_the_model_gives() {
    for ids in [["x", "x"], ["", ""], ["a/b", "a_b"]] {
        let file = File::new();
        let make = |script: &str| {
            bench(script, |builder, _| {
                builder
                    .config(AgentConfig {
                        tool_strategy: ToolStrategy::Parallel,
                        ..quick()
                    })
                    .prepare(|session| asks(session, "ask", "rm"))
            })
        };
        let response = calls(&[call(ids[0], "echo", "rm 1"), call(ids[1], "echo", "rm 2")]);
        let first = make(&responses(&[&response]));
        let mut session = first.agent.session(new(&file.open())).await.unwrap();
        let suspension = suspended(session.turn("go").await);
        let shown: Vec<&str> = suspension
            .pending
            .iter()
            .map(|call| call.call_id.as_str())
            .collect();
        assert_eq!(shown.len(), 2, "{ids:?}");
        assert_ne!(shown[0], shown[1], "{ids:?}");
        assert!(
            !shown.iter().any(|id| id.is_empty() || id.contains('/')),
            "{shown:?}"
        );
        assert!(suspension.pending[1].arguments.contains("rm 2"));

        let second = make(&responses(&[r#"{"text": "done"}"#]));
        let yes = decision(shown[1], ApprovalDecision::Approve);
        let resumed = second
            .agent
            .resume(suspension.checkpoint.clone(), yes, new(&file.open()));
        let (_, ended) = resumed.await.unwrap();
        let again = suspended(ended);
        assert_eq!(second.trail.take(), ["echo runs: rm 2"], "{ids:?}");
        assert_eq!(again.pending.len(), 1);
        assert!(again.pending[0].arguments.contains("rm 1"));

        let third = make(&responses(&[r#"{"text": "done"}"#]));
        let no = decision(
            &again.pending[0].call_id,
            ApprovalDecision::Deny("no".into()),
        );
        let resumed = third.agent.resume(again.checkpoint, no, new(&file.open()));
        let (session, ended) = resumed.await.unwrap();
        assert_eq!(ended.unwrap().done().unwrap().text(), "done");
        assert_eq!(third.trail.count("echo runs: rm 1"), 0);
        assert_whole(session.conversation());
    }
}

#[tokio::test]
async fn a_second_hooks_question_comes_after_the_first() {
    let file = File::new();
    let make = |script: &str| {
        bench(script, |builder, _| {
            builder.prepare(|session| {
                asks(session, "first", "rm");
                asks(session, "second", "rm");
            })
        })
    };
    let first = make(&responses(&[&calls(&[call("c1", "echo", "rm")])]));
    let mut session = first.agent.session(new(&file.open())).await.unwrap();
    let one = suspended(session.turn("go").await);
    let second = make(&responses(&[r#"{"expect": "echo rm", "text": "done"}"#]));
    let mut asked = Vec::new();
    let mut ended = Ok(TurnEnd::Suspended(one));
    while let Ok(TurnEnd::Suspended(now)) = &ended {
        let Wanted::Decision { hook, .. } = &now.pending[0].wants else {
            panic!("{now:?}")
        };
        asked.push(hook.clone());
        let yes = decision("c1", ApprovalDecision::Approve);
        let resumed = second
            .agent
            .resume(now.checkpoint.clone(), yes, new(&file.open()));
        ended = resumed.await.unwrap().1;
    }
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
    assert_eq!(asked, ["first", "second"]);
}

#[tokio::test]
async fn the_policy_is_asked_again() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    let bench = bench(
        &responses(&[r#"{"expect": "deny list", "text": "done"}"#]),
        |builder, _| {
            builder
                .policy(Arc::new(RulePolicy {
                    deny: vec!["echo".into()],
                    ..RulePolicy::default()
                }))
                .prepare(|session| asks(session, "ask", "rm"))
        },
    );
    let yes = decision("c1", ApprovalDecision::Approve);
    let (_, ended) = bench
        .agent
        .resume(suspension.checkpoint, yes, new(&file.open()))
        .await
        .unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
    assert_eq!(bench.trail.count("echo runs: rm"), 0);
}

#[tokio::test]
async fn an_agent_without_the_tool_of_an_approved_call_leaves_its_turn_suspended() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    let bench = bench(&responses(&[r#"{"text": "done"}"#]), |builder, _| {
        builder.tools(Arc::new(Toolbox::new()))
    });
    let store = file.open();
    let yes = decision("c1", ApprovalDecision::Approve);
    let approved = bench
        .agent
        .resume(suspension.checkpoint.clone(), yes, new(&store));
    assert!(matches!(
        approved.await,
        Err(ResumeError::NoTool { tool, .. }) if tool == "echo"
    ));
    let no = decision("c1", ApprovalDecision::Deny("no".into()));
    let denied = bench.agent.resume(suspension.checkpoint, no, new(&store));
    let (_, ended) = denied.await.unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
}

#[tokio::test]
async fn without_checkpoints_a_deferred_decision_denies() {
    let bench = careful(&responses(&[
        &calls(&[call("c1", "echo", "rm")]),
        r#"{"expect": "the session has no checkpoints", "text": "ok"}"#,
    ]));
    let new = NewSession {
        approver: Arc::new(Says(ApprovalDecision::Defer)),
        ..NewSession::default()
    };
    let mut session = bench.agent.session(new).await.unwrap();
    assert_eq!(
        session.turn("go").await.unwrap().done().unwrap().text(),
        "ok"
    );
    assert_eq!(bench.trail.count("echo runs: rm"), 0);
    assert_eq!(bench.trail.count("turn-suspended"), 0);
}

#[tokio::test]
async fn what_was_recorded_of_a_call_is_used_when_its_turn_is_resumed() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    // Another process records the answer.
    let yes = decision("c1", ApprovalDecision::Approve);
    let recorder = file.open();
    let by = Answerer::new("anna");
    let recorded = recorder.resolve(&suspension.checkpoint, yes, by).await;
    recorded.unwrap();

    let store = file.open();
    let bench = careful(&responses(&[r#"{"expect": "echo rm", "text": "done"}"#]));
    let resumed = bench
        .agent
        .resume(suspension.checkpoint, BTreeMap::new(), new(&store));
    let (_, ended) = resumed.await.unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
}
