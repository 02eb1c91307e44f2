//! A hook sees what it imports, and only during the call.

use std::sync::Arc;

use portcullis::contract::{ContentPart, ContextItem, DomainPolicy, Message, PromptSection, Role};
use portcullis::prompt::{Contributed, Prompt};
use portcullis::session::{AgentState, SessionInfo};
use portcullis::{Decision, SessionOptions};
use portcullis_tests::{HooksDir, hook, text, tool_call, turn};

#[tokio::test]
async fn every_view_answers_about_the_call_in_hand() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&hook("probe", "", "pre-turn = \"look\""));
    let session = dir.load().session(SessionOptions::new("test"));
    let mut call = turn("hello");
    let tools = tool_call("{}").views.tools.clone();
    call.views.tools = tools;
    call.views.tool_arguments = r#"{"path":"a"}"#.into();
    call.views.tool_output = Some("done".into());
    call.views.conversation = Arc::new(vec![
        Message {
            role: Role::User,
            content: vec![ContentPart::Text("before".into())],
        };
        3
    ]);
    call.views.prompt = Arc::new(Prompt {
        policies: vec![by_host(DomainPolicy {
            domain: "memory".into(),
            rules: "{}".into(),
        })],
        items: vec![by_host(ContextItem {
            kind: "fact".into(),
            text: "Water is wet.".into(),
            data: None,
        })],
        sections: vec![by_host(section("last", 2)), by_host(section("first", 1))],
        queries: vec!["water".into()],
        ..Prompt::default()
    });
    let mood = serde_json::json!({"mood": "calm"});
    let changed = serde_json::json!({"mood": [null, "calm"]});
    call.views.state = Arc::new(AgentState {
        values: mood.as_object().expect("an object").clone(),
        diff: changed.as_object().expect("an object").clone(),
        changed_by: None,
    });
    call.views.session = Arc::new(SessionInfo {
        user: Some("ada".into()),
        ..SessionInfo::default()
    });
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    assert_eq!(
        text(&call),
        "content=\"hello\" messages=3 arguments=\"{\\\"path\\\":\\\"a\\\"}\" \
         output=Some(\"done\") tools=[\"write\"] user=Some(\"ada\") verdict=None \
         policies=[\"memory:{}\"] memory=Some(\"{}\") items=[\"fact:Water is wet.\"] \
         sections=[\"first:text\", \"last:text\"] queries=[\"water\"] \
         state=Some(\"\\\"calm\\\"\") diff={\"mood\":[null,\"calm\"]}"
    );
}

fn by_host<T>(value: T) -> Contributed<T> {
    Contributed {
        by: "host".into(),
        value,
    }
}

fn section(id: &str, order: i32) -> PromptSection {
    PromptSection {
        id: id.into(),
        title: None,
        text: "text".into(),
        order,
        max_tokens: None,
        essential: false,
    }
}

#[tokio::test]
async fn nothing_of_a_call_is_left_for_the_next() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&hook("probe", "", "pre-turn = \"look\""));
    let session = dir.load().session(SessionOptions::new("test"));
    let mut first = turn("a secret");
    first.views.tool_output = Some("another".into());
    let _ = session.run(&mut first).await;
    let mut second = turn("");
    let _ = session.run(&mut second).await;
    assert!(!text(&second).contains("secret"), "{}", text(&second));
    assert!(text(&second).contains("output=None"), "{}", text(&second));
}

#[tokio::test]
async fn a_view_that_the_operator_refuses_is_a_load_error() {
    let settings = "[defaults]\nviews = [\"content\"]\n".to_owned() + &hook("probe", "", "");
    let error = HooksDir::new()
        .with("probe")
        .settings(&settings)
        .try_load()
        .expect_err("a load error")
        .to_string();
    // A list replaces the defaults, so the fix includes the default views too.
    let grant = "[hooks.probe.grants] views = [\"content\", \"conversation\", \"tool-data\", \
                 \"tool-catalog\", \"prompt\", \"agent-state\", \"session\", \"verdict\"]";
    for view in [
        "conversation",
        "tool-data",
        "tool-catalog",
        "prompt",
        "agent-state",
        "session",
        "verdict",
    ] {
        let import = format!("imports `portcullis:hooks/{view}@");
        let mut errors = error.lines().filter(|line| line.contains(&import));
        assert!(
            errors.next().is_some_and(|line| line.ends_with(grant)),
            "{view}: {error}"
        );
    }
    assert!(!error.contains("hooks/content"), "{error}");
}

#[tokio::test]
async fn an_observer_sees_the_final_value_and_the_verdict_also_after_a_refusal() {
    let settings = hook("watch", "role = \"observe\"", "pre-turn = \"look\"")
        + &hook("judge", "", "pre-turn = \"reject\"");
    let dir = HooksDir::new()
        .with_renamed("probe", "watch")
        .with_renamed("probe", "judge")
        .settings(&settings);
    let session = dir.load().session(SessionOptions::new("test"));
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    assert!(matches!(verdict.decision, Decision::Rejected { .. }));
    let watched = verdict.runs.last().expect("a run");
    assert_eq!(watched.hook.as_str(), "watch");
    // The hook ran: its role forbids the answer that it tried to give.
    assert_eq!(watched.cause(), Some(portcullis::verdict::Cause::BadOutput));
    assert_eq!(text(&call), "hello");
    assert!(call.views.verdict.is_none());
}
