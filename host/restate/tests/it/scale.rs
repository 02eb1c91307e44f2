//! What two workers do in the time of one, and what a session costs that waits.
//!
//! ```text
//! cargo test -p portcullis-restate --test it -- scale --include-ignored --nocapture
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::StreamExt as _;
use portcullis::contract::{ContentPart, Role, StopReason, ToolCall, ToolSpec};
use portcullis_agent::{
    Agent, AgentConfig, DeltaSink, LlmRequest, LlmResponse, NewSession, Provider, ProviderError,
    Tool, ToolError, ToolOutput, ToolRun, Toolbox,
};
use portcullis_parity::{Dies, Mortality, NO_USAGE};
use portcullis_restate::{Client, Outcome, TurnRequest, register};
use portcullis_restate_server::{ADMIN, INGRESS, resident_kb};
use serde_json::Value;

use crate::balancer::Balancer;
use crate::worker::Thread;

const TURNS: usize = 64;
const AT_ONCE: usize = 16;
const TOOLS: usize = 5;
/// A tool that has its worker for itself for so long, as a computation has on a machine of its own.
const WORK: Duration = Duration::from_millis(100);

/// A model that calls a tool five times, and then answers. Asked to `wait`, it calls one of the client's.
struct Model;

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
        let waits = format!("{:?}", request.messages).contains("wait");
        let said = request.messages.iter();
        let said = said
            .filter(|message| message.role == Role::Assistant)
            .count();
        let call = |name: &str| {
            vec![ContentPart::ToolCall(ToolCall {
                id: format!("c{said}"),
                name: name.into(),
                arguments: "{}".into(),
            })]
        };
        let (stop, content) = match (waits, said) {
            (true, _) => (StopReason::ToolUse, call("browser")),
            (false, 0..TOOLS) => (StopReason::ToolUse, call("work")),
            _ => (StopReason::EndTurn, vec![ContentPart::Text("done".into())]),
        };
        Ok(LlmResponse {
            stop,
            content,
            usage: NO_USAGE,
        })
    }
}

struct Work;

fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: "Works.".into(),
        schema: r#"{"type": "object"}"#.into(),
    }
}

#[async_trait]
impl Tool for Work {
    fn spec(&self) -> ToolSpec {
        spec("work")
    }

    async fn execute(&self, _: Value, _: ToolRun) -> Result<ToolOutput, ToolError> {
        std::thread::sleep(WORK);
        Ok(ToolOutput::ok("worked"))
    }
}

fn agent() -> Agent {
    let mut tools = Toolbox::new();
    tools.add(Arc::new(Work)).unwrap();
    let config = AgentConfig {
        name: "scaled".into(),
        ..AgentConfig::default()
    };
    let agent = Agent::builder().provider("m", Arc::new(Model));
    let agent = agent.tools(Arc::new(tools)).client_tool(spec("browser"));
    agent.config(config).build().unwrap()
}

async fn turn(client: &Client, session: &str, text: &str) -> Outcome {
    let request = TurnRequest {
        id: NewSession::default().id,
        text: text.into(),
    };
    client.turn(session, &request, |_: &str| {}).await.unwrap()
}

async fn turns(client: &Client, name: &str, count: usize) -> Duration {
    let start = Instant::now();
    let turns = futures::stream::iter(0..count).map(|number| async move {
        let outcome = turn(client, &format!("{name}{number}"), "go").await;
        assert!(matches!(outcome, Outcome::Done { .. }), "{outcome:?}");
    });
    turns.buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
    start.elapsed()
}

/// A measurement, which says nothing on a machine that does something else.
#[ignore = "a measurement"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_do_more_than_one() {
    let Some(server) = portcullis_restate_server::own() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let worker = async || {
        let never = Mortality::new(Dies::Never);
        Thread::start(dir.path(), agent(), NewSession::default(), never).await
    };
    let balancer = Balancer::start().await;
    let client = Client::new(INGRESS.parse().unwrap(), "scaled");
    let (first, second) = (worker().await, worker().await);
    balancer.set(&[first.address]);
    register(&ADMIN.parse().unwrap(), &balancer.url())
        .await
        .unwrap();
    turns(&client, "warm", AT_ONCE).await;
    let one = turns(&client, "one", TURNS).await;
    // Connections are shared out when they are made.
    balancer.set(&[]);
    while balancer.open() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    balancer.set(&[first.address, second.address]);
    turns(&client, "warm again", AT_ONCE).await;
    let two = turns(&client, "two", TURNS).await;
    println!(
        "{TURNS} turns of {TOOLS} tools of {WORK:?}, {AT_ONCE} at once: {one:?} with one worker, {two:?} with two: {:.2} x; \
         connections: {:?}",
        one.as_secs_f64() / two.as_secs_f64(),
        balancer.open()
    );
    let this = std::process::id();
    let before = (resident_kb(this), server.resident_kb());
    for number in 0..TURNS {
        let outcome = turn(&client, &format!("waits{number}"), "wait").await;
        assert!(matches!(outcome, Outcome::Suspended { .. }), "{outcome:?}");
    }
    let after = (resident_kb(this), server.resident_kb());
    println!(
        "{TURNS} sessions that wait: the workers have {} KiB more, the server {} KiB more (it has {} MiB)",
        after.0.saturating_sub(before.0),
        after.1.saturating_sub(before.1),
        after.1 / 1024
    );
}
