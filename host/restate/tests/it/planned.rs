//! An agent whose model calls tools by a plan.

use std::sync::Arc;

use async_trait::async_trait;
use portcullis::contract::{ContentPart, Role, StopReason, ToolCall, ToolSpec};
use portcullis_agent::{
    Agent, AgentConfig, DeltaSink, LlmRequest, LlmResponse, Provider, ProviderError, Tool,
    ToolError, ToolOutput, ToolRun, Toolbox,
};
use portcullis_parity::NO_USAGE;
use serde_json::Value;

/// The agent's tool, and the tool that its client has.
pub const WORK: &str = "work";
pub const BROWSER: &str = "browser";

/// Returns the tools that the model calls in a conversation, one after another. Then the model answers.
pub type Plan = fn(&LlmRequest) -> &'static [&'static str];

struct Model(Plan);

#[async_trait]
impl Provider for Model {
    fn default_model(&self) -> &str {
        "m"
    }

    async fn complete(
        &self,
        request: LlmRequest,
        _: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        let said = request.messages.iter();
        let said = said
            .filter(|message| message.role == Role::Assistant)
            .count();
        let (stop, part) = match (self.0)(&request).get(said) {
            Some(name) => {
                let call = ToolCall {
                    id: format!("c{said}"),
                    name: (*name).into(),
                    arguments: "{}".into(),
                };
                (StopReason::ToolUse, ContentPart::ToolCall(call))
            }
            None => (StopReason::EndTurn, ContentPart::Text("done".into())),
        };
        Ok(LlmResponse {
            stop,
            content: vec![part],
            usage: NO_USAGE,
        })
    }
}

struct Work<F>(F);

fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: "Works.".into(),
        schema: r#"{"type": "object"}"#.into(),
    }
}

#[async_trait]
impl<F: Fn(ToolRun) + Send + Sync> Tool for Work<F> {
    fn spec(&self) -> ToolSpec {
        spec(WORK)
    }

    async fn execute(&self, _: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        (self.0)(run);
        Ok(ToolOutput::ok("worked"))
    }
}

/// Returns an agent of this name. `work` is its tool's work.
pub fn agent(name: &str, plan: Plan, work: impl Fn(ToolRun) + Send + Sync + 'static) -> Agent {
    let mut tools = Toolbox::new();
    tools.add(Arc::new(Work(work))).unwrap();
    let config = AgentConfig {
        name: name.into(),
        ..AgentConfig::default()
    };
    let agent = Agent::builder().provider("m", Arc::new(Model(plan)));
    let agent = agent.tools(Arc::new(tools)).client_tool(spec(BROWSER));
    agent.config(config).build().unwrap()
}
