//! The small hooks in the book do what the book says, with the settings that it shows.

use std::sync::{Arc, OnceLock};

use portcullis::contract::ToolSpec;
use portcullis::points::{PostToolCall, PreToolCall, PromptCompile};
use portcullis::secrets::{SecretError, SecretSource};
use portcullis::tools::ToolCatalog;
use portcullis::{Call, Decision, Hooks, LoadOptions, Session, SessionOptions};
use portcullis_tests::{Sample, cache, turn};

/// A key for every name.
struct Keys;

impl SecretSource for Keys {
    fn read(&self, name: &str) -> Result<String, SecretError> {
        Ok(format!("the {name}"))
    }
}

fn session() -> Session {
    static HOOKS: OnceLock<Hooks> = OnceLock::new();
    let hooks = HOOKS.get_or_init(|| {
        let root = xtask::root();
        xtask::guests::build(&root).expect("the hooks build");
        let options = LoadOptions {
            cache: cache(),
            secrets: Some(std::sync::Arc::new(Keys)),
            ..LoadOptions::default()
        };
        Hooks::load(&root.join("target/book-hooks"), &options).unwrap_or_else(|e| panic!("{e}"))
    });
    hooks.session(SessionOptions::new("book"))
}

fn before(tool: &str) -> Call<PreToolCall> {
    let spec = ToolSpec {
        name: tool.into(),
        description: "A tool.".into(),
        schema: r#"{"type":"object"}"#.into(),
    };
    let mut call = PreToolCall::sample();
    call.subject.name = tool.into();
    call.views.tool_output = None;
    call.views.tools = Arc::new(ToolCatalog::new([spec]).expect("a catalogue"));
    call
}

#[tokio::test]
async fn the_word_filter_refuses_a_blocked_word() {
    let session = session();
    let verdict = session.run(&mut turn("please frobnicate")).await;
    match verdict.decision {
        Decision::Rejected { by, rejection } => {
            assert_eq!(
                (by.as_str(), rejection.code.as_str()),
                ("word-filter", "blocked-word")
            );
        }
        other => panic!("{other:?}"),
    }
    let verdict = session.run(&mut turn("please help")).await;
    assert!(matches!(verdict.decision, Decision::Passed), "{verdict:?}");
}

#[tokio::test]
async fn the_cache_answers_what_was_asked_before_until_something_may_have_changed() {
    let session = session();
    let is_answered = async || {
        let verdict = session.run(&mut before("read_file")).await;
        match verdict.decision {
            Decision::Passed => None,
            Decision::Answered { by, answer } => {
                assert_eq!(by.as_str(), "tool-cache");
                Some(answer.content)
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(is_answered().await, None);
    let mut after = PostToolCall::sample();
    after.subject.name = "read_file".into();
    session.run(&mut after).await;
    assert_eq!(is_answered().await.as_deref(), Some("done"));
    let verdict = session.run(&mut before("write_file")).await;
    assert!(matches!(verdict.decision, Decision::Passed), "{verdict:?}");
    assert_eq!(is_answered().await, None);
}

#[tokio::test]
async fn the_house_rules_are_a_section_of_the_prompt() {
    let mut call = PromptCompile::sample();
    let verdict = session().run(&mut call).await;
    assert!(matches!(verdict.decision, Decision::Passed), "{verdict:?}");
    let sections: Vec<_> = call.views.prompt.sections().collect();
    assert_eq!(sections.len(), 1);
    assert_eq!(
        sections[0].text,
        "- Answer in the user's language.\n- Never promise a date."
    );
}

#[tokio::test]
async fn the_key_is_in_the_arguments_of_its_tool_and_no_other() {
    let session = session();
    let mut weather = before("weather");
    session.run(&mut weather).await;
    let arguments: serde_json::Value =
        serde_json::from_str(&weather.views.tool_arguments).expect("JSON");
    assert_eq!(arguments["key"], "the WEATHER_KEY");
    let mut other = before("search");
    session.run(&mut other).await;
    assert!(!other.views.tool_arguments.contains("WEATHER_KEY"));
}
