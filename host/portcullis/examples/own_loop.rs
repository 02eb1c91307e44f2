//! An agent loop of an embedder, with hooks around the turn, the model call and the tool call:
//! `cargo run -p portcullis --example own_loop -- DIR TEXT`. The model and the tool are stubs.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use portcullis::contract::{ContentPart, Context, Message, Rejection, Role, ToolSpec};
use portcullis::points::pre_tool_call::ExecutionGrant;
use portcullis::points::{PreLlmCall, PreToolCall, PreTurn, pre_llm_call, pre_turn};
use portcullis::text::sanitize_for_terminal;
use portcullis::tools::ToolCatalog;
use portcullis::verdict::HookFailed;
use portcullis::{
    Call, Decision, ErrorReport, HookId, Hooks, LoadOptions, Session, SessionOptions, Views,
};

/// The reason that a turn ended early.
#[derive(Debug, thiserror::Error)]
enum Ended {
    #[error("{by} refuses: {}", sanitize_for_terminal(&rejection.reason))]
    Refused { by: HookId, rejection: Rejection },
    #[error(transparent)]
    Failed(#[from] HookFailed),
    #[error("nobody can be asked here")]
    Asked,
    #[error(transparent)]
    Arguments(#[from] portcullis::points::InvalidValue),
}

struct Agent {
    session: Session,
    tools: Arc<ToolCatalog>,
    messages: Arc<Vec<Message>>,
    turn: u32,
    step: u32,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ErrorReport> {
    let mut arguments = env::args_os().skip(1);
    let dir = arguments
        .next()
        .map_or_else(|| "hooks".into(), PathBuf::from);
    let text = arguments.next().unwrap_or_default();

    let hooks = Hooks::load(&dir, &LoadOptions::default())?;
    let mut agent = Agent {
        session: hooks.session(SessionOptions::new("session-1")),
        tools: Arc::new(ToolCatalog::new([ToolSpec {
            name: "word_count".into(),
            description: "Counts the words of a text.".into(),
            schema:
                r#"{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}"#
                    .into(),
        }])?),
        messages: Arc::default(),
        turn: 0,
        step: 0,
    };
    println!("{}", agent.turn(&text.to_string_lossy()).await?);
    Ok(())
}

impl Agent {
    fn context(&self) -> Context {
        Context {
            session_id: self.session.id().into(),
            agent: "toy".into(),
            turn: self.turn,
            step: self.step,
        }
    }

    /// Runs a turn: the model calls the tool once, and then answers.
    async fn turn(&mut self, said: &str) -> Result<String, Ended> {
        (self.turn, self.step) = (self.turn + 1, 0);
        let content = vec![ContentPart::Text(said.into())];
        let facts = pre_turn::facts(&content);
        let views = Views {
            content: Arc::new(content),
            ..Views::default()
        };
        let mut call = Call::<PreTurn>::new(self.context(), facts, views);
        match self.session.run(&mut call).await.decision {
            // The content with the hooks' changes.
            Decision::Passed => self.push(Role::User, call.views.content.to_vec()),
            Decision::Answered { answer, .. } => return Ok(text_of(&answer)),
            Decision::Rejected { by, rejection } => return Err(Ended::Refused { by, rejection }),
            Decision::Failed(failed) => return Err(failed.into()),
            // These cases cannot occur at this point: their types have no values.
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
        self.step = 1;
        let wanted = self.model_call().await?;
        let arguments = serde_json::json!({ "text": wanted }).to_string();
        let counted = self.tool_call("word_count", &arguments).await?;
        Ok(format!("Your message has {counted} words."))
    }

    /// Calls the model. The stub repeats the last message, with the hooks' changes.
    async fn model_call(&mut self) -> Result<String, Ended> {
        let facts = pre_llm_call::LlmCall {
            provider: "toy".into(),
            model: "echo".into(),
            attempt: 1,
            messages: u32::try_from(self.messages.len()).unwrap_or(u32::MAX),
            tools: u32::try_from(self.tools.len()).unwrap_or(u32::MAX),
            estimated_tokens: 0,
            temperature: None,
            max_output_tokens: None,
        };
        let views = Views {
            conversation: self.messages.clone(),
            tools: self.tools.clone(),
            ..Views::default()
        };
        let mut call = Call::<PreLlmCall>::new(self.context(), facts, views);
        match self.session.run(&mut call).await.decision {
            Decision::Passed => {}
            Decision::Answered { answer, .. } => return Ok(text_of(&answer.content)),
            Decision::Rejected { by, rejection } => return Err(Ended::Refused { by, rejection }),
            Decision::Failed(failed) => return Err(failed.into()),
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
        // The hooks' changes apply to this call alone: `self.messages` stays unchanged.
        let last = call.views.conversation.last();
        Ok(last
            .map(|message| text_of(&message.content))
            .unwrap_or_default())
    }

    /// Calls a tool, with the hooks' changes in the arguments. They fit the tool's schema.
    async fn tool_call(&mut self, tool: &str, arguments: &str) -> Result<String, Ended> {
        let grant = ExecutionGrant {
            working_dir: None,
            timeout_ms: 1_000,
        };
        let mut call = Call::of_tool(
            self.context(),
            "call-1",
            tool,
            arguments,
            grant,
            &self.tools,
        )?;
        match self.session.run::<PreToolCall>(&mut call).await.decision {
            Decision::Passed => {}
            Decision::Answered { answer, .. } => return Ok(answer.content),
            Decision::Rejected { by, rejection } => return Err(Ended::Refused { by, rejection }),
            Decision::Failed(failed) => return Err(failed.into()),
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(_) => return Err(Ended::Asked),
        }
        Ok(call
            .views
            .tool_arguments
            .split_whitespace()
            .count()
            .to_string())
    }

    fn push(&mut self, role: Role, content: Vec<ContentPart>) {
        Arc::make_mut(&mut self.messages).push(Message { role, content });
    }
}

fn text_of(content: &[ContentPart]) -> String {
    let texts = content.iter().filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
