//! Agents with a scripted model and a real component as a hook.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use portcullis::hooks::CacheChoice;
use portcullis::settings::TelemetryTable;
use portcullis::{Hooks, LoadOptions};
use portcullis_agent::{
    Agent, AgentBuilder, AgentConfig, NewSession, RetryConfig, Script, Tool, ToolError, ToolOutput,
    ToolRun, Toolbox,
};
use portcullis_collector::Collector;
use portcullis_telemetry::Telemetry;
use serde_json::{Value, json};

/// The frozen probe, whose settings choose its action at each point.
const PROBE: &str = "../../tests/frozen/0.2.0/probe.wasm";

/// Loads the probe with these actions at its points.
pub fn probe(does: &str) -> Hooks {
    probe_under(does, "")
}

/// Loads the probe with these actions and more settings.
pub fn probe_under(does: &str, settings: &str) -> Hooks {
    let dir = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(root.join(PROBE), dir.path().join("probe.wasm")).unwrap();
    let settings = format!(
        "{settings}\n[hooks.probe.grants]\nstate = true\nevents = true\n\
         contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
         [hooks.probe.config]\n{does}\n"
    );
    std::fs::write(dir.path().join("hooks.toml"), settings).unwrap();
    let options = LoadOptions {
        cache: CacheChoice::Dir(root.join("../../target/test-cache")),
        ..LoadOptions::default()
    };
    Hooks::load(dir.path(), &options).unwrap()
}

/// A tool that returns its arguments and its trace.
pub struct Echo(pub &'static str);

#[async_trait]
impl Tool for Echo {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.0.into(),
            description: "Says it again.".into(),
            schema: json!({ "type": "object" }).to_string(),
        }
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let trace = run.trace.map(|trace| trace.traceparent());
        Ok(ToolOutput::ok(format!(
            "{arguments} {}",
            trace.unwrap_or_default()
        )))
    }
}

/// Returns an agent with these responses and hooks, and the tools `echo` and `other`.
pub fn agent(responses: &[Value], hooks: Hooks) -> AgentBuilder {
    let script = Script::parse(&json!({ "model": "model-1", "responses": responses }).to_string());
    let mut tools = Toolbox::new();
    for name in ["echo", "other"] {
        tools.add(Arc::new(Echo(name))).unwrap();
    }
    Agent::builder()
        .providers(script.unwrap().providers())
        .tools(Arc::new(tools))
        .hooks(hooks)
        .config(AgentConfig {
            name: "clerk".into(),
            retry: RetryConfig {
                base_delay_ms: 1,
                ..RetryConfig::default()
            },
            ..AgentConfig::default()
        })
}

/// Returns a response that calls tools.
pub fn calls(tools: &[(&str, &str)]) -> Value {
    let calls: Vec<_> = tools
        .iter()
        .map(|(name, id)| json!({ "name": name, "id": id, "arguments": { "word": "sesame" } }))
        .collect();
    json!({ "tool_calls": calls, "usage": { "input_tokens": 10, "output_tokens": 3 } })
}

/// Returns a response with this text.
pub fn says(text: &str) -> Value {
    json!({ "text": text, "usage": { "input_tokens": 20, "output_tokens": 5 } })
}

/// Returns settings that send to a collector.
pub fn table(collector: &Collector) -> TelemetryTable {
    TelemetryTable {
        endpoint: Some(collector.address().to_owned()),
        ..TelemetryTable::default()
    }
}

/// The most time that sending at the end may take, on a busy machine.
pub const WITHIN: Duration = Duration::from_secs(10);

/// Runs one turn in a session. Returns the collector that received its signals.
pub async fn traced(agent: AgentBuilder) -> Collector {
    let (collector, _) = traced_in(agent, NewSession::default(), |table| table).await;
    collector
}

/// Runs one turn in this session with these settings. Returns the collector and the conversation.
pub async fn traced_in(
    agent: AgentBuilder,
    new: NewSession,
    settings: impl FnOnce(TelemetryTable) -> TelemetryTable,
) -> (Collector, String) {
    let collector = Collector::start().await;
    let said = told(agent, new, &settings(table(&collector))).await;
    (collector, said)
}

/// Runs a session of one turn with telemetry. Returns the session's conversation.
pub async fn told(agent: AgentBuilder, new: NewSession, table: &TelemetryTable) -> String {
    let telemetry = Telemetry::start(table).await.unwrap();
    let agent = agent.tracer(telemetry.tracer()).build().unwrap();
    let mut session = agent.session(new).await.unwrap();
    // Some turns are refused, which the spans show.
    let _ = session.turn("Open sesame.").await;
    let said = format!("{:?}", session.conversation());
    session.close().await;
    telemetry.end(WITHIN).await;
    said
}
