//! Changes of the agent's state by hooks, in a real agent loop, and the messages of a turn.

use std::sync::Arc;

use portcullis::NativeHook;
use portcullis::points::{PreStep, StateChanged, pre_step, state_changed};
use portcullis::verdict::{Cause, Failure};
use portcullis_agent::{
    Agent, AgentConfig, AgentEvent, AgentSession, NewSession, Script, SetState, Toolbox, TurnError,
};
use portcullis_tests::HooksDir;
use serde_json::{Value, json};

/// Two turns of two steps: in the first step of each, the model sets a key.
const SCRIPT: &str = r#"{"providers": [{"name": "main", "model": "large", "responses": [
    {"text": "I note it.", "tool_calls": [{"id": "c1", "name": "set_state", "arguments": {"key": "tool", "value": 1}}]},
    {"text": "first"},
    {"text": "second"},
    {"text": "third"}
]}]}"#;

struct Played {
    session: AgentSession,
    events: Box<dyn FnMut() -> Vec<AgentEvent>>,
}

async fn open(native: impl IntoIterator<Item = NativeHook>) -> Played {
    let settings = "[hooks.editor.grants]\nevents = true\nagent-state-edit = [\"risk\"]\n";
    let hooks = HooksDir::new().with("editor").settings(settings);
    let mut tools = Toolbox::new();
    tools.add(Arc::new(SetState)).expect("a tool");
    let agent = Agent::builder()
        .providers(Script::parse(SCRIPT).expect("a script").providers())
        .hooks(hooks.load_beside(native))
        .tools(Arc::new(tools))
        .config(AgentConfig::default())
        .build()
        .expect("an agent");
    let mut heard = agent.context().events.subscribe();
    let session = agent
        .session(NewSession::default())
        .await
        .expect("a session");
    let events = move || {
        let next = || heard.try_next().map(|emitted| emitted.event.clone());
        std::iter::from_fn(next).collect()
    };
    Played {
        session,
        events: Box::new(events),
    }
}

/// Returns the data of the hook's events of this name.
fn emitted(events: &[AgentEvent], wanted: &str) -> Vec<Value> {
    let data = |event: &AgentEvent| match event {
        AgentEvent::HookEmitted { name, data, .. } if name == wanted => Some(data.clone()),
        _ => None,
    };
    events.iter().filter_map(data).collect()
}

#[tokio::test]
async fn a_hooks_change_takes_effect_after_its_call_and_state_changed_tells_who() {
    let seen = NativeHook::new("seen").on::<PreStep>(|call| {
        let risk = call.views.state.values.get("risk");
        match risk == Some(&json!("high")) {
            true => Ok(pre_step::Outcome::Continue),
            false => Err(Failure::Guest(format!("{risk:?}"))),
        }
    });
    let Played {
        mut session,
        mut events,
    } = open([seen]).await;
    session.turn("set risk \"high\"").await.expect("a turn");
    let state = json!({ "risk": "high", "tool": 1 });
    assert_eq!(Value::Object(session.state()), state);
    let events = events();
    let told = emitted(&events, "changed");
    let [by_hook, by_tool] = &told[..] else {
        panic!("{told:#?}");
    };
    assert_eq!(by_hook["by"], "editor");
    assert_eq!(
        (&by_hook["tool"], &by_hook["call"]),
        (&json!(""), &json!(""))
    );
    assert_eq!(by_hook["diff"], json!({ "risk": [null, "high"] }));
    let again = by_hook["again"].as_str().expect("an error");
    assert!(
        again.contains("cannot be changed at `state-changed`"),
        "{again}"
    );
    assert_eq!(by_tool["by"], Value::Null);
    assert_eq!(
        (&by_tool["tool"], &by_tool["call"]),
        (&json!("set_state"), &json!("c1"))
    );
    let who = |event: &AgentEvent| match event {
        AgentEvent::StateChanged { tool, hook, keys } => {
            Some((tool.clone(), hook.clone(), keys.join(" ")))
        }
        _ => None,
    };
    let who: Vec<_> = events.iter().filter_map(who).collect();
    let text = |text: &str| text.to_owned();
    assert_eq!(
        who,
        [
            (None, Some(text("editor")), text("risk")),
            (Some(text("set_state")), None, text("tool")),
        ]
    );
}

#[tokio::test]
async fn a_turn_that_fails_takes_a_hooks_change_back() {
    let Played { mut session, .. } = open([]).await;
    let error = session
        .turn("set risk 1\nreject")
        .await
        .expect_err("a refusal");
    assert!(matches!(error, TurnError::Rejected { .. }), "{error}");
    assert_eq!(Value::Object(session.state()), json!({}));
}

#[tokio::test]
async fn a_state_changed_hook_that_fails_closed_fails_the_call() {
    let guard = NativeHook::new("guard").on::<StateChanged>(|call| match &call.views.state {
        state if state.changed_by.is_some() => Err(Failure::Guest("no".into())),
        _ => Ok(state_changed::Outcome::Continue),
    });
    let Played { mut session, .. } = open([guard]).await;
    let error = session.turn("set risk 1").await.expect_err("a failure");
    let TurnError::Hook(failed) = &error else {
        panic!("{error}");
    };
    assert_eq!(
        (failed.hook.as_str(), failed.point.name()),
        ("guard", "state-changed")
    );
    assert_eq!(failed.failure.cause(), Cause::GuestError);
    assert_eq!(Value::Object(session.state()), json!({}));
}

#[tokio::test]
async fn the_messages_of_the_turn_and_no_others_are_told_at_post_turn() {
    let Played {
        mut session,
        mut events,
    } = open([]).await;
    session.turn("one").await.expect("a turn");
    session.turn("two").await.expect("a turn");
    let told = emitted(&events(), "turn");
    // The tool's result has no text part.
    assert_eq!(
        told,
        [
            json!(["one", "I note it.", "", "first"]),
            json!(["two", "second"])
        ]
    );
}
