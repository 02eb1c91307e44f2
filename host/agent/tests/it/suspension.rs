//! Turns that are suspended and resumed elsewhere.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use portcullis::Session;
use portcullis::approval::ApprovalDecision;
use portcullis::contract::AskRequest;
use portcullis::points::{PreToolCall, TurnSuspended, pre_tool_call};
use portcullis::verdict::Failure;
use portcullis_agent::{
    Agent, AgentBuilder, AgentConfig, AgentEvent, Checkpoint, CheckpointError, CheckpointId,
    CheckpointInfo, CheckpointStore, EventSender, NewCheckpoint, NewSession, Resolution,
    ResumeError, RulePolicy, Script, SessionError, SuspendReason, Suspension, ToolOutput,
    ToolStrategy, TurnEnd, TurnError, Wanted, discard_suspended,
};
use portcullis_store::{Checkpoints, Store, StoreOptions, StoreUrl};

use crate::support::{
    Bench, Does, Says, Trail, assert_whole, bench, hook, lines, quick, record_all, responses, spec,
    toolbox, toolbox_with,
};

fn new(store: &Arc<Checkpoints>) -> NewSession {
    NewSession {
        approver: Arc::new(Says(ApprovalDecision::Defer)),
        checkpoints: Some(store.clone()),
        ..NewSession::default()
    }
}

/// Asks about calls of `echo` with this text.
fn asks(session: &mut Session, id: &str, about: &'static str) {
    hook::<PreToolCall, _>(session, id, move |call| {
        Ok(if call.views.tool_arguments.contains(about) {
            pre_tool_call::Outcome::Ask(AskRequest {
                question: format!("May it {about}?"),
                details: None,
            })
        } else {
            pre_tool_call::Outcome::Continue
        })
    });
}

fn decision(id: &str, says: ApprovalDecision) -> BTreeMap<String, Resolution> {
    BTreeMap::from([(id.to_owned(), Resolution::Decision(says))])
}

fn given(id: &str, content: &str) -> BTreeMap<String, Resolution> {
    BTreeMap::from([(id.to_owned(), Resolution::result(content))])
}

fn call(id: &str, name: &str, text: &str) -> String {
    format!(r#"{{"id": "{id}", "name": "{name}", "arguments": {{"text": "{text}"}}}}"#)
}

fn calls(calls: &[String]) -> String {
    format!(
        r#"{{"text": "Let me.", "tool_calls": [{}], "usage": {{"input_tokens": 10, "output_tokens": 1}}}}"#,
        calls.join(",")
    )
}

/// A checkpoint file that several processes use.
struct File {
    _dir: tempfile::TempDir,
    path: std::path::PathBuf,
}

impl File {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("store.sqlite");
        Self { _dir: dir, path }
    }

    fn open(&self) -> Arc<Checkpoints> {
        let url = StoreUrl::sqlite(&self.path);
        let store = Store::open_blocking(url, StoreOptions::default()).unwrap();
        Arc::new(store.checkpoints())
    }
}

fn suspended(ended: Result<TurnEnd, TurnError>) -> Suspension {
    match ended.unwrap() {
        TurnEnd::Suspended(suspension) => suspension,
        TurnEnd::Done(report) => panic!("it is done: {report:?}"),
    }
}

/// An agent that asks about `rm`, opened again in each process.
fn careful(script: &str) -> Bench {
    bench(script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            asks(session, "ask", "rm");
            record_all(session, &trail);
        })
    })
}

async fn suspend(file: &File, response: &str) -> (Suspension, Vec<String>) {
    let bench = careful(&responses(&[response]));
    let mut session = bench.agent.session(new(&file.open())).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    session.close().await;
    (suspension, bench.trail.take())
}

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
            matches!(&suspension.pending[0].wants, Wanted::Decision { hook, request }
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
        assert!(store.claimed().await.unwrap().is_empty());
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
            // Including the turn that found the script empty.
            ("pre-turn", 2),
            ("pre-step", 3),
            ("post-step", 2),
        ] {
            assert_eq!(count(point), times, "{point} in {trail:?}");
        }
    }
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
async fn a_client_runs_its_tools() {
    let file = File::new();
    let make = |script: &str| {
        bench(script, |builder, trail| {
            let trail = trail.clone();
            builder
                .client_tool(spec("browser"))
                .prepare(move |session| record_all(session, &trail))
        })
    };
    let response = calls(&[call("c1", "browser", "a page")]);
    let first = make(&responses(&[&response]));
    let mut session = first.agent.session(new(&file.open())).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    assert_eq!(suspension.reason, SuspendReason::ClientTool);
    assert_eq!(suspension.pending[0].wants, Wanted::Result);
    assert_eq!(suspension.pending[0].arguments, r#"{"text":"a page"}"#);

    let second = make(&responses(&[r#"{"expect": "the page", "text": "done"}"#]));
    let (session, ended) = second
        .agent
        .resume(
            suspension.checkpoint,
            given("c1", "the page"),
            new(&file.open()),
        )
        .await
        .unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
    assert_eq!(second.trail.count("post-tool-call"), 1);
    assert_eq!(
        second.trail.count("pre-tool-call"),
        0,
        "it was asked before"
    );
    assert_whole(session.conversation());

    // Without checkpoints the model gets a reason.
    let third = make(&responses(&[
        &response,
        r#"{"expect": "has no checkpoints to wait in", "text": "ok"}"#,
    ]));
    let mut session = third.session().await;
    assert_eq!(
        session.turn("go").await.unwrap().done().unwrap().text(),
        "ok"
    );
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
async fn invalid_resolutions_leave_the_checkpoint_waiting() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    let store = file.open();
    let id = suspension.checkpoint;
    let bench = careful(&responses(&[r#"{"text": "done"}"#]));
    for (resolutions, why) in [
        (
            decision("c9", ApprovalDecision::Approve),
            "no call `c9` waits",
        ),
        (given("c1", "x"), "waits for a decision"),
    ] {
        let error = bench
            .agent
            .resume(id.clone(), resolutions, new(&store))
            .await;
        assert!(
            error.as_ref().unwrap_err().to_string().contains(why),
            "{error:?}"
        );
        assert_eq!(store.list(None).await.unwrap().len(), 1, "{why}");
    }
    let cancelled = new(&store);
    cancelled.cancel.cancel();
    let error = bench
        .agent
        .resume(id.clone(), BTreeMap::new(), cancelled)
        .await;
    assert!(matches!(error, Err(ResumeError::Cancelled)));
    let nowhere = bench
        .agent
        .resume(id.clone(), BTreeMap::new(), NewSession::default());
    assert!(matches!(nowhere.await, Err(ResumeError::NoStore)));
    let other = self::bench(r#"{"responses": []}"#, |builder, _| {
        builder.config(AgentConfig {
            name: "other".into(),
            ..quick()
        })
    });
    let error = other
        .agent
        .resume(id.clone(), BTreeMap::new(), new(&store))
        .await;
    assert!(
        matches!(error, Err(ResumeError::OtherAgent { .. })),
        "{error:?}"
    );
    assert_eq!(store.list(None).await.unwrap().len(), 1);

    // Without a resolution it is suspended again, in a new checkpoint.
    let (_, ended) = bench
        .agent
        .resume(id.clone(), BTreeMap::new(), new(&store))
        .await
        .unwrap();
    let again = suspended(ended);
    assert_ne!(again.checkpoint, id);
    assert_eq!(again.pending, suspension.pending);
    let waiting: Vec<_> = store
        .list(None)
        .await
        .unwrap()
        .into_iter()
        .map(|c| c.id)
        .collect();
    assert_eq!(waiting, [again.checkpoint]);
    assert!(store.claimed().await.unwrap().is_empty());
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
async fn state_steering_and_time_survive() {
    let file = File::new();
    let script = responses(&[
        &calls(&[call("c1", "count", "a")]),
        &calls(&[call("c2", "count", "rm")]),
    ]);
    let first = counting(&script);
    let mut session = first.agent.session(new(&file.open())).await.unwrap();
    let steering = session.steering();
    let suspension = {
        let turn = session.turn("go");
        let suspension = suspended(turn.await);
        steering.say("said to the session that was left");
        suspension
    };
    assert_eq!(session.state()["n"], 1);
    tokio::time::sleep(Duration::from_millis(30)).await;
    let second = counting(&responses(&[r#"{"text": "done"}"#]));
    let yes = decision("c2", ApprovalDecision::Approve);
    let again = NewSession {
        steering,
        ..new(&file.open())
    };
    let (session, ended) = second
        .agent
        .resume(suspension.checkpoint, yes, again)
        .await
        .unwrap();
    let report = ended.unwrap().done().unwrap();
    assert_eq!((report.steps, session.state()["n"].as_u64()), (3, Some(2)));
    assert!(report.elapsed < Duration::from_secs(5));
    assert_eq!(
        lines(&session)[4..],
        [
            "tool: 2",
            "user: said to the session that was left",
            "assistant: done"
        ]
    );
}

#[tokio::test]
async fn unread_steering_is_read_when_the_turn_is_resumed() {
    let file = File::new();
    let (first, steers) = steered_while_asked(&responses(&[&calls(&[call("c1", "echo", "rm")])]));
    let mut session = first.agent.session(new(&file.open())).await.unwrap();
    steers.set(session.steering()).unwrap();
    let suspension = suspended(session.turn("go").await);
    assert!(!session.steering().is_waiting(), "it is in the checkpoint");
    let (second, _) = steered_while_asked(&responses(&[r#"{"expect": "hurry", "text": "done"}"#]));
    let yes = decision("c1", ApprovalDecision::Approve);
    let resumed = second
        .agent
        .resume(suspension.checkpoint, yes, new(&file.open()));
    let (session, ended) = resumed.await.unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
    let said = lines(&session)
        .into_iter()
        .filter(|line| line == "user: hurry");
    assert_eq!(said.count(), 1);
}

type Steers = Arc<std::sync::OnceLock<portcullis_agent::Steering>>;

/// An agent whose user speaks while a hook asks.
fn steered_while_asked(script: &str) -> (Bench, Steers) {
    let steers = Steers::default();
    let says = steers.clone();
    let bench = bench(script, |builder, _| {
        builder.prepare(move |session| {
            let says = says.clone();
            hook::<PreToolCall, _>(session, "a-says", move |_| {
                if let Some(steering) = says.get() {
                    steering.say("hurry");
                }
                Ok(pre_tool_call::Outcome::Continue)
            });
            asks(session, "ask", "rm");
        })
    });
    (bench, steers)
}

#[tokio::test]
async fn a_resumed_turn_that_is_cancelled_or_dropped_is_over() {
    for dropped in [false, true] {
        let file = File::new();
        let hangs = calls(&[call("c1", "echo", "rm"), call("c2", "echo", "hang")]);
        let (suspension, _) = suspend(&file, &hangs).await;
        let store = file.open();
        let bench = careful(&responses(&[r#"{"text": "fresh"}"#]));
        let session = new(&store);
        let cancel = session.cancel.clone();
        let yes = decision("c1", ApprovalDecision::Approve);
        let resumed = bench
            .agent
            .resume(suspension.checkpoint.clone(), yes, session);
        if dropped {
            let timeout = tokio::time::timeout(Duration::from_millis(100), resumed).await;
            assert!(timeout.is_err());
            while !store.claimed().await.unwrap().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        } else {
            let canceller = async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                cancel.cancel();
            };
            let (resumed, ()) = tokio::join!(resumed, canceller);
            let (session, ended) = resumed.unwrap();
            assert!(matches!(ended, Err(TurnError::Cancelled)));
            assert!(lines(&session).is_empty(), "the whole turn is taken back");
        }
        assert!(store.list(None).await.unwrap().is_empty());
        assert!(store.claimed().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_turn_that_a_dead_process_resumed_can_be_released_and_resumed() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    // A process claims it and dies.
    file.open().claim(&suspension.checkpoint).await.unwrap();

    let store = file.open();
    let bench = careful(&responses(&[r#"{"expect": "echo rm", "text": "done"}"#]));
    let yes = || decision("c1", ApprovalDecision::Approve);
    let refused = bench
        .agent
        .resume(suspension.checkpoint.clone(), yes(), new(&store))
        .await;
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("release the checkpoint"), "{why}");
    let held = store.claimed().await.unwrap().remove(0);
    assert_eq!((&held.id, held.turn), (&suspension.checkpoint, 1));
    assert!(held.claim.is_some());
    store.release(&held.id).await.unwrap();
    let (_, ended) = bench
        .agent
        .resume(held.id, yes(), new(&store))
        .await
        .unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
}

#[tokio::test]
async fn what_was_recorded_of_a_call_is_used_when_its_turn_is_resumed() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    // Another process records it.
    let yes = decision("c1", ApprovalDecision::Approve);
    let recorder = file.open();
    recorder.resolve(&suspension.checkpoint, yes).await.unwrap();

    let store = file.open();
    let bench = careful(&responses(&[r#"{"expect": "echo rm", "text": "done"}"#]));
    let resumed = bench
        .agent
        .resume(suspension.checkpoint, BTreeMap::new(), new(&store));
    let (_, ended) = resumed.await.unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
}

/// A store that is slow, or cannot save.
struct Slow(Arc<Checkpoints>, bool);

#[async_trait]
impl CheckpointStore for Slow {
    async fn save(&self, new: NewCheckpoint) -> Result<CheckpointId, CheckpointError> {
        if self.1 {
            return Err(CheckpointError::Store("the disk is full".into()));
        }
        let saved = self.0.save(new).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        saved
    }
    async fn claim(&self, id: &CheckpointId) -> Result<Checkpoint, CheckpointError> {
        let claimed = self.0.claim(id).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        claimed
    }
    async fn release(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        self.0.release(id).await
    }
    async fn resolve(
        &self,
        id: &CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Result<(), CheckpointError> {
        self.0.resolve(id, resolutions).await
    }
    async fn get(&self, id: &CheckpointId) -> Result<CheckpointInfo, CheckpointError> {
        self.0.get(id).await
    }
    async fn list(&self, of: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        self.0.list(of).await
    }
    async fn claimed(&self) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        self.0.claimed().await
    }
    async fn discard(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        self.0.discard(id).await
    }
}

#[tokio::test]
async fn a_turn_never_runs_both_here_and_from_its_checkpoint() {
    let store = Arc::new(Store::temporary().unwrap().checkpoints());
    let bench = careful(&responses(&[&calls(&[call("c1", "echo", "rm")])]));
    let slow = NewSession {
        checkpoints: Some(Arc::new(Slow(store.clone(), false))),
        ..new(&store)
    };
    let cancel = slow.cancel.clone();
    let mut session = bench.agent.session(slow).await.unwrap();
    let canceller = async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(session.turn("go"), canceller);
    let suspension = suspended(ended);
    assert_eq!(bench.trail.count("turn-suspended"), 1);
    assert_eq!(store.list(None).await.unwrap()[0].id, suspension.checkpoint);
}

#[tokio::test]
async fn a_turn_that_cannot_be_saved_fails() {
    let store = Arc::new(Store::temporary().unwrap().checkpoints());
    let bench = careful(&responses(&[
        &calls(&[call("c1", "echo", "rm")]),
        r#"{"text": "fresh"}"#,
    ]));
    let full = NewSession {
        checkpoints: Some(Arc::new(Slow(store.clone(), true))),
        ..new(&store)
    };
    let mut session = bench.agent.session(full).await.unwrap();
    let error = session.turn("go").await.unwrap_err();
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(bench.trail.count("turn-error"), 1);
    session.turn("again").await.unwrap();
    assert_eq!(lines(&session), ["user: again", "assistant: fresh"]);
}

/// A parent whose sub-agent `helper` has a hook that asks about `rm`.
fn family(parent: &str, child: &str) -> (Bench, Trail) {
    let of_child = Trail::default();
    let trail = of_child.clone();
    let script = Script::parse(child).unwrap();
    let events = EventSender::new();
    let bench = bench(parent, |builder: AgentBuilder, parents| {
        let parents = parents.clone();
        let child = Agent::builder()
            .providers(script.providers())
            .tools(toolbox(&trail))
            .events(events)
            .config(AgentConfig {
                name: "helper".into(),
                ..quick()
            })
            .prepare(|session| asks(session, "ask", "rm"))
            .build()
            .unwrap();
        builder
            .subagent("helper", "Helps.", child)
            .config(AgentConfig {
                tool_strategy: ToolStrategy::Parallel,
                ..quick()
            })
            .prepare(move |session| record_all(session, &parents))
    });
    (bench, of_child)
}

#[tokio::test]
async fn a_sub_agent_is_resumed_through_its_parent() {
    let file = File::new();
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (first, _) = family(
        &responses(&[&calls(&[asks_helper.into()])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let store = file.open();
    let mut session = first.agent.session(new(&store)).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    assert_eq!(suspension.reason, SuspendReason::Children);
    assert_eq!(suspension.pending[0].call_id, "p/c1");
    session.close().await;
    let of_child = store.list(None).await.unwrap().remove(0);
    assert_eq!(of_child.agent, "helper");

    let (second, echoed) = family(
        &responses(&[r#"{"expect": "cleaned", "text": "done"}"#]),
        &responses(&[r#"{"expect": "echo rm", "text": "cleaned"}"#]),
    );
    let helper = self::bench(r#"{"responses": []}"#, |builder, _| {
        builder.config(AgentConfig {
            name: "helper".into(),
            ..quick()
        })
    });
    let alone = helper
        .agent
        .resume(of_child.id, BTreeMap::new(), new(&store))
        .await;
    assert!(
        matches!(alone, Err(ResumeError::OfSubagent { .. })),
        "{alone:?}"
    );

    let yes = decision("p/c1", ApprovalDecision::Approve);
    let (session, ended) = second
        .agent
        .resume(suspension.checkpoint, yes, new(&store))
        .await
        .unwrap();
    let report = ended.unwrap().done().unwrap();
    assert_eq!(report.text(), "done");
    assert_eq!(echoed.count("echo runs: rm"), 1);
    assert_eq!(lines(&session)[2], "tool: cleaned");
    assert!(store.list(None).await.unwrap().is_empty());
    assert!(store.claimed().await.unwrap().is_empty());
    let mut trail = first.trail.take();
    session.close().await;
    trail.extend(second.trail.take());
    let count = |what: &str| trail.iter().filter(|w| *w == what).count();
    for (point, times) in [
        ("session-start", 2),
        ("session-end", 2),
        ("pre-turn", 2),
        ("post-turn", 2),
        ("turn-suspended", 2),
        ("turn-resumed", 2),
        ("pre-subagent", 1),
        ("post-subagent", 1),
    ] {
        assert_eq!(count(point), times, "{point} in {trail:?}");
    }
}

#[tokio::test]
async fn children_of_a_turn_that_is_over_are_discarded() {
    let store = Arc::new(Store::temporary().unwrap().checkpoints());
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (mut bench, _) = family(
        &responses(&[&calls(&[asks_helper.into(), call("h", "echo", "hang")])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let session = new(&store);
    let cancel = session.cancel.clone();
    let mut session = bench.agent.session(session).await.unwrap();
    let canceller = async {
        while store.list(None).await.unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(session.turn("go"), canceller);
    assert!(matches!(ended, Err(TurnError::Cancelled)), "{ended:?}");
    assert!(store.list(None).await.unwrap().is_empty());
    assert!(store.claimed().await.unwrap().is_empty());
    let events = bench.events_so_far();
    assert!(
        events
            .iter()
            .any(|event| matches!(event, AgentEvent::TurnSuspended { .. }))
    );
}

#[tokio::test]
async fn a_suspended_turn_is_discarded_with_its_sub_agents() {
    let store = Arc::new(Store::temporary().unwrap().checkpoints());
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (bench, _) = family(
        &responses(&[&calls(&[asks_helper.into()])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let mut session = bench.agent.session(new(&store)).await.unwrap();
    let suspension = session.turn("go").await.unwrap().done().unwrap_err();
    let waiting = store.list(None).await.unwrap();
    let of_subagents: Vec<bool> = waiting.iter().map(|info| info.of_subagent).collect();
    assert_eq!(of_subagents, [true, false]);
    // Also if a process that died has claimed it.
    store.claim(&suspension.checkpoint).await.unwrap();
    discard_suspended(&*store, &suspension.checkpoint)
        .await
        .unwrap();
    assert!(store.list(None).await.unwrap().is_empty());
    assert!(store.claimed().await.unwrap().is_empty());
    let again = discard_suspended(&*store, &suspension.checkpoint).await;
    assert!(matches!(again, Err(CheckpointError::Unknown(_))));
}

#[tokio::test]
async fn a_resume_dropped_before_it_started_leaves_the_checkpoint_waiting() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    let store = file.open();
    let bench = careful(&responses(&[r#"{"text": "done"}"#]));
    let slow = NewSession {
        checkpoints: Some(Arc::new(Slow(store.clone(), false))),
        ..new(&store)
    };
    let yes = decision("c1", ApprovalDecision::Approve);
    let resumed = bench.agent.resume(suspension.checkpoint, yes, slow);
    let dropped = tokio::time::timeout(Duration::from_millis(20), resumed).await;
    assert!(dropped.is_err());
    tokio::time::timeout(Duration::from_secs(10), async {
        while store.list(None).await.unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("it waits again");
    assert!(store.claimed().await.unwrap().is_empty());
    assert!(bench.trail.take().is_empty());
}

#[tokio::test]
async fn a_child_is_resumed_again_with_its_parent() {
    let file = File::new();
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (first, _) = family(
        &responses(&[&calls(&[asks_helper.into()])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let store = file.open();
    let mut session = first.agent.session(new(&store)).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    // A process resumes both, and dies.
    for info in store.list(None).await.unwrap() {
        store.claim(&info.id).await.unwrap();
    }
    store.release(&suspension.checkpoint).await.unwrap();
    let (second, _) = family(
        &responses(&[r#"{"expect": "cleaned", "text": "done"}"#]),
        &responses(&[r#"{"expect": "echo rm", "text": "cleaned"}"#]),
    );
    let yes = decision("p/c1", ApprovalDecision::Approve);
    let resumed = second.agent.resume(suspension.checkpoint, yes, new(&store));
    assert_eq!(
        resumed.await.unwrap().1.unwrap().done().unwrap().text(),
        "done"
    );
    assert!(store.list(None).await.unwrap().is_empty());
    assert!(store.claimed().await.unwrap().is_empty());
}

/// An agent with a tool that counts in the agent's state, and which asks about `rm`.
fn counting(script: &str) -> Bench {
    bench(script, |builder, trail| {
        let counts = Does::tool("count", |_, run| async move {
            let n = run.state.get("n").and_then(|n| n.as_u64()).unwrap_or(0);
            run.state.set("n", n + 1);
            Ok(ToolOutput::ok(format!("{}", n + 1)))
        });
        builder
            .tools(toolbox_with(trail, [counts]))
            .prepare(|session| asks(session, "ask", "rm"))
    })
}

/// A saved session: its first turn has ended, and its second one has counted once and is suspended.
async fn saved_and_suspended(file: &File) -> (Store, NewSession, CheckpointId) {
    let url = StoreUrl::sqlite(&file.path);
    let store = Store::open(url, StoreOptions::default()).await.unwrap();
    let new = NewSession {
        id: "s".into(),
        sessions: Some(Arc::new(store.sessions())),
        ..new(&Arc::new(store.checkpoints()))
    };
    let bench = counting(&responses(&[
        r#"{"text": "hello"}"#,
        &calls(&[call("c1", "count", "a")]),
        &calls(&[call("c2", "count", "rm")]),
    ]));
    let mut session = bench.agent.session(new.clone()).await.unwrap();
    session.turn("hi").await.unwrap();
    let suspension = suspended(session.turn("count").await);
    session.close().await;
    (store, new, suspension.checkpoint)
}

#[tokio::test]
async fn a_saved_session_with_a_suspended_turn_is_not_opened() {
    let file = File::new();
    let (store, new, checkpoint) = saved_and_suspended(&file).await;
    let bench = counting(&responses(&[r#"{"text": "done"}"#]));
    let error = bench.agent.session(new.clone()).await.unwrap_err();
    assert!(matches!(error, SessionError::Suspended { .. }), "{error}");
    for command in ["resume", "approvals discard"] {
        let command = format!("`portcullis {command} {checkpoint}`");
        assert!(error.to_string().contains(&command), "{error}");
    }
    let discarded = discard_suspended(&store.checkpoints(), &checkpoint).await;
    discarded.unwrap();
    let session = bench.agent.session(new).await.unwrap();
    assert_eq!(lines(&session), ["user: hi", "assistant: hello"]);
    session.close().await;
}

#[tokio::test]
async fn a_turn_is_not_resumed_once_its_session_has_had_another() {
    let file = File::new();
    let (store, new, checkpoint) = saved_and_suspended(&file).await;
    let bench = counting(&responses(&[r#"{"text": "noted"}"#]));
    // Without the store of checkpoints, the session does not know that its turn is suspended.
    let unaware = NewSession {
        checkpoints: None,
        ..new.clone()
    };
    let mut session = bench.agent.session(unaware.clone()).await.unwrap();
    session.turn("meanwhile").await.unwrap();
    session.close().await;
    let yes = decision("c2", ApprovalDecision::Approve);
    let resumed = bench.agent.resume(checkpoint.clone(), yes, new).await;
    let error = resumed.err().unwrap();
    assert!(
        matches!(
            error,
            ResumeError::SessionContinued {
                turn: 2,
                turns: 2,
                ..
            }
        ),
        "{error}"
    );
    let discard = format!("`portcullis approvals discard {checkpoint}`");
    assert!(error.to_string().contains(&discard), "{error}");
    let waiting = store.checkpoints().list(None).await.unwrap();
    assert_eq!(waiting.len(), 1, "it waits as before");
    // The session was released too.
    let session = bench.agent.session(unaware).await.unwrap();
    assert_eq!(
        lines(&session)[2..],
        ["user: meanwhile", "assistant: noted"]
    );
    session.close().await;
}

#[tokio::test]
async fn a_saved_session_is_resumed_with_the_state_of_the_suspended_turn() {
    let file = File::new();
    let (_store, new, checkpoint) = saved_and_suspended(&file).await;
    let bench = counting(&responses(&[r#"{"text": "done"}"#]));
    let yes = decision("c2", ApprovalDecision::Approve);
    let resumed = bench.agent.resume(checkpoint, yes, new.clone()).await;
    let (session, ended) = resumed.unwrap();
    ended.unwrap();
    session.close().await;
    let session = bench.agent.session(new).await.unwrap();
    assert_eq!(session.state()["n"], 2);
    session.close().await;
}
