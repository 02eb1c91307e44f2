//! Answers that the model gives as the arguments of rig's output tool.

use rig_agent::AgentBuilder;
use rig_agent::agent::OutputMode;
use rig_agent::extractor::ExtractorBuilder;
use rig_core::schemars::{self, Schema};
use serde_json::json;

use crate::script::Script;
use crate::{Case, tool};

/// What a run ends with that must answer with a path, if the model says so by the output tool.
async fn answer(settings: &str) -> Result<String, String> {
    let case = Case::new(settings).await;
    let schema =
        json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let schema = Schema::try_from(schema).expect("a schema");
    let agent = AgentBuilder::new(Script::calling("final_result", "a").model())
        .dynamic_tool(tool(&case.paths))
        .output_schema_raw(schema)
        .output_mode(OutputMode::Tool)
        .add_hook(case.hook.clone())
        .build();
    let answer = agent.prompt("Hello").max_turns(4).await;
    let answer = answer.map(|answer| answer.to_string());
    answer.map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_structured_answer_passes_the_end_of_the_turn() {
    assert_eq!(answer("").await.unwrap(), r#"{"path":"a"}"#);
    let error = answer("post-turn = \"reject\"").await.unwrap_err();
    assert!(error.contains("The answer was withheld"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_structured_answer_is_refused() {
    let error = answer("post-turn = \"append !\"").await.unwrap_err();
    assert!(error.contains("which rig cannot change"), "{error}");
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Extracted {
    path: String,
}

/// What an extractor gives whose model submits a path.
async fn extracted(settings: &str) -> Result<String, String> {
    let case = Case::new(settings).await;
    let agent = AgentBuilder::new(Script::calling("submit", "a").model());
    let agent = agent.add_hook(case.hook.clone());
    let extractor = ExtractorBuilder::<Extracted>::from_agent_builder(agent).build();
    let given = extractor.extract("It is at a.").await;
    given
        .map(|given| given.output.path)
        .map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_extracted_passes_the_end_of_the_turn() {
    assert_eq!(extracted("").await.unwrap(), "a");
    let error = extracted("post-turn = \"reject\"").await.unwrap_err();
    assert!(error.contains("The answer was withheld"), "{error}");
}
