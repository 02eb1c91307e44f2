//! The log of one turn, built from its events.

use std::collections::VecDeque;
use std::sync::Arc;

use portcullis::points::PointId;
use portcullis::verdict::HookRun;
use portcullis_agent::{AgentEvent, CallPurpose, Emitted, RetryAction, TurnOrigin};

use crate::approval::Asked;

/// A turn's events, in order. Events outside of any turn are in turn 0.
#[derive(Debug, Default)]
pub struct TurnLog {
    /// The steps. Events before and after all steps are in step 0.
    pub steps: Vec<Step>,
    /// The questions to people, in order.
    pub asked: VecDeque<Asked>,
    /// The turn's end.
    pub end: Option<End>,
}

/// A step's events.
#[derive(Debug)]
pub struct Step {
    /// The step's number, counted from 1.
    pub step: u32,
    /// The events.
    pub entries: Vec<Entry>,
}

/// An event.
#[derive(Debug)]
pub enum Entry {
    /// The hooks of a point ran.
    Chain(Chain),
    /// A model was called.
    Model(ModelCall),
    /// The agent acted on a failed call.
    Retry {
        /// The action.
        action: RetryAction,
        /// The hook that decided.
        by: Option<String>,
    },
    /// A tool was asked for.
    Tool(Box<ToolCall>),
    /// Messages were replaced by a summary.
    Compacted {
        /// The number of messages replaced.
        removed: usize,
        /// The number of messages that remain.
        messages: usize,
        /// The approximate number of tokens before.
        tokens_before: u64,
        /// The approximate number of tokens after.
        tokens_after: u64,
    },
    /// Another event, in words.
    Note(String),
}

/// The hooks of a point, as they ran.
#[derive(Debug)]
pub struct Chain {
    /// The point.
    pub point: PointId,
    /// The runs, in order.
    pub runs: Vec<HookRun>,
}

/// A model call.
#[derive(Debug, Default)]
pub struct ModelCall {
    /// The provider.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The number of messages sent.
    pub messages: usize,
    /// Whether it was to write a summary.
    pub summary: bool,
    /// The text of the response, as it arrived.
    pub text: String,
    /// The call's end.
    pub end: Option<ModelEnd>,
    /// The duration, in milliseconds.
    pub elapsed_ms: u64,
}

/// The end of a model call.
#[derive(Debug)]
pub enum ModelEnd {
    /// The model answered.
    Answered {
        /// Tokens sent.
        input: u64,
        /// Tokens written.
        output: u64,
        /// The number of tool calls in the response.
        tool_calls: usize,
        /// The hook that answered in its place.
        by: Option<String>,
    },
    /// The call failed.
    Failed(String),
}

/// A tool call.
#[derive(Debug, Default)]
pub struct ToolCall {
    /// The id of the call.
    pub id: String,
    /// The hooks before it.
    pub before: Option<Chain>,
    /// The tool.
    pub name: Option<String>,
    /// The arguments.
    pub arguments: Option<String>,
    /// The hooks after it.
    pub after: Option<Chain>,
    /// The result for the model, and whether it is an error.
    pub told: Option<(String, bool)>,
    /// Whether it ran.
    pub ran: bool,
    /// The duration, in milliseconds.
    pub elapsed_ms: u64,
}

/// The end of a turn.
#[derive(Debug, Clone)]
pub enum End {
    /// The turn has an output.
    Output {
        /// Its text.
        text: String,
        /// The origin of the output.
        origin: TurnOrigin,
    },
    /// The turn failed.
    Failed {
        /// The reason.
        error: String,
    },
}

impl TurnLog {
    /// Records an event.
    pub fn take(&mut self, emitted: &Arc<Emitted>) {
        let Emitted {
            step,
            event,
            call_id,
            ..
        } = &**emitted;
        match event {
            AgentEvent::HookRun { run } => self.hook_run(*step, call_id.as_deref(), run),
            AgentEvent::LlmCallStarted {
                provider,
                model,
                messages,
                purpose,
                ..
            } => self.push(
                *step,
                Entry::Model(ModelCall {
                    provider: provider.clone(),
                    model: model.clone(),
                    messages: *messages,
                    summary: *purpose == CallPurpose::Compaction,
                    ..ModelCall::default()
                }),
            ),
            AgentEvent::TextDelta { text } => {
                if let Some(call) = self.open_model() {
                    call.text.push_str(text);
                }
            }
            AgentEvent::LlmCallFinished {
                provider,
                model,
                usage,
                tool_calls,
                answered_by,
                elapsed_ms,
                ..
            } => {
                let end = ModelEnd::Answered {
                    input: usage.input_tokens,
                    output: usage.output_tokens,
                    tool_calls: *tool_calls,
                    by: answered_by.clone(),
                };
                if answered_by.is_some() {
                    // No model was called, so no call began.
                    self.push(*step, Entry::Model(ModelCall::default()));
                }
                self.end_model((provider, model), end, *elapsed_ms);
            }
            AgentEvent::LlmCallFailed {
                provider,
                model,
                error,
                elapsed_ms,
                ..
            } => self.end_model(
                (provider, model),
                ModelEnd::Failed(error.clone()),
                *elapsed_ms,
            ),
            AgentEvent::Retry { action, by } => self.push(
                *step,
                Entry::Retry {
                    action: action.clone(),
                    by: by.clone(),
                },
            ),
            AgentEvent::ToolStarted {
                call_id,
                name,
                arguments,
            } => {
                self.tool(*step, call_id, |call| {
                    call.name = Some(name.clone());
                    call.arguments = Some(arguments.clone());
                    call.ran = true;
                });
            }
            AgentEvent::ToolRepeatDecided { name, decision, .. } => {
                self.push(*step, Entry::Note(decision.words(name)));
            }
            AgentEvent::ToolFinished {
                call_id,
                name,
                is_error,
                ran,
                content,
                elapsed_ms,
                ..
            } => {
                self.tool(*step, call_id, |call| {
                    call.name = Some(name.clone());
                    call.told = Some((content.clone(), *is_error));
                    call.ran = *ran;
                    call.elapsed_ms = *elapsed_ms;
                });
            }
            AgentEvent::Compacted {
                removed,
                messages,
                tokens_before,
                tokens_after,
            } => self.push(
                *step,
                Entry::Compacted {
                    removed: *removed,
                    messages: *messages,
                    tokens_before: *tokens_before,
                    tokens_after: *tokens_after,
                },
            ),
            AgentEvent::CompactionSkipped { reason } => {
                self.push(*step, Entry::Note(format!("not compacted: {reason}")));
            }
            AgentEvent::MemoryFailed { error } => self.push(*step, Entry::Note(error.clone())),
            AgentEvent::TurnEnded { text, origin, .. } => {
                self.end = Some(End::Output {
                    text: text.clone(),
                    origin: origin.clone(),
                });
            }
            AgentEvent::TurnFailed { error, .. } => {
                self.end = Some(End::Failed {
                    error: error.clone(),
                });
            }
            _ => {}
        }
    }

    /// Returns all runs, in order.
    pub fn runs(&self) -> impl Iterator<Item = &HookRun> {
        let entries = self.steps.iter().flat_map(|step| &step.entries);
        entries.flat_map(|entry| {
            let (first, second) = match entry {
                Entry::Chain(chain) => (Some(chain), None),
                Entry::Tool(call) => (call.before.as_ref(), call.after.as_ref()),
                _ => (None, None),
            };
            first
                .into_iter()
                .chain(second)
                .flat_map(|chain| &chain.runs)
        })
    }

    fn entries(&mut self, step: u32) -> Option<&mut Vec<Entry>> {
        match self.steps.last() {
            Some(last) if last.step == step => {}
            _ => self.steps.push(Step {
                step,
                entries: Vec::new(),
            }),
        }
        self.steps.last_mut().map(|last| &mut last.entries)
    }

    fn push(&mut self, step: u32, entry: Entry) {
        if let Some(entries) = self.entries(step) {
            entries.push(entry);
        }
    }

    fn hook_run(&mut self, step: u32, call_id: Option<&str>, run: &HookRun) {
        match (run.point, call_id) {
            (PointId::PreToolCall | PointId::PreSubagent, Some(id)) => {
                self.tool(step, id, |call| add(&mut call.before, run));
            }
            (PointId::PostToolCall | PointId::PostSubagent, Some(id)) => {
                self.tool(step, id, |call| add(&mut call.after, run));
            }
            (point, _) => {
                let last = self.entries(step).and_then(|entries| entries.last_mut());
                match last {
                    Some(Entry::Chain(chain)) if chain.point == point => {
                        chain.runs.push(run.clone());
                    }
                    _ => {
                        let runs = vec![run.clone()];
                        self.push(step, Entry::Chain(Chain { point, runs }));
                    }
                }
            }
        }
    }

    /// Records something about a tool call.
    fn tool(&mut self, step: u32, id: &str, note: impl FnOnce(&mut ToolCall)) {
        let entries = self.entries(step).map(|entries| entries.iter_mut().rev());
        let known = entries.into_iter().flatten().find_map(|entry| match entry {
            Entry::Tool(call) if call.id == id => Some(call),
            _ => None,
        });
        match known {
            Some(call) => note(call),
            None => {
                let mut call = Box::new(ToolCall {
                    id: id.to_owned(),
                    ..ToolCall::default()
                });
                note(&mut call);
                self.push(step, Entry::Tool(call));
            }
        }
    }

    fn open_model(&mut self) -> Option<&mut ModelCall> {
        let entries = self
            .steps
            .iter_mut()
            .rev()
            .flat_map(|step| step.entries.iter_mut().rev());
        entries
            .filter_map(|entry| match entry {
                Entry::Model(call) => Some(call),
                _ => None,
            })
            .find(|call| call.end.is_none())
    }

    fn end_model(&mut self, (provider, model): (&str, &str), end: ModelEnd, elapsed_ms: u64) {
        if let Some(call) = self.open_model() {
            call.provider = provider.to_owned();
            call.model = model.to_owned();
            call.end = Some(end);
            call.elapsed_ms = elapsed_ms;
        }
    }
}

fn add(chain: &mut Option<Chain>, run: &HookRun) {
    chain
        .get_or_insert_with(|| Chain {
            point: run.point,
            runs: Vec::new(),
        })
        .runs
        .push(run.clone());
}
