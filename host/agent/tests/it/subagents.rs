//! Tool calls that start sub-agents.

use std::sync::Arc;
use std::time::Duration;

use portcullis::points::pre_subagent::SubagentAnswer;
use portcullis::points::{
    PostSubagent, PreSubagent, PreTurn, post_subagent, pre_subagent, pre_turn,
};
use portcullis::verdict::Failure;
use portcullis_agent::{
    Agent, AgentBuilder, AgentConfig, AgentEvent, Provider, RulePolicy, Script, ToolOutput,
    ToolStrategy,
};
use tokio_util::sync::CancellationToken;

use crate::support::{
    Bench, Does, Trail, assert_whole, bench, calls_echo, hook, lines, quick, recorder, rejection,
    responses, toolbox, toolbox_with,
};

const ASKS: &str =
    r#"{"tool_calls": [{"id": "p", "name": "helper", "arguments": {"task": "look"}}]}"#;

fn helper(script: &str) -> AgentBuilder {
    let script = Script::parse(script).unwrap();
    Agent::builder()
        .providers(script.providers())
        .tools(toolbox(&Trail::default()))
        .config(AgentConfig {
            name: "helper".into(),
            ..quick()
        })
}

fn family(
    script: &str,
    child: AgentBuilder,
    more: impl FnOnce(AgentBuilder, &Trail) -> AgentBuilder,
) -> Bench {
    bench(script, |builder, trail| {
        let builder = builder.subagent("helper", "Helps.", child.build().unwrap());
        more(builder, trail)
    })
}

/// Runs one turn in which the parent calls its helper. Returns the helper's result.
async fn result(
    child: AgentBuilder,
    more: impl FnOnce(AgentBuilder, &Trail) -> AgentBuilder,
) -> (Bench, String) {
    let bench = family(&responses(&[ASKS, r#"{"text": "done"}"#]), child, more);
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    assert_whole(session.conversation());
    let result = lines(&session)[2].trim_start_matches("tool: ").to_owned();
    (bench, result)
}

#[tokio::test]
async fn parents_hooks_run_first_at_every_point_of_the_child() {
    let order = Trail::default();
    let marks = |who: &'static str, order: &Trail| {
        let order = order.clone();
        let trail = Trail::default();
        let mut hook = recorder(&format!("z-{who}"), &trail);
        macro_rules! mark {
            ($($point:ident $module:ident),*) => {$({
                let order = order.clone();
                hook = hook.on::<portcullis::points::$point>(move |call| {
                    let name = <portcullis::points::$point as portcullis::points::Point>::INFO.name;
                    if call.context.agent == "helper" {
                        order.add(format!("{name} {who}"));
                    }
                    Ok(portcullis::points::$module::Outcome::Continue)
                });
            })*};
        }
        mark!(
            SessionStart session_start, PreTurn pre_turn, MessageAdded message_added,
            PreStep pre_step, PreLlmCall pre_llm_call, PostLlmCall post_llm_call,
            PreToolCall pre_tool_call, PostToolCall post_tool_call, PostStep post_step,
            TurnStopping turn_stopping, PostTurn post_turn, SessionEnd session_end
        );
        hook
    };
    let child = responses(&[
        &calls_echo("x"),
        r#"{"text": "found", "usage": {"input_tokens": 7, "output_tokens": 3}}"#,
    ]);
    // The parent's hook runs first, although it has a late priority.
    let child = helper(&child).native([marks("child", &order).priority(-5)]);
    let marks = marks("parent", &order).priority(500);
    let sees = Trail::default();
    let seen = sees.clone();
    let (mut bench, result) = self::result(child, move |builder, _| {
        builder.native([marks]).prepare(move |session| {
            let seen = seen.clone();
            hook::<PreTurn, _>(session, "sees", move |call| {
                let parent = call.views.session.parent.clone();
                seen.add(format!(
                    "{} {}",
                    call.context.session_id,
                    parent.unwrap_or_default()
                ));
                Ok(pre_turn::Outcome::Continue)
            });
        })
    })
    .await;
    assert_eq!(result, "found");
    let order = order.take();
    assert!(order.len() >= 24, "{order:?}");
    for pair in order.chunks(2) {
        let point = pair[0]
            .strip_suffix(" parent")
            .unwrap_or_else(|| panic!("{order:?}"));
        assert_eq!(pair[1], format!("{point} child"));
    }
    let seen = sees.take();
    let parent = seen[0].split(' ').next().unwrap();
    let (child, its_parent) = seen[1].split_once(' ').unwrap();
    assert_ne!(child, parent);
    assert_eq!(its_parent, parent);
    // All events are in one stream, in which each names its session.
    let mut sessions = Vec::new();
    while let Some(event) = bench.events.try_next() {
        if matches!(event.event, AgentEvent::TurnEnded { .. }) {
            sessions.push(event.session_id.to_string());
        }
    }
    assert_eq!(sessions, [child, parent]);
}

#[tokio::test]
async fn hooks_and_policy_decide_on_sub_agents() {
    type More = fn(AgentBuilder, &Trail) -> AgentBuilder;
    let plain: More = |builder, _| builder;
    let refused: More = |builder, _| {
        builder.prepare(|session| {
            hook::<PreSubagent, _>(session, "jail", |call| {
                assert_eq!(
                    (call.subject.agent.as_str(), call.subject.depth),
                    ("helper", 1)
                );
                Ok(pre_subagent::Outcome::Reject(rejection("no", "alone")))
            });
        })
    };
    let broken: More = |builder, _| {
        builder.prepare(|session| {
            hook::<PreSubagent, _>(session, "jail", |_| {
                Err(Failure::Trap("unreachable".into()))
            });
        })
    };
    let answered: More = |builder, _| {
        builder.prepare(|session| {
            hook::<PreSubagent, _>(session, "cache", |_| {
                Ok(pre_subagent::Outcome::Answer(SubagentAnswer {
                    content: "known".into(),
                    is_error: false,
                }))
            });
            hook::<PostSubagent, _>(session, "post", |call| {
                assert_eq!(call.subject.session_id, None);
                Ok(post_subagent::Outcome::Transform("known!".into()))
            });
        })
    };
    let changed: More = |builder, _| {
        builder.prepare(|session| {
            hook::<PreSubagent, _>(session, "more", |_| {
                Ok(pre_subagent::Outcome::Transform("look twice".into()))
            });
            hook::<PostSubagent, _>(session, "post", |call| {
                assert!(call.subject.session_id.is_some());
                assert_eq!(call.subject.steps, 1);
                Ok(post_subagent::Outcome::Transform("redacted".into()))
            });
        })
    };
    let unseen: More = |builder, _| {
        builder.prepare(|session| {
            hook::<PostSubagent, _>(session, "post", |_| {
                Err(Failure::Trap("unreachable".into()))
            });
        })
    };
    let denied: More = |builder, _| {
        builder.policy(Arc::new(RulePolicy {
            deny: vec!["helper".into()],
            ..RulePolicy::default()
        }))
    };
    for (more, asked, expected) in [
        (plain, "look", "found"),
        (refused, "", "hook `jail` refused the call"),
        (broken, "", "hook `jail` failed (trap)"),
        (answered, "", "known!"),
        (changed, "look twice", "redacted"),
        (unseen, "look", "hook `post` failed (trap)"),
        (denied, "", "deny list"),
    ] {
        let script = responses(&[&format!(r#"{{"expect": "{asked}", "text": "found"}}"#)]);
        let script = Script::parse(&script).unwrap();
        let child = helper(r#"{"responses": []}"#).providers(script.providers());
        let (_, result) = result(child, more).await;
        assert!(result.contains(expected), "{result} {expected}");
        assert_eq!(script.left(), usize::from(asked.is_empty()), "{expected}");
        assert!(!result.contains("found") || expected == "found");
    }
}

#[tokio::test]
async fn a_childs_failure_is_a_result_and_its_tokens_count() {
    let usage = r#""usage": {"input_tokens": 100, "output_tokens": 10}"#;
    let works = responses(&[&format!(r#"{{"text": "found", {usage}}}"#)]);
    let fails = responses(&[
        &format!(
            r#"{{"tool_calls": [{{"name": "echo", "arguments": {{"text": "x"}}}}], {usage}}}"#
        ),
        r#"{"error": {"kind": "auth"}}"#,
    ]);
    for (script, expected) in [(works, "found"), (fails, "The sub-agent failed:")] {
        let own = r#"{"tool_calls": [{"name": "helper", "arguments": {"task": "look"}}],
            "usage": {"input_tokens": 1, "output_tokens": 1}}"#;
        let end = r#"{"text": "done", "usage": {"input_tokens": 1, "output_tokens": 1}}"#;
        let bench = family(&responses(&[own, end]), helper(&script), |builder, _| {
            builder
        });
        let mut session = bench.session().await;
        let report = session.turn("go").await.unwrap().done().unwrap();
        assert!(lines(&session)[2].contains(expected));
        assert_eq!(
            (report.usage.input_tokens, report.usage.output_tokens),
            (102, 12)
        );
        assert_eq!(session.usage(), report.usage);
    }
}

#[tokio::test]
async fn every_agent_above_limits_the_depth() {
    let level = |name: &str, max_depth: u32, next: Option<Agent>| {
        let script = match next {
            Some(_) => responses(&[ASKS, r#"{"text": "passed on"}"#]),
            None => responses(&[r#"{"text": "at the bottom"}"#]),
        };
        let script = Script::parse(&script).unwrap();
        let builder = Agent::builder()
            .provider(
                "p",
                Arc::clone(script.providers().first().unwrap().1) as Arc<dyn Provider>,
            )
            .config(AgentConfig {
                name: name.into(),
                max_depth,
                ..quick()
            });
        let builder = match next {
            Some(next) => builder.subagent("helper", "Helps.", next),
            None => builder,
        };
        (builder.build().unwrap(), script)
    };
    for (root, middle, reached) in [(3, 3, true), (2, 1, true), (1, 3, false), (3, 0, false)] {
        let (bottom, script) = level("bottom", 3, None);
        let (middle, _) = level("middle", middle, Some(bottom));
        let (root, _) = level("root", root, Some(middle));
        let mut session = root.session(Default::default()).await.unwrap();
        session.turn("go").await.unwrap();
        assert_eq!(script.left() == 0, reached);
    }
}

#[tokio::test]
async fn cancelling_the_parent_cancels_the_child() {
    let stopped = Trail::default();
    let tell = stopped.clone();
    let child = helper(&responses(&[r#"{"tool_calls": [{"name": "watch"}]}"#]));
    let child = child.tools(toolbox_with(
        &Trail::default(),
        [Does::tool("watch", move |_, run| {
            let tell = tell.clone();
            async move {
                tokio::spawn(async move {
                    run.cancel.cancelled().await;
                    tell.add("stopped");
                });
                std::future::pending().await
            }
        })],
    ));
    let ends = stopped.clone();
    let bench = family(&responses(&[ASKS]), child, move |builder, _| {
        builder.prepare(move |session| {
            session.add(recorder("ends", &ends)).unwrap();
        })
    });
    let mut session = bench.session().await;
    let cancel = CancellationToken::new();
    let canceller = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(session.turn_until("go", cancel.clone()), canceller);
    ended.unwrap_err();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(stopped.count("stopped"), 1);
    assert_eq!(stopped.count("session-end"), 1, "the child's session ends");
    assert!(lines(&session).is_empty());
}

#[tokio::test]
async fn sub_agents_run_in_parallel() {
    let barrier = Arc::new(tokio::sync::Barrier::new(2));
    let meets = move |_: serde_json::Value, _| {
        let barrier = barrier.clone();
        async move {
            barrier.wait().await;
            Ok(ToolOutput::ok("met"))
        }
    };
    let meet = r#"{"tool_calls": [{"name": "meet"}]}"#;
    let child = responses(&[meet, meet, r#"{"text": "one"}"#, r#"{"text": "two"}"#]);
    let child = helper(&child).tools(toolbox_with(&Trail::default(), [Does::tool("meet", meets)]));
    let both = r#"{"tool_calls": [
        {"id": "a", "name": "helper", "arguments": {"task": "1"}},
        {"id": "b", "name": "helper", "arguments": {"task": "2"}}
    ]}"#;
    let bench = family(
        &responses(&[both, r#"{"text": "done"}"#]),
        child,
        |builder, _| {
            builder.config(AgentConfig {
                tool_strategy: ToolStrategy::Parallel,
                ..quick()
            })
        },
    );
    let mut session = bench.session().await;
    let turn = tokio::time::timeout(Duration::from_secs(10), session.turn("go"));
    turn.await.expect("they meet").unwrap();
    assert_whole(session.conversation());
}
