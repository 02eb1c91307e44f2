//! Components in a real agent loop: the points that fire, their order, and the effects of answers.

use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis_agent::{
    Agent, AgentConfig, AgentEvent, CompactionConfig, EventReceiver, NewSession, RetryConfig,
    RulePolicy, Script, SessionError, Toolbox, TurnError, TurnReport, builtin_tools,
};
use portcullis_tests::{HooksDir, probe};

/// An agent with the probe, which performs these actions, and a model that follows this script.
struct Stage {
    agent: Agent,
    events: EventReceiver,
    dir: tempfile::TempDir,
}

fn stage(actions: &str, script: &str) -> Stage {
    staged(actions, script, AgentConfig::default())
}

fn staged(actions: &str, script: &str, config: AgentConfig) -> Stage {
    let hooks = HooksDir::new()
        .with("probe")
        .settings(&probe(actions))
        .load();
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("notes.txt"), "buy milk").expect("a file");
    let mut tools = Toolbox::new();
    tools.extend(builtin_tools()).expect("tools");
    let policy = RulePolicy {
        working_dir: Some(dir.path().to_owned()),
        deny: vec!["run_*".into()],
        ..RulePolicy::default()
    };
    let agent = Agent::builder()
        .providers(Script::parse(script).expect("a script").providers())
        .tools(Arc::new(tools))
        .policy(Arc::new(policy))
        .hooks(hooks)
        .config(AgentConfig {
            retry: RetryConfig {
                base_delay_ms: 1,
                ..config.retry.clone()
            },
            ..config
        })
        .build()
        .expect("an agent");
    let events = agent.context().events.subscribe();
    Stage { agent, events, dir }
}

impl Stage {
    /// Runs one session of these turns. Returns the outcomes, and the points that fired.
    async fn play(mut self, turns: &[&str]) -> (Vec<Result<TurnReport, TurnError>>, Vec<String>) {
        let mut reports = Vec::new();
        let mut session = self
            .agent
            .session(NewSession::default())
            .await
            .expect("a session");
        for turn in turns {
            let ended = session.turn(*turn).await;
            reports.push(ended.map(|ended| ended.done().expect("no suspension")));
        }
        session.close().await;
        (reports, self.points())
    }

    fn points(&mut self) -> Vec<String> {
        let mut points = Vec::new();
        while let Some(emitted) = self.events.try_next() {
            if let AgentEvent::HookRun { run } = &emitted.event {
                points.push(run.point.to_string());
            }
        }
        points
    }
}

const READS_NOTES: &str = r#"{"responses": [
    {"text": "Let me see.", "tool_calls": [{"name": "read_file", "arguments": {"path": "notes.txt"}}]},
    {"text": "Done."}
]}"#;

#[tokio::test]
async fn each_point_fires_once_and_in_seed_000s_order() {
    let (reports, points) = stage("", READS_NOTES).play(&["read my notes"]).await;
    assert_eq!(reports[0].as_ref().expect("a report").text(), "Done.");
    assert_eq!(
        points,
        [
            "session-start",
            "pre-turn",
            "message-added",
            "prompt-policy",
            "prompt-context",
            "prompt-recall",
            "prompt-tools",
            "prompt-compile",
            "pre-step",
            "pre-llm-call",
            "llm-delta",
            "post-llm-call",
            "message-added",
            "pre-tool-call",
            "post-tool-call",
            "message-added",
            "post-step",
            "pre-step",
            "pre-llm-call",
            "llm-delta",
            "post-llm-call",
            "message-added",
            "post-step",
            "turn-stopping",
            "post-turn",
            "session-end"
        ]
    );
}

#[tokio::test]
async fn paths_that_end_early_fire_what_is_left_and_no_more() {
    for (actions, expected) in [
        (
            "pre-turn = \"reject\"",
            &["session-start", "pre-turn", "turn-error", "session-end"][..],
        ),
        (
            "pre-turn = \"answer hi\"",
            &[
                "session-start",
                "pre-turn",
                "message-added",
                "message-added",
                "post-turn",
                "session-end",
            ],
        ),
        (
            "pre-llm-call = \"reject\"",
            &[
                "session-start",
                "pre-turn",
                "message-added",
                "prompt-policy",
                "prompt-context",
                "prompt-recall",
                "prompt-tools",
                "prompt-compile",
                "pre-step",
                "pre-llm-call",
                "turn-error",
                "session-end",
            ],
        ),
        (
            "pre-llm-call = \"answer hi\"",
            &[
                "session-start",
                "pre-turn",
                "message-added",
                "prompt-policy",
                "prompt-context",
                "prompt-recall",
                "prompt-tools",
                "prompt-compile",
                "pre-step",
                "pre-llm-call",
                "post-llm-call",
                "message-added",
                "post-step",
                "turn-stopping",
                "post-turn",
                "session-end",
            ],
        ),
        (
            "post-llm-call = \"reject\"",
            &[
                "session-start",
                "pre-turn",
                "message-added",
                "prompt-policy",
                "prompt-context",
                "prompt-recall",
                "prompt-tools",
                "prompt-compile",
                "pre-step",
                "pre-llm-call",
                "llm-delta",
                "post-llm-call",
                "turn-error",
                "session-end",
            ],
        ),
        (
            "pre-turn = \"reject\"\nturn-error = \"replace sorry\"",
            &[
                "session-start",
                "pre-turn",
                "turn-error",
                "post-turn",
                "session-end",
            ],
        ),
    ] {
        let (_, points) = stage(actions, READS_NOTES).play(&["hello"]).await;
        assert_eq!(points, expected, "{actions}");
    }
}

#[tokio::test]
async fn a_refused_session_ends_and_nothing_else() {
    let mut stage = stage("session-start = \"reject\"", READS_NOTES);
    let error = stage.agent.session(NewSession::default()).await;
    assert!(
        matches!(error, Err(SessionError::Rejected { .. })),
        "{error:?}"
    );
    assert_eq!(stage.points(), ["session-start", "session-end"]);
}

#[tokio::test]
async fn what_a_hook_does_to_a_tool_call_is_what_the_model_sees() {
    // The scripted model refuses to continue unless the last message contains the expected text.
    for (action, expect) in [
        (
            "pre-tool-call = \"reject\"",
            "hook `probe` refused the call",
        ),
        ("pre-tool-call = \"answer from memory\"", "from memory"),
        ("pre-tool-call = \"panic\"", "failed (trap)"),
        (
            "pre-tool-call = 'transform {\"path\":\"other.txt\"}'",
            "other words",
        ),
        ("post-tool-call = \"transform redacted\"", "redacted"),
        ("post-tool-call = \"reject\"", "withholds its output"),
        ("post-tool-call = \"spin\"", "output is withheld"),
    ] {
        let script = format!(
            r#"{{"responses": [
                {{"tool_calls": [{{"name": "read_file", "arguments": {{"path": "notes.txt"}}}}]}},
                {{"expect": "{expect}", "text": "Done."}}
            ]}}"#
        );
        let stage = stage(action, &script);
        std::fs::write(stage.dir.path().join("other.txt"), "other words").expect("a file");
        let (reports, points) = stage.play(&["hello"]).await;
        assert_eq!(
            reports[0].as_ref().expect(action).text(),
            "Done.",
            "{action}"
        );
        assert!(points.contains(&"pre-tool-call".to_owned()), "{action}");
    }
}

#[tokio::test]
async fn what_is_not_run_fires_no_post_point() {
    let (_, points) = stage("pre-tool-call = \"reject\"", READS_NOTES)
        .play(&["hello"])
        .await;
    assert!(!points.contains(&"post-tool-call".to_owned()), "{points:?}");
}

#[tokio::test]
async fn the_policy_comes_before_the_hooks() {
    let script = r#"{"responses": [
        {"tool_calls": [{"name": "run_command", "arguments": {"command": "true"}}]},
        {"expect": "the operator's policy denies it", "text": "Done."}
    ]}"#;
    let (reports, points) = stage("", script).play(&["hello"]).await;
    assert_eq!(reports[0].as_ref().expect("a report").text(), "Done.");
    assert!(!points.contains(&"pre-tool-call".to_owned()), "{points:?}");
}

#[tokio::test]
async fn what_a_hook_makes_of_a_response_and_an_output_is_what_stays() {
    let actions = "post-llm-call = \"append  (checked)\"\npost-turn = \"append  (signed)\"";
    let stage = stage(actions, r#"{"responses": [{"text": "Hi."}]}"#);
    let mut session = stage
        .agent
        .session(NewSession::default())
        .await
        .expect("a session");
    let ended = session.turn("hello").await.expect("a turn");
    let report = ended.done().expect("a report");
    assert_eq!(report.text(), "Hi. (checked) (signed)");
    let last = session.conversation().last().expect("a message");
    assert_eq!(
        last.content,
        vec![ContentPart::Text("Hi. (checked) (signed)".into())]
    );
    session.close().await;
}

#[tokio::test]
async fn a_failed_call_asks_what_to_do_and_does_it() {
    let script = r#"{"providers": [
        {"name": "main", "responses": [{"error": {"kind": "overloaded", "status": 529}}]},
        {"name": "backup", "responses": [{"text": "From the backup."}]}
    ]}"#;
    let (reports, points) = stage("llm-error = \"replace switch\"", script)
        .play(&["hello"])
        .await;
    assert_eq!(
        reports[0].as_ref().expect("a report").text(),
        "From the backup."
    );
    assert_eq!(
        &points[1..],
        [
            "pre-turn",
            "message-added",
            "prompt-policy",
            "prompt-context",
            "prompt-recall",
            "prompt-tools",
            "prompt-compile",
            "pre-step",
            "pre-llm-call",
            "llm-error",
            "pre-llm-call",
            "llm-delta",
            "post-llm-call",
            "message-added",
            "post-step",
            "turn-stopping",
            "post-turn",
            "session-end",
        ]
    );
    let (reports, _) = stage("llm-error = \"replace give-up\"", script)
        .play(&["hello"])
        .await;
    assert!(
        matches!(reports[0], Err(TurnError::Provider { .. })),
        "{reports:?}"
    );
}

#[tokio::test]
async fn a_conversation_over_its_budget_is_compacted_between_its_points() {
    let script = r#"{"responses": [
        {"text": "One."}, {"text": "Two."}, {"text": "the summary"}, {"expect_absent": "first", "text": "Three."}
    ]}"#;
    let config = || AgentConfig {
        compaction: CompactionConfig {
            limit_tokens: 120.try_into().expect("not zero"),
            keep_recent: 1,
            ..CompactionConfig::default()
        },
        ..AgentConfig::default()
    };
    let long = |word: &str| format!("{word} {}", "filler ".repeat(30));
    let turns = [long("first"), long("second"), long("third")];
    let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
    let (reports, points) = staged("", script, config()).play(&turns).await;
    assert_eq!(reports[2].as_ref().expect("a report").text(), "Three.");
    let fired = |point: &str| points.iter().filter(|p| *p == point).count();
    assert!(fired("pre-compaction") >= 1, "{points:?}");
    assert_eq!(
        fired("pre-compaction"),
        fired("post-compaction"),
        "{points:?}"
    );

    // A veto keeps everything.
    let (_, points) = staged("pre-compaction = \"reject\"", script, config())
        .play(&turns)
        .await;
    assert!(points.contains(&"pre-compaction".to_owned()), "{points:?}");
    assert!(
        !points.contains(&"post-compaction".to_owned()),
        "{points:?}"
    );
}
