//! Agents, hooks and tools for tests.

use std::sync::Arc;

use async_trait::async_trait;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};
use portcullis::contract::{ContentPart, Message, Rejection, Role, ToolSpec};
use portcullis::points::Point;
use portcullis::verdict::Failure;
use portcullis::{Call, NativeHook, Session};
use portcullis_agent::{
    Agent, AgentBuilder, AgentEvent, AgentSession, EventReceiver, EventSender, NewSession, Script,
    Tool, ToolError, ToolOutput, ToolRun, Toolbox,
};
pub use portcullis_parity::{Echo, Trail, quick, recorder};
use serde_json::Value;

/// Adds a native hook of role `transform`, which fails closed.
pub fn hook<P, F>(session: &mut Session, id: &str, answer: F)
where
    P: Point,
    F: Fn(&Call<P>) -> Result<P::Outcome, Failure> + Send + Sync + 'static,
{
    session.add(NativeHook::new(id).on::<P>(answer)).unwrap();
}

/// Adds a hook to every point that records the point and continues.
pub fn record_all(session: &mut Session, trail: &Trail) {
    session.add(recorder("a-recorder", trail)).unwrap();
}

pub fn rejection(code: &str, reason: &str) -> Rejection {
    Rejection {
        code: code.into(),
        reason: reason.into(),
        details: None,
    }
}

pub fn text(text: &str) -> Vec<ContentPart> {
    vec![ContentPart::Text(text.into())]
}

/// Returns the text of a message and its tool results.
pub fn said(message: &Message) -> String {
    message
        .content
        .iter()
        .map(|part| match part {
            ContentPart::Text(text) | ContentPart::Thinking(text) => text.clone(),
            ContentPart::ToolResult(result) => result.content.clone(),
            ContentPart::ToolCall(call) => format!("{}({})", call.name, call.arguments),
            ContentPart::Image(_) => "[image]".into(),
        })
        .collect()
}

/// Returns the conversation as `role: text` lines.
pub fn lines(session: &AgentSession) -> Vec<String> {
    let role = |role| match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    session
        .conversation()
        .iter()
        .map(|message| format!("{}: {}", role(message.role), said(message)))
        .collect()
}

/// Returns a toolbox with `echo` and `other`.
pub fn toolbox(trail: &Trail) -> Arc<Toolbox> {
    let mut toolbox = Toolbox::new();
    for name in ["echo", "other"] {
        let trail = trail.clone();
        toolbox.add(Arc::new(Echo { name, trail })).unwrap();
    }
    Arc::new(toolbox)
}

type Work =
    dyn Fn(Value, ToolRun) -> BoxFuture<'static, Result<ToolOutput, ToolError>> + Send + Sync;

/// A tool that accepts any arguments and calls this function.
pub struct Does {
    name: &'static str,
    work: Box<Work>,
}

impl Does {
    pub fn tool<F>(
        name: &'static str,
        work: impl Fn(Value, ToolRun) -> F + Send + Sync + 'static,
    ) -> Arc<dyn Tool>
    where
        F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
    {
        let work = Box::new(move |arguments, run| work(arguments, run).boxed());
        Arc::new(Self { name, work })
    }
}

pub fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: "Does something.".into(),
        schema: r#"{"type": "object"}"#.into(),
    }
}

#[async_trait]
impl Tool for Does {
    fn spec(&self) -> ToolSpec {
        spec(self.name)
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        (self.work)(arguments, run).await
    }
}

/// Returns a toolbox with `echo`, `other` and these tools.
pub fn toolbox_with(trail: &Trail, more: impl IntoIterator<Item = Arc<dyn Tool>>) -> Arc<Toolbox> {
    let mut toolbox = Toolbox::clone(&toolbox(trail));
    toolbox.extend(more).unwrap();
    Arc::new(toolbox)
}

/// An approver that returns this decision.
pub struct Says(pub ApprovalDecision);

impl Approver for Says {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        std::future::ready(self.0.clone()).boxed()
    }
}

/// Checks that providers accept the conversation: every call has one result, directly after it.
pub fn assert_whole(messages: &[Message]) {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        for part in &message.content {
            match part {
                ContentPart::ToolResult(result) => {
                    let at = open.iter().position(|id| *id == result.call_id);
                    open.remove(at.unwrap_or_else(|| panic!("no call for {result:?}")));
                }
                _ => assert!(
                    open.is_empty() || message.role == Role::Assistant,
                    "{open:?} have no result in {messages:#?}"
                ),
            }
        }
        for part in &message.content {
            if let ContentPart::ToolCall(call) = part {
                open.push(&call.id);
            }
        }
    }
    assert!(open.is_empty(), "{open:?} have no result");
}

/// An agent under test, with its script and its events.
pub struct Bench {
    pub agent: Agent,
    pub script: Script,
    pub trail: Trail,
    pub events: EventReceiver,
}

/// Returns an agent that plays `script`, with the tools `echo` and `other`.
pub fn bench(script: &str, more: impl FnOnce(AgentBuilder, &Trail) -> AgentBuilder) -> Bench {
    let script = Script::parse(script).unwrap();
    let trail = Trail::default();
    let events = EventSender::new();
    let receiver = events.subscribe();
    let builder = Agent::builder()
        .providers(script.providers())
        .tools(toolbox(&trail))
        .events(events)
        .config(quick());
    let agent = more(builder, &trail).build().unwrap();
    Bench {
        agent,
        script,
        trail,
        events: receiver,
    }
}

impl Bench {
    pub async fn session(&self) -> AgentSession {
        self.agent.session(NewSession::default()).await.unwrap()
    }

    /// Returns the events so far.
    pub fn events_so_far(&mut self) -> Vec<AgentEvent> {
        let mut events = Vec::new();
        while let Some(emitted) = self.events.try_next() {
            events.push(emitted.event.clone());
        }
        events
    }
}

/// Returns a script of one provider with these responses, each JSON.
pub fn responses(responses: &[&str]) -> String {
    format!(r#"{{"responses": [{}]}}"#, responses.join(","))
}

/// Returns a response that calls `echo` with this text.
pub fn calls_echo(text: &str) -> String {
    format!(r#"{{"tool_calls": [{{"name": "echo", "arguments": {{"text": "{text}"}}}}]}}"#)
}
