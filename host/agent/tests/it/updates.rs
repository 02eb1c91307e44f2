//! Progress updates of running tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use portcullis::points::{ToolUpdate, ToolUpdateSent, tool_update, tool_update_sent};
use portcullis::verdict::Failure;
use portcullis_agent::{AgentEvent, RulePolicy, Tool, ToolOutput};

use crate::support::{Bench, Does, Trail, bench, hook, lines, rejection, responses, toolbox_with};

fn updating(
    tool: Arc<dyn Tool>,
    prepare: impl Fn(&mut portcullis::Session, Trail) + Send + Sync + 'static,
) -> Bench {
    let calls = r#"{"tool_calls": [{"id": "c", "name": "update"}]}"#;
    bench(
        &responses(&[calls, r#"{"text": "done"}"#]),
        |builder, trail| {
            let recorded = trail.clone();
            builder
                .policy(Arc::new(RulePolicy {
                    timeout_ms: 300,
                    ..RulePolicy::default()
                }))
                .tools(toolbox_with(trail, [tool]))
                .prepare(move |session| prepare(session, recorded.clone()))
        },
    )
}

fn updates(bench: &mut Bench) -> Vec<String> {
    bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::ToolProgress { text, .. } => Some(text),
            AgentEvent::ToolUpdateWithheld { by, .. } => Some(format!("withheld by {by}")),
            AgentEvent::ToolFinished { .. } => Some("finished".into()),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn hooks_decide_on_each_update_before_it_is_shown() {
    let update = Does::tool("update", |_, run| async move {
        for text in ["one", "secret", "break", "two"] {
            run.progress.update(text);
        }
        Ok(ToolOutput::ok("done"))
    });
    let mut bench = updating(update, |session, trail| {
        let before = trail.clone();
        hook::<ToolUpdate, _>(session, "guard", move |call| {
            let said = crate::support::text("secret");
            before.add(format!("before {}", call.subject.index));
            if *call.views.content == said {
                return Ok(tool_update::Outcome::Reject(rejection("no", "no")));
            }
            if call.subject.index == 2 {
                return Err(Failure::Guest("broken".into()));
            }
            Ok(tool_update::Outcome::Continue)
        });
        hook::<ToolUpdateSent, _>(session, "hears", move |call| {
            trail.add(format!("sent {}", call.subject.index));
            Err::<tool_update_sent::Outcome, _>(Failure::Guest("hurts nobody".into()))
        });
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    assert_eq!(
        bench.trail.take(),
        [
            "before 0", "sent 0", "before 1", "before 2", "before 3", "sent 3"
        ]
    );
    assert_eq!(
        updates(&mut bench),
        [
            "one",
            "withheld by guard",
            "withheld by guard",
            "two",
            "finished"
        ]
    );
    assert_eq!(lines(&session)[2], "tool: done");
}

#[tokio::test]
async fn a_flood_ends_with_its_tool() {
    // A thread sends updates as fast as possible, and continues after the tool has ended.
    for hangs in [false, true] {
        let ended = Arc::new(AtomicBool::new(false));
        let flooded = ended.clone();
        let update = Does::tool("update", move |_, run| {
            let (progress, ended) = (run.progress.clone(), flooded.clone());
            async move {
                std::thread::spawn(move || {
                    while !ended.load(Ordering::Relaxed) {
                        progress.update("x");
                    }
                });
                tokio::time::sleep(Duration::from_millis(if hangs { 60_000 } else { 20 })).await;
                Ok(ToolOutput::ok("done"))
            }
        });
        let bench = updating(update, |session, _| {
            hook::<ToolUpdate, _>(session, "guard", |_| Ok(tool_update::Outcome::Continue));
        });
        let mut session = bench.session().await;
        // The updates end only with the turn, so the turn must not wait for their end.
        session.turn("go").await.unwrap();
        ended.store(true, Ordering::Relaxed);
        assert_eq!(lines(&session)[2].contains("time limit"), hangs);
    }
}

#[tokio::test]
async fn updates_after_the_end_are_ignored() {
    let (late, sent_late) = tokio::sync::oneshot::channel();
    let slot = std::sync::Mutex::new(Some(late));
    let update = Does::tool("update", move |_, run| {
        let late = slot.lock().unwrap().take();
        async move {
            run.progress.update("in time");
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(30)).await;
                run.progress.update("late");
                let _ = late.map(|late| late.send(()));
            });
            Ok(ToolOutput::ok("done"))
        }
    });
    let mut bench = updating(update, |_, _| {});
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    sent_late.await.unwrap();
    assert_eq!(updates(&mut bench), ["in time", "finished"]);
}
