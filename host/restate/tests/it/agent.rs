//! The agent of the tests. It has no state of its own, so that any process continues it, and what it does is in files.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use portcullis::NativeHook;
use portcullis::contract::{ContentPart, Role, StopReason, ToolCall, ToolSpec, Usage};
use portcullis::points::{self, Point};
use portcullis_agent::{
    Agent, AgentConfig, DeltaSink, EventSender, LlmRequest, LlmResponse, Provider, ProviderError,
    Replay, RetryConfig, SetState, Tool, ToolError, ToolOutput, ToolRun, ToolStrategy, Toolbox,
};
use serde_json::{Value, json};

/// When a process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dies {
    Never,
    /// Before what it does so-and-so many times later.
    Before(usize),
    /// After it.
    After(usize),
}

/// What was done outside, a line for each.
pub struct Deeds {
    file: PathBuf,
    dies: Dies,
    count: AtomicUsize,
}

impl Deeds {
    pub fn new(dir: &Path, dies: Dies) -> Arc<Self> {
        Arc::new(Self {
            file: dir.join("done"),
            dies,
            count: AtomicUsize::new(0),
        })
    }

    pub fn add(&self, what: &str) {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        if self.dies == Dies::Before(number) {
            std::process::abort();
        }
        let file = File::options().create(true).append(true).open(&self.file);
        file.unwrap()
            .write_all(format!("{what}\n").as_bytes())
            .unwrap();
        if self.dies == Dies::After(number) {
            std::process::abort();
        }
    }
}

/// What was done, and is not read again.
pub fn take_done(dir: &Path) -> Vec<String> {
    let file = dir.join("done");
    let done = std::fs::read_to_string(&file).unwrap_or_default();
    let _ = std::fs::remove_file(file);
    done.lines().map(str::to_owned).collect()
}

/// A hook at every point that records the point.
fn recorder(deeds: &Arc<Deeds>) -> NativeHook {
    let mut hook = NativeHook::new("recorder");
    macro_rules! record {
        ($($point:ident $module:ident),*) => {$({
            let deeds = deeds.clone();
            hook = hook.on::<points::$point>(move |_| {
                deeds.add(<points::$point as Point>::INFO.name);
                Ok(points::$module::Outcome::Continue)
            });
        })*};
    }
    record!(
        SessionStart session_start, SessionEnd session_end, PreTurn pre_turn, PostTurn post_turn,
        TurnError turn_error, TurnSuspended turn_suspended, TurnResumed turn_resumed,
        PromptCompile prompt_compile, PreStep pre_step, PostStep post_step,
        PreLlmCall pre_llm_call, PostLlmCall post_llm_call, PreToolCall pre_tool_call,
        PostToolCall post_tool_call, StateChanged state_changed, MessageAdded message_added,
        PreSubagent pre_subagent, PostSubagent post_subagent
    );
    hook
}

/// A model that answers by how often it has answered since the user spoke.
struct Model {
    answers: Vec<Vec<ContentPart>>,
    deeds: Arc<Deeds>,
}

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
        self.deeds.add("model");
        let last = request.messages.iter().rev();
        let said = last.take_while(|m| m.role != Role::User);
        let said = said.filter(|m| m.role == Role::Assistant).count();
        let user = request.messages.iter().rev().find(|m| m.role == Role::User);
        let wants = user.map(|m| format!("{:?}", m.content)).unwrap_or_default();
        let answers = match (wants.contains("wait"), wants.contains("ask")) {
            (true, _) => vec![
                vec![call("w1", "slow", json!({}))],
                vec![ContentPart::Text("it was slow".into())],
            ],
            (_, true) => vec![
                vec![call("b1", "browser", json!({}))],
                vec![ContentPart::Text("it was asked".into())],
            ],
            _ => self.answers.clone(),
        };
        let content = answers[said.min(answers.len() - 1)].clone();
        let calls = content
            .iter()
            .any(|p| matches!(p, ContentPart::ToolCall(_)));
        Ok(LlmResponse {
            stop: match calls {
                true => StopReason::ToolUse,
                false => StopReason::EndTurn,
            },
            content,
            usage: Usage {
                input_tokens: 10,
                output_tokens: 1,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        })
    }
}

fn call(id: &str, name: &str, arguments: Value) -> ContentPart {
    ContentPart::ToolCall(ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.to_string(),
    })
}

fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: "Does something.".into(),
        schema: r#"{"type": "object"}"#.into(),
    }
}

/// A tool that writes its key.
struct Writes {
    name: &'static str,
    deeds: Arc<Deeds>,
}

#[async_trait]
impl Tool for Writes {
    fn spec(&self) -> ToolSpec {
        spec(self.name)
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let key = run.key.unwrap_or_default();
        match self.name {
            "slow" => {
                self.deeds.add("slow begins");
                tokio::time::sleep(Duration::from_secs(600)).await;
            }
            // Work that keeps a worker busy.
            "work" => std::thread::sleep(Duration::from_millis(10)),
            _ => self.deeds.add(&format!("tool {key}")),
        }
        let text = arguments["text"].as_str().unwrap_or_default();
        Ok(ToolOutput::ok(format!("{} {text}", self.name)))
    }
}

fn toolbox(deeds: &Arc<Deeds>, replay: Replay) -> Toolbox {
    let mut tools = Toolbox::new();
    for name in ["echo", "other", "slow", "work"] {
        let deeds = deeds.clone();
        tools.add(Arc::new(Writes { name, deeds })).unwrap();
        tools.set_replay(name, replay);
    }
    tools.add(Arc::new(SetState)).unwrap();
    tools
}

fn quick() -> AgentConfig {
    AgentConfig {
        name: "tested".into(),
        tool_strategy: ToolStrategy::Parallel,
        retry: RetryConfig {
            base_delay_ms: 1,
            max_delay_ms: 5,
            ..RetryConfig::default()
        },
        ..AgentConfig::default()
    }
}

/// Two parallel tools, then state and a sub-agent with a tool.
pub fn agent(deeds: &Arc<Deeds>, replay: Replay, events: EventSender) -> Agent {
    let text = |text: &str| vec![ContentPart::Text(text.into())];
    let model = |answers| {
        let deeds = deeds.clone();
        Arc::new(Model { answers, deeds })
    };
    let child = Agent::builder()
        .provider(
            "m",
            model(vec![
                vec![call("h1", "echo", json!({ "text": "within" }))],
                text("the helper is done"),
            ]),
        )
        .tools(Arc::new(toolbox(deeds, replay)))
        .config(quick())
        .build()
        .unwrap();
    let answers = vec![
        vec![
            call("c1", "echo", json!({ "text": "a" })),
            call("c2", "other", json!({ "text": "b" })),
        ],
        vec![
            call("c3", "set_state", json!({ "key": "mood", "value": "good" })),
            call("c4", "helper", json!({ "task": "help" })),
        ],
        text("all is done"),
    ];
    Agent::builder()
        .provider("m", model(answers))
        .tools(Arc::new(toolbox(deeds, replay)))
        .client_tool(spec("browser"))
        .subagent("helper", "Helps.", child)
        .native([recorder(deeds)])
        .events(events)
        .config(quick())
        .build()
        .unwrap()
}

/// An agent whose turns keep a worker busy for 50 ms, without hooks.
pub fn busy(deeds: &Arc<Deeds>, events: EventSender) -> Agent {
    let mut answers = vec![vec![call("w", "work", json!({}))]; 5];
    answers.push(vec![ContentPart::Text("worked".into())]);
    let deeds = Deeds {
        file: "/dev/null".into(),
        dies: deeds.dies,
        count: AtomicUsize::new(0),
    };
    let deeds = Arc::new(deeds);
    Agent::builder()
        .provider(
            "m",
            Arc::new(Model {
                answers,
                deeds: deeds.clone(),
            }),
        )
        .tools(Arc::new(toolbox(&deeds, Replay::Safe)))
        .events(events)
        .config(quick())
        .build()
        .unwrap()
}
