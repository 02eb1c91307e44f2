//! "Built-in Guard Hooks" and `UseGuards`: limits that end the turn with a typed stop signal.
//!
//! | Cognesy's reason | our code |
//! | --- | --- |
//! | `StepsLimitReached` | `steps-limit` |
//! | `TokenLimitReached` | `token-limit` |
//! | `TimeLimitReached` | `time-limit` |
//! | the finish reason | `finish-reason:…` |

use portcullis_agent::{AgentConfig, Guards};
use serde_json::json;

use super::TRIGGERS;
use crate::harness::{Row, calls, play, row, says};

/// No guard at all: each row enables its own. (`null` in Cognesy, `false` in TOML.)
const NONE: Guards = Guards {
    max_steps: None,
    max_tokens: None,
    max_seconds: None,
    finish_reasons: Vec::new(),
};

fn guarded(config: AgentConfig, guards: Guards) -> AgentConfig {
    AgentConfig {
        guards: Some(guards),
        ..config
    }
}

/// Returns a row that shows stop signals and the guards' runs.
fn guard_row(name: &'static str, guard: &'static str) -> Row {
    row(name).watch(&[guard]).events(&["stopping"]).points(&[
        "pre-step",
        "post-step",
        "turn-stopping",
        "post-turn",
    ])
}

#[test]
fn the_defaults_are_the_originals() {
    let Guards {
        max_steps,
        max_tokens,
        max_seconds,
        finish_reasons,
    } = Guards::default();
    assert_eq!(max_steps, Some(20));
    assert_eq!(max_tokens, Some(32_768));
    assert_eq!(max_seconds, Some(300));
    assert!(finish_reasons.is_empty());
}

#[tokio::test]
async fn each_guard_stops_with_its_signal() {
    play([
        guard_row("StepsLimitHook: Step limit reached: N/N", "guard-steps")
            .config(|config| {
                let max_steps = Some(2);
                guarded(config, Guards { max_steps, ..NONE })
            })
            .model([calls("1"), calls("2"), says("never")])
            .turn("go")
            .expect([
                "guard-steps pre-step",
                "actor pre-step",
                "(echo runs: 1)",
                "actor post-step",
                "guard-steps pre-step",
                "actor pre-step",
                "(echo runs: 2)",
                "actor post-step",
                "guard-steps pre-step stop",
                "actor pre-step skipped",
                "(stopping: steps-limit: Step limit reached: 2/2)",
                "actor turn-stopping",
                "actor post-turn",
                "(turn-ended stopped steps-limit: )",
            ]),
        guard_row("TokenUsageLimitHook: more than the limit", "guard-tokens")
            .config(|config| {
                let max_tokens = Some(100);
                guarded(config, Guards { max_tokens, ..NONE })
            })
            .model([
                with_usage(calls("1"), 90),
                with_usage(calls("2"), 10),
                says("never"),
            ])
            .turn("go")
            .expect([
                "guard-tokens pre-step",
                "actor pre-step",
                "(echo runs: 1)",
                "actor post-step",
                // 91 of 100: there is room.
                "guard-tokens pre-step",
                "actor pre-step",
                "(echo runs: 2)",
                "actor post-step",
                "guard-tokens pre-step stop",
                "actor pre-step skipped",
                "(stopping: token-limit: Token limit reached: 102/100)",
                "actor turn-stopping",
                "actor post-turn",
                "(turn-ended stopped token-limit: )",
            ]),
        guard_row("ExecutionTimeLimitHook", "guard-time")
            .config(|config| {
                let max_seconds = Some(0);
                guarded(
                    config,
                    Guards {
                        max_seconds,
                        ..NONE
                    },
                )
            })
            .turn("go")
            .expect([
                "guard-time pre-step stop",
                "actor pre-step skipped",
                "(stopping: time-limit: more than 0 seconds)",
                "actor turn-stopping",
                "actor post-turn",
                "(turn-ended stopped time-limit: )",
            ]),
        guard_row(
            "FinishReasonHook: last at AfterStep, when all others have processed the step",
            "guard-finish-reason",
        )
        .config(|config| {
            let finish_reasons = vec!["max-tokens".into()];
            guarded(
                config,
                Guards {
                    finish_reasons,
                    ..NONE
                },
            )
        })
        .model([json!({ "text": "half an ans", "stop": "max-tokens" })])
        .turn("go")
        .expect([
            "actor pre-step",
            "actor post-step",
            "guard-finish-reason post-step stop",
            "(stopping: finish-reason:max-tokens: The model stopped with `max-tokens`)",
            "actor turn-stopping",
            "actor post-turn",
            "(turn-ended stopped finish-reason:max-tokens: half an ans)",
        ]),
        guard_row(
            "FinishReasonHook: other reasons do not stop",
            "guard-finish-reason",
        )
        .config(|config| {
            let finish_reasons = vec!["refusal".into()];
            guarded(
                config,
                Guards {
                    finish_reasons,
                    ..NONE
                },
            )
        })
        .model([says("done")])
        .turn("go")
        .expect([
            "actor pre-step",
            "actor post-step",
            "guard-finish-reason post-step",
            "actor turn-stopping",
            "actor post-turn",
            "(turn-ended: done)",
        ]),
    ])
    .await;
}

#[tokio::test]
async fn null_disables_a_guard() {
    play([row("with all of them off, nothing stops the turn")
        .watch(&["guard-steps", "guard-tokens", "guard-time"])
        .config(|config| guarded(config, NONE))
        .points(TRIGGERS)
        .model([with_usage(says("done"), 1_000_000)])
        .turn("go")
        .expect([
            "actor pre-turn",
            "actor pre-step",
            "actor post-step",
            "actor turn-stopping",
            "actor post-turn",
            "(turn-ended: done)",
        ])])
    .await;
}

fn with_usage(mut response: serde_json::Value, input: u64) -> serde_json::Value {
    response["usage"] = json!({ "input_tokens": input, "output_tokens": 1 });
    response
}
