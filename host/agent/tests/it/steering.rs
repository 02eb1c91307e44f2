//! User messages sent during a turn.

use std::sync::{Arc, OnceLock};

use portcullis::Session;
use portcullis::contract::{StopKind, StopSignal};
use portcullis::points::{
    MessageAdded, PostStep, PreStep, TurnStopping, message_added, post_step, pre_step,
    turn_stopping,
};
use portcullis_agent::{
    AgentConfig, AgentEvent, AgentSession, SteeringCheckpoint, ToolOutput, ToolStrategy,
};

use crate::support::{
    Bench, Does, assert_whole, bench, hook, lines, quick, responses, toolbox_with,
};

type Says = Arc<OnceLock<portcullis_agent::Steering>>;

/// Returns an agent whose tool `speak` and hooks send user messages.
fn steered(
    script: &str,
    config: AgentConfig,
    prepare: impl Fn(&mut Session, Says) + Send + Sync + 'static,
) -> (Bench, Says) {
    let says = Says::default();
    let (by_tool, by_hook) = (says.clone(), says.clone());
    let bench = bench(script, move |builder, trail| {
        let speaks = Does::tool("speak", move |_, _| {
            let says = by_tool.clone();
            async move {
                say(&says, "wait");
                Ok(ToolOutput::ok("spoken"))
            }
        });
        builder
            .tools(toolbox_with(trail, [speaks]))
            .config(config)
            .prepare(move |session| prepare(session, by_hook.clone()))
    });
    (bench, says)
}

fn say(says: &Says, words: &str) {
    if let Some(steering) = says.get() {
        steering.say(words);
    }
}

async fn open(bench: &Bench, says: &Says) -> AgentSession {
    let session = bench.session().await;
    says.set(session.steering()).unwrap();
    session
}

fn taken_up(bench: &mut Bench) -> Vec<SteeringCheckpoint> {
    bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::Steered { checkpoint, .. } => Some(checkpoint),
            _ => None,
        })
        .collect()
}

const THREE: &str = r#"{"text": "Three.", "tool_calls": [
    {"id": "a", "name": "echo", "arguments": {"text": "one"}},
    {"id": "b", "name": "speak"},
    {"id": "c", "name": "echo", "arguments": {"text": "three"}}
]}"#;

#[tokio::test]
async fn steering_between_tools_skips_the_rest() {
    let two = std::num::NonZeroUsize::new(2).unwrap();
    for (strategy, checkpoint, ran) in [
        (
            ToolStrategy::Sequential,
            SteeringCheckpoint::BetweenTools,
            0,
        ),
        (
            ToolStrategy::Batched(two),
            SteeringCheckpoint::BetweenBatches,
            0,
        ),
        (ToolStrategy::Parallel, SteeringCheckpoint::AfterTools, 1),
    ] {
        let script = responses(&[THREE, r#"{"expect": "wait", "text": "I wait."}"#]);
        let config = AgentConfig {
            tool_strategy: strategy,
            ..quick()
        };
        let (mut bench, says) = steered(&script, config, |_, _| {});
        let mut session = open(&bench, &says).await;
        session.turn("go").await.unwrap();
        assert_eq!(taken_up(&mut bench), [checkpoint]);
        assert_eq!(bench.trail.count("echo runs: three"), ran, "{strategy:?}");
        assert_whole(session.conversation());
        let lines = lines(&session);
        assert_eq!(lines[2], "tool: echo one");
        assert_eq!(lines[3], "tool: spoken");
        assert_eq!(lines[4].contains("the user spoke before"), ran == 0);
        assert_eq!(lines[5..], ["user: wait", "assistant: I wait."]);
    }
}

#[tokio::test]
async fn steering_around_a_step() {
    // Each hook sends one message, which is read at the next checkpoint.
    type Prepare = fn(&mut Session, Says);
    let at_pre_step: Prepare = |session, says| {
        hook::<PreStep, _>(session, "says", move |call| {
            if call.subject.steps == 0 {
                say(&says, "wait");
            }
            Ok(pre_step::Outcome::Continue)
        });
    };
    let at_post_step: Prepare = |session, says| {
        hook::<PostStep, _>(session, "says", move |call| {
            if call.context.step == 1 {
                say(&says, "wait");
            }
            Ok(post_step::Outcome::Continue)
        });
    };
    let at_input: Prepare = |session, says| {
        hook::<MessageAdded, _>(session, "says", move |call| {
            if call.subject.index == 0 {
                say(&says, "wait");
            }
            Ok(message_added::Outcome::Continue)
        });
    };
    let at_the_very_end: Prepare = |session, says| {
        hook::<TurnStopping, _>(session, "says", move |call| {
            if call.context.step == 1 {
                say(&says, "wait");
            }
            Ok(turn_stopping::Outcome::Continue)
        });
    };
    let early = ["user: go", "user: wait", "assistant: one"];
    let late = ["user: go", "assistant: one", "user: wait", "assistant: two"];
    for (prepare, checkpoint, expected) in [
        (at_pre_step, SteeringCheckpoint::BeforeStep, &early[..]),
        (at_input, SteeringCheckpoint::LoopEntry, &early),
        (at_post_step, SteeringCheckpoint::AfterStep, &late),
        (at_the_very_end, SteeringCheckpoint::LoopEntry, &late),
    ] {
        let script = responses(&[r#"{"text": "one"}"#, r#"{"text": "two"}"#]);
        let (mut bench, says) = steered(&script, quick(), prepare);
        let mut session = open(&bench, &says).await;
        let report = session.turn("go").await.unwrap().done().unwrap();
        assert_eq!(taken_up(&mut bench), [checkpoint]);
        assert_eq!(lines(&session), expected);
        let last = expected.last().unwrap().trim_start_matches("assistant: ");
        assert_eq!(report.text(), last);
    }
}

#[tokio::test]
async fn steering_after_the_last_call_is_read_at_the_end_of_the_step() {
    let one = r#"{"tool_calls": [{"id": "b", "name": "speak"}]}"#;
    let script = responses(&[one, r#"{"expect": "wait", "text": "I wait."}"#]);
    let (mut bench, says) = steered(&script, quick(), |_, _| {});
    let mut session = open(&bench, &says).await;
    session.turn("go").await.unwrap();
    assert_eq!(taken_up(&mut bench), [SteeringCheckpoint::AfterStep]);
    assert_whole(session.conversation());
}

#[tokio::test]
async fn steering_of_a_turn_that_cannot_continue_is_for_the_next() {
    type Prepare = fn(&mut Session, Says);
    let stopped: Prepare = |session, says| {
        hook::<PostStep, _>(session, "stops", move |call| {
            if call.context.turn > 1 {
                return Ok(post_step::Outcome::Continue);
            }
            say(&says, "wait");
            Ok(post_step::Outcome::Stop(StopSignal {
                kind: StopKind::Other("enough".into()),
                message: "enough".into(),
            }))
        });
    };
    let out_of_steps: Prepare = |session, says| {
        hook::<PostStep, _>(session, "says", move |call| {
            if call.context.turn == 1 {
                say(&says, "wait");
            }
            Ok(post_step::Outcome::Continue)
        });
    };
    for prepare in [stopped, out_of_steps] {
        let script = responses(&[r#"{"text": "one"}"#, r#"{"expect": "wait", "text": "two"}"#]);
        let config = AgentConfig {
            max_steps: 1.try_into().unwrap(),
            ..quick()
        };
        let (bench, says) = steered(&script, config, prepare);
        let mut session = open(&bench, &says).await;
        session.turn("go").await.unwrap();
        assert!(session.steering().is_waiting());
        session.turn("on").await.unwrap();
        assert_eq!(
            lines(&session),
            [
                "user: go",
                "assistant: one",
                "user: on",
                "user: wait",
                "assistant: two"
            ]
        );
    }
}
