//! Pieces of the model's text.

use portcullis::points::{PostLlmCall, post_llm_call};
use portcullis_agent::{AgentConfig, AgentEvent, Deltas};

use crate::support::{bench, hook, quick, responses};

async fn pieces(deltas: Deltas, guarded: bool) -> Vec<String> {
    let script = responses(&[r#"{"text": "one two", "thinking": "hm", "chunk": 4}"#]);
    let mut bench = bench(&script, |builder, _| {
        builder
            .config(AgentConfig { deltas, ..quick() })
            .prepare(move |session| {
                if guarded {
                    hook::<PostLlmCall, _>(session, "guard", |_| {
                        Ok(post_llm_call::Outcome::Continue)
                    });
                }
            })
    });
    let mut session = bench.session().await;
    assert_eq!(
        session.turn("go").await.unwrap().done().unwrap().text(),
        "one two"
    );
    bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::TextDelta { text } => Some(text),
            AgentEvent::ThinkingDelta { text } => Some(format!("({text})")),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn pieces_are_not_shown_if_a_hook_may_change_the_whole() {
    let all = ["(hm)", "one ", "two"];
    assert_eq!(pieces(Deltas::UnlessGuarded, false).await, all);
    assert!(pieces(Deltas::UnlessGuarded, true).await.is_empty());
    assert_eq!(pieces(Deltas::Always, true).await, all);
    assert!(pieces(Deltas::Never, false).await.is_empty());
}

#[tokio::test]
async fn events_name_their_turn_and_step() {
    let mut bench = bench(&responses(&[r#"{"text": "hi"}"#]), |builder, _| builder);
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    let id = session.id().to_owned();
    session.close().await;
    let mut names = Vec::new();
    while let Some(emitted) = bench.events.try_next() {
        assert_eq!(&*emitted.session_id, id);
        let json = serde_json::to_value(&*emitted).unwrap();
        assert!(json["at-ms"].as_u64().unwrap() > 0);
        // The names are WIT's, even in nested values.
        let text = json.to_string();
        assert!(!text.contains('_'), "{text}");
        names.push(format!(
            "{} {}.{}",
            json["event"].as_str().unwrap(),
            json["turn"],
            json["step"]
        ));
    }
    assert_eq!(
        names,
        [
            "session-started 0.0",
            "turn-started 1.0",
            "message-added 1.0",
            "step-started 1.1",
            "llm-call-started 1.1",
            "text-delta 1.1",
            "llm-call-finished 1.1",
            "message-added 1.1",
            "step-ended 1.1",
            "turn-ended 1.0",
            "session-ended 0.0",
        ]
    );
}
