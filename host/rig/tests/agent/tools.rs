//! The data that passes the hooks around a tool, and the tools that may run.

use portcullis_rig::PortcullisHook;
use portcullis_tests::HooksDir;
use rig_agent::AgentBuilder;
use rig_agent::agent::{
    AgentHook, HookContext, ModelTurnAction, ModelTurnFinished, OutcomeAction, OutcomeEvent,
};
use rig_core::effect::EffectKind;
use rig_core::error::{ErrorKind, ErrorReport};

use crate::script::Script;
use crate::{Case, tool};

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_passes_the_hooks_after_the_call() {
    for (action, text) in [
        ("append , checked", "from the hook, checked"),
        ("reject", "The tool's output was withheld"),
    ] {
        let answer = "pre-tool-call = \"answer from the hook\"";
        let case = Case::new(&format!("{answer}\npost-tool-call = \"{action}\"")).await;
        case.run().await.unwrap();
        assert!(case.paths().is_empty());
        let output = case.script.output();
        assert!(output.contains(text), "{output}");
    }
}

/// A hook that replaces the result of each tool with a dispatch error.
struct Breaks(ErrorKind);

impl AgentHook for Breaks {
    async fn on_outcome(&self, _: &HookContext, event: OutcomeEvent<'_>) -> OutcomeAction {
        match event.kind {
            EffectKind::ToolCall { .. } => {
                OutcomeAction::Replace(Err(ErrorReport::new(self.0, "the secret")))
            }
            _ => OutcomeAction::Proceed,
        }
    }
}

/// Returns the result of a run whose tool fails with this error, and whose hook redacts results.
async fn broken(kind: ErrorKind) -> (Case, Result<String, String>) {
    let case = Case::new("post-tool-call = \"transform redacted\"").await;
    let agent = AgentBuilder::new(case.script.model())
        .dynamic_tool(tool(&case.paths))
        .add_hook(Breaks(kind))
        .add_hook(case.hook.clone())
        .build();
    let answer = agent.prompt("Hello").max_turns(4).await;
    let answer = answer.map(|answer| answer.to_string());
    (case, answer.map_err(|error| error.to_string()))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_the_dispatch_passes_the_hooks() {
    let (case, answer) = broken(ErrorKind::Timeout).await;
    assert_eq!(answer.unwrap(), "done");
    let output = case.script.output();
    assert!(
        output.contains("redacted") && !output.contains("secret"),
        "{output}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_that_ends_the_run_ends_it() {
    let (case, answer) = broken(ErrorKind::BusClosed).await;
    assert!(answer.is_err());
    assert_eq!(case.calls(), 1);
}

/// Returns a hook that hides all tools from the model.
fn hides() -> HooksDir {
    let outcome = br#"{"transform": {"tools": [], "messages": []}}"#;
    HooksDir::new().with_file("outcome.json", outcome).settings(
        "[scripts.told]\ncommand = [\"cat\", \"outcome.json\"]\npoints = [\"pre-llm-call\"]\nrole = \"transform\"\n",
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_tool_does_not_run() {
    let case = Case::of(hides()).await;
    assert_eq!(case.run().await.unwrap(), "done");
    assert!(case.paths().is_empty());
    let output = case.script.output();
    assert!(
        output.contains("no tool called `write` was offered"),
        "{output}"
    );
}

/// A hook that runs an agent without tools in the same session before another agent's tools are
/// called.
struct RunsAnother(PortcullisHook);

impl AgentHook for RunsAnother {
    async fn on_model_turn_finished(
        &self,
        cx: &HookContext,
        _: ModelTurnFinished<'_>,
    ) -> ModelTurnAction {
        if cx.turn() == 1 {
            let agent = AgentBuilder::new(Script::default().model());
            let agent = agent.add_hook(self.0.clone()).build();
            agent.prompt("And you?").await.expect("an answer");
        }
        ModelTurnAction::Continue
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_a_session_have_tools_of_their_own() {
    let case = Case::new("").await;
    let agent = AgentBuilder::new(case.script.model())
        .dynamic_tool(tool(&case.paths))
        .add_hook(RunsAnother(case.hook.clone()))
        .add_hook(case.hook.clone())
        .build();
    let answer = agent.prompt("Hello").max_turns(4).await.unwrap();
    assert_eq!(answer.to_string(), "done");
    assert_eq!(case.paths(), ["a"]);
}
