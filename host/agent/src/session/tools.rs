//! The tool calls of one response: policy → pre-tool-call → execute → post-tool-call, each.
//!
//! A call is admitted, executed and settled, and its result committed. Executing needs nothing of
//! the session, so that a strategy can execute several at once; admitting, settling and committing
//! are done in the order the model asked.
//!
//! A call that makes no sense (a tool that was not offered, arguments that break its schema) is
//! answered at once: neither the policy nor a hook is asked about it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::contract::{ContentPart, Role, ToolCall, ToolResult};
use portcullis::points::post_tool_call::ToolOutcome;
use portcullis::points::pre_tool_call::{ExecutionGrant as GrantRecord, ToolRequest};
use portcullis::points::{PostToolCall, PreToolCall};
use portcullis::{Decision, ToolCatalog};

use super::execute::execute;
use super::refusal;
use super::running::{Running, count};
use super::turn::millis;
use crate::config::ToolStrategy;
use crate::events::{AgentEvent, Emitted};
use crate::policy::{Denial, ExecutionGrant, PolicyRequest};
use crate::text;
use crate::tool::{ToolOutput, ToolProgress};

/// A call that nothing speaks against.
struct Admitted {
    call: ToolCall,
    /// The arguments as the hooks left them.
    arguments: Arc<str>,
    todo: Todo,
}

/// What is left to do for an admitted call.
enum Todo {
    /// The tool is to run.
    Run(ExecutionGrant),
    /// A hook has given the result already.
    Given(ToolOutput),
}

/// A call with its result.
struct Executed {
    call: ToolCall,
    arguments: Arc<str>,
    output: ToolOutput,
    ran: bool,
    elapsed: Duration,
}

impl Running {
    /// Runs the tool calls of one response and commits their results in the order of the calls.
    pub(super) async fn run_tools(&mut self, calls: Vec<ToolCall>, offered: &Arc<ToolCatalog>) {
        match self.shared.context.config.tool_strategy {
            ToolStrategy::Sequential => {
                for call in calls {
                    let done = match self.admit(call, offered).await {
                        Ok(admitted) => {
                            let executed = self.execute(admitted).await;
                            self.settle(executed, offered).await
                        }
                        Err(told) => told,
                    };
                    self.commit(done);
                }
            }
        }
    }

    /// Asks all who may speak against a call. An `Err` is what the model is told instead.
    async fn admit(
        &mut self,
        mut call: ToolCall,
        offered: &Arc<ToolCatalog>,
    ) -> Result<Admitted, Executed> {
        if call.arguments.trim().is_empty() {
            // Some models leave the arguments of a tool that takes none empty.
            call.arguments = "{}".into();
        }
        if offered.get(&call.name).is_none() {
            let told = refusal::senseless(&format!("no tool called `{}` was offered", call.name));
            return Err(Executed::told(call, told));
        }
        if let Err(invalid) = self.check_arguments(offered, &call.name, &call.arguments) {
            return Err(Executed::told(
                call,
                refusal::senseless(&invalid.to_string()),
            ));
        }
        let grant = match self.grant(&call.name, &call.arguments).await {
            Ok(grant) => grant,
            Err(denial) => return Err(Executed::told(call, refusal::denied(&denial))),
        };
        let arguments: Arc<str> = call.arguments.as_str().into();
        if !self.hooks.serves::<PreToolCall>() && self.turn_prompt.answerer(&call.name).is_none() {
            let todo = Todo::Run(grant);
            return Ok(Admitted {
                call,
                arguments,
                todo,
            });
        }
        let mut admitted = self.ask_before(call, arguments, grant, offered).await?;
        // The policy decides on what is run, not only on what the model asked for.
        if let Todo::Run(grant) = &mut admitted.todo
            && *admitted.arguments != *admitted.call.arguments
        {
            if let Err(invalid) =
                self.check_arguments(offered, &admitted.call.name, &admitted.arguments)
            {
                let told = refusal::senseless(&invalid.to_string());
                return Err(Executed::told(admitted.call, told));
            }
            match self.grant(&admitted.call.name, &admitted.arguments).await {
                Ok(granted) => *grant = granted,
                Err(denial) => {
                    return Err(Executed::told(admitted.call, refusal::denied(&denial)));
                }
            }
        }
        Ok(admitted)
    }

    /// Asks the policy.
    async fn grant(&mut self, tool: &str, arguments: &str) -> Result<ExecutionGrant, Denial> {
        let context = self.place.context();
        let granted = self
            .shared
            .context
            .policy
            .check(PolicyRequest {
                context: &context,
                tool: self.turn_prompt.target(tool),
                arguments,
            })
            .await;
        self.place.give_back(context);
        granted
    }

    /// Asks the `pre-tool-call` hooks.
    async fn ask_before(
        &mut self,
        call: ToolCall,
        arguments: Arc<str>,
        grant: ExecutionGrant,
        offered: &Arc<ToolCatalog>,
    ) -> Result<Admitted, Executed> {
        let request = ToolRequest {
            call_id: call.id.clone(),
            name: self.turn_prompt.target(&call.name).to_owned(),
            arguments_bytes: count(arguments.len()),
            grant: record(&grant),
        };
        let conversation = self.conversation.clone();
        let ran = self
            .ask::<PreToolCall>(request, |views| {
                views.tool_arguments = arguments;
                views.conversation = conversation;
                views.tools = offered.clone();
            })
            .await;
        let arguments = ran.views.tool_arguments;
        let todo = match ran.decision {
            Decision::Passed => match self.turn_prompt.answerer(&call.name) {
                Some(by) => return Err(Executed::told(call, refusal::unanswered(by))),
                None => Todo::Run(grant),
            },
            Decision::Answered { answer, .. } => Todo::Given(ToolOutput {
                content: answer.content,
                is_error: answer.is_error,
            }),
            Decision::Rejected { by, rejection } => {
                return Err(Executed::told(call, refusal::refused(&by, &rejection)));
            }
            Decision::Failed(failed) => {
                return Err(Executed::told(call, refusal::blocked(&failed)));
            }
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(_) => {
                let told = refusal::senseless("a person decides later");
                return Err(Executed::told(call, told));
            }
        };
        Ok(Admitted {
            call,
            arguments,
            todo,
        })
    }

    async fn execute(&self, admitted: Admitted) -> Executed {
        let Admitted {
            call,
            arguments,
            todo,
        } = admitted;
        let grant = match todo {
            Todo::Run(grant) => grant,
            Todo::Given(output) => {
                return Executed {
                    call,
                    arguments,
                    output,
                    ran: false,
                    elapsed: Duration::ZERO,
                };
            }
        };
        self.emit(|| AgentEvent::ToolStarted {
            call_id: call.id.clone(),
            name: call.name.clone(),
            arguments: arguments.to_string(),
        });
        let started = Instant::now();
        let progress = self.progress(&call);
        let output = execute(
            &self.shared,
            self.turn_prompt.target(&call.name),
            &arguments,
            grant,
            progress,
        )
        .await;
        Executed {
            call,
            arguments,
            output,
            ran: true,
            elapsed: started.elapsed(),
        }
    }

    fn progress(&self, call: &ToolCall) -> ToolProgress {
        let events = self.shared.context.events.clone();
        if !events.is_heard() {
            return ToolProgress::unheard();
        }
        let (call_id, name) = (call.id.clone(), call.name.clone());
        let session_id = self.place.session_id.clone();
        let (turn, step) = (self.place.turn, self.place.step);
        ToolProgress::new(move |text| {
            events.emit(|| {
                let event = AgentEvent::ToolProgress {
                    call_id: call_id.clone(),
                    name: name.clone(),
                    text: text.to_owned(),
                };
                Emitted::new(session_id.clone(), turn, step, event)
            });
        })
    }

    /// Asks the `post-tool-call` hooks.
    async fn settle(&mut self, executed: Executed, offered: &Arc<ToolCatalog>) -> Executed {
        let most = self.shared.context.config.max_tool_output_bytes;
        let content = text::cut(&executed.output.content, most).into_owned();
        if !self.hooks.serves::<PostToolCall>() {
            let is_error = executed.output.is_error;
            let output = ToolOutput { content, is_error };
            return Executed { output, ..executed };
        }
        let outcome = ToolOutcome {
            call_id: executed.call.id.clone(),
            name: self.turn_prompt.target(&executed.call.name).to_owned(),
            output_bytes: count(content.len()),
            is_error: executed.output.is_error,
            elapsed_us: u64::try_from(executed.elapsed.as_micros()).unwrap_or(u64::MAX),
        };
        let conversation = self.conversation.clone();
        let ran = self
            .ask::<PostToolCall>(outcome, |views| {
                views.tool_arguments = executed.arguments.clone();
                views.tool_output = Some(content.into());
                views.conversation = conversation;
                views.tools = offered.clone();
            })
            .await;
        let output = match ran.decision {
            Decision::Passed => ToolOutput {
                content: ran.views.tool_output.as_deref().unwrap_or_default().into(),
                is_error: ran.subject.is_error,
            },
            Decision::Rejected { by, rejection } => refusal::withheld(&by, &rejection),
            Decision::Failed(failed) => refusal::unseen(&failed),
            Decision::Answered { answer, .. } => match answer {},
            Decision::Stopped { stop, .. } => match stop {},
        };
        Executed { output, ..executed }
    }

    /// Puts a result into the conversation.
    fn commit(&mut self, done: Executed) {
        self.emit(|| AgentEvent::ToolFinished {
            call_id: done.call.id.clone(),
            name: done.call.name.clone(),
            is_error: done.output.is_error,
            ran: done.ran,
            content: done.output.content.clone(),
            elapsed_ms: millis(done.elapsed),
        });
        let result = ToolResult {
            call_id: done.call.id,
            name: done.call.name,
            content: done.output.content,
            is_error: done.output.is_error,
        };
        self.push(Role::Tool, vec![ContentPart::ToolResult(result)]);
    }
}

impl Executed {
    /// A call that did not run: this is what the model is told.
    fn told(call: ToolCall, output: ToolOutput) -> Self {
        Self {
            call,
            arguments: Arc::default(),
            output,
            ran: false,
            elapsed: Duration::ZERO,
        }
    }
}

fn record(grant: &ExecutionGrant) -> GrantRecord {
    GrantRecord {
        working_dir: grant
            .working_dir
            .as_ref()
            .map(|dir| dir.display().to_string()),
        timeout_ms: u32::try_from(grant.timeout.as_millis()).unwrap_or(u32::MAX),
    }
}
