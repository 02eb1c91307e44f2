//! Model answers as the arguments of rig's output tool.

use portcullis_tests::HooksDir;
use rig_agent::AgentBuilder;
use rig_agent::agent::OutputMode;
use rig_agent::extractor::ExtractorBuilder;
use rig_agent::tool::{DynamicTool, ToolOutput};
use rig_core::schemars::{self, Schema};
use rig_core::structured_output::OUTPUT_TOOL_DESCRIPTION;
use serde_json::json;

use crate::script::Script;
use crate::{Case, tool};

/// Returns the result of a run that must answer with a path, if the model answers by the output
/// tool.
async fn answer(settings: &str) -> Result<String, String> {
    let case = Case::new(settings).await;
    answer_of(case, Script::calling("final_result", "a")).await
}

/// Returns the same result, with this script. The agent also has a tool `x`, whose description is
/// that of rig's output tool.
async fn answer_of(case: Case, script: Script) -> Result<String, String> {
    let schema =
        json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let name = "x".try_into().expect("a name");
    let described = DynamicTool::new(name, OUTPUT_TOOL_DESCRIPTION, schema.clone(), |_| {
        Box::pin(async { Ok(ToolOutput::text("ran")) })
    });
    let schema = Schema::try_from(schema).expect("a schema");
    let agent = AgentBuilder::new(script.model())
        .dynamic_tool(tool(&case.paths))
        .dynamic_tool(described)
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

/// Returns the settings of a command at `post-turn` that refuses an answer with this word.
fn refuses(word: &str) -> String {
    format!(
        "[scripts.refuses]\ncommand = [\"sh\", \"-c\", \"if grep -q {word}; then exit 2; fi\"]\n\
         points = [\"post-turn\"]\nviews = [\"content\"]\n"
    )
}

/// Hooks see the answer that rig returns, even if another tool has the description of the output
/// tool.
#[tokio::test(flavor = "multi_thread")]
async fn another_tool_is_not_taken_for_the_answer() {
    let both = || Script::calling_all([("x", "first"), ("final_result", "second")]);
    let case = Case::of(HooksDir::new().settings(&refuses("first"))).await;
    assert_eq!(
        answer_of(case, both()).await.unwrap(),
        r#"{"path":"second"}"#
    );
    let case = Case::of(HooksDir::new().settings(&refuses("second"))).await;
    let error = answer_of(case, both()).await.unwrap_err();
    assert!(error.contains("The answer was withheld"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_another_tool_does_not_end_the_turn() {
    let case = Case::of(HooksDir::new().settings(&refuses("first"))).await;
    let answer = answer_of(case, Script::calling("x", "first")).await;
    assert!(answer.is_ok(), "{answer:?}");
}

/// rig accepts the answer even if the request does not offer the output tool.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_by_a_hidden_tool_passes_the_end_of_the_turn() {
    let hides = "[scripts.hides]\ncommand = [\"cat\", \"outcome.json\"]\npoints = [\"pre-llm-call\"]\nrole = \"transform\"\n";
    let outcome = br#"{"transform": {"tools": [], "messages": []}}"#;
    let dir = HooksDir::new().with_file("outcome.json", outcome);
    let case = Case::of(dir.settings(&format!("{hides}{}", refuses("answer")))).await;
    let error = answer_of(case, Script::calling("final_result", "answer")).await;
    let error = error.unwrap_err();
    assert!(error.contains("The answer was withheld"), "{error}");
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Extracted {
    path: String,
}

/// Returns the result of an extractor whose model submits a path.
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
