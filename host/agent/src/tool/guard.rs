//! Hooks for the tools of a loop that is not the agent's.

use std::sync::Arc;
use std::time::Instant;

use portcullis::contract::Context;
use portcullis::points::post_tool_call::ToolOutcome;
use portcullis::points::pre_tool_call::{ExecutionGrant, ToolRequest};
use portcullis::points::{PostToolCall, PreToolCall};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::text::sanitize_for_terminal;
use portcullis::tools::{ToolArguments, ToolCatalog};
use portcullis::{Call, Decision, Session, Views};

use super::{ToolOutput, refusal};
use crate::basics::units::{count, micros};

/// Runs hooks for the tools of your own loop: `pre-tool-call` before each call, and
/// `post-tool-call` after the call or after a hook's answer in its place.
///
/// The jobs of hooks, and their changes of the agent's state, are dropped with a warning, and their
/// notes are logged. To receive them, call the points with [`Session::run`], whose verdict contains
/// them.
///
/// ```no_run
/// use std::path::Path;
///
/// use portcullis::{Hooks, LoadOptions, SessionOptions};
/// use portcullis_agent::{ToolGuard, ToolOutput};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let hooks = Hooks::load(Path::new("hooks"), &LoadOptions::default())?;
/// let session = hooks.session(SessionOptions::new("session-1"));
/// let mut guard = ToolGuard::new(session, "my-agent");
/// let run = async |arguments| ToolOutput::ok(format!("ran with {arguments}"));
/// let output = guard.call("write_file", r#"{"path":"notes.md"}"#, run).await;
/// println!("the model reads: {}", output.content);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ToolGuard {
    session: Session,
    context: Context,
    working_dir: Option<String>,
}

impl ToolGuard {
    /// Creates a guard for the tools of an agent with this name, in its first turn. Hooks see the
    /// current directory as the working directory.
    pub fn new(session: Session, agent: impl Into<String>) -> Self {
        let context = Context {
            session_id: session.id().to_owned(),
            agent: agent.into(),
            turn: 1,
            step: 0,
        };
        let dir = std::env::current_dir().ok();
        Self {
            session,
            context,
            working_dir: dir.map(|dir| dir.display().to_string()),
        }
    }

    /// Returns the session, for example to call other points.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Begins the next turn. Limits per turn are reset.
    pub fn next_turn(&mut self) {
        self.context.turn += 1;
        self.context.step = 0;
    }

    /// Calls a tool, as a separate step. Returns the text that the model reads: the output after
    /// the hooks have run, a hook's answer, or the reason that the tool did not run.
    ///
    /// `arguments` are the text of a JSON object; an empty text counts as `{}`. With other
    /// arguments neither hooks nor the tool are called. `run` receives the arguments after the
    /// hooks have run. It is not called if a hook refuses, answers, or asks a person who does not
    /// agree at once, or if a hook that fails closed fails.
    pub async fn call<F: Future<Output = ToolOutput>>(
        &mut self,
        name: &str,
        arguments: &str,
        run: impl FnOnce(Arc<str>) -> F,
    ) -> ToolOutput {
        let arguments = ToolArguments::written(arguments);
        // The schemas of the loop's tools are not known here.
        let arguments = match ToolCatalog::default().arguments(name, arguments) {
            Ok(arguments) => arguments.text().clone(),
            Err(invalid) => return refusal::invalid_call(&invalid.to_string()),
        };
        self.context.step += 1;
        let call_id = format!("{}-{}", self.context.turn, self.context.step);
        let request = ToolRequest {
            call_id: call_id.clone(),
            name: name.to_owned(),
            arguments_bytes: count(arguments.len()),
            grant: ExecutionGrant {
                working_dir: self.working_dir.clone(),
                timeout_ms: u32::MAX,
            },
        };
        let views = Views {
            tool_arguments: arguments,
            ..Views::default()
        };
        let mut before = Call::<PreToolCall>::unchecked(self.context.clone(), request, views);
        let decided = self.session.run(&mut before).await;
        report(&decided.side_outputs);
        let answer = match decided.decision {
            Decision::Passed => None,
            Decision::Answered { answer, .. } => Some(ToolOutput {
                content: answer.content,
                is_error: answer.is_error,
            }),
            Decision::Rejected { by, rejection } => return refusal::refused(&by, &rejection),
            Decision::Failed(failed) => return refusal::blocked(&failed),
            Decision::Pending(_) => return refusal::invalid_call("nobody decided about it"),
        };
        let views = before.into_data().views;
        let begun = Instant::now();
        let output = match answer {
            Some(answer) => answer,
            None => run(views.tool_arguments.clone()).await,
        };
        let outcome = ToolOutcome {
            call_id,
            name: name.to_owned(),
            output_bytes: count(output.content.len()),
            is_error: output.is_error,
            elapsed_us: micros(begun.elapsed()),
        };
        let views = Views {
            tool_output: Some(output.content.into()),
            ..views
        };
        let mut after = Call::<PostToolCall>::new(self.context.clone(), outcome, views);
        let decided = self.session.run(&mut after).await;
        report(&decided.side_outputs);
        match decided.decision {
            Decision::Passed => ToolOutput {
                content: after
                    .views
                    .tool_output
                    .as_deref()
                    .unwrap_or_default()
                    .to_owned(),
                is_error: after.subject.is_error,
            },
            Decision::Rejected { by, rejection } => refusal::withheld(&by, &rejection),
            Decision::Failed(failed) => refusal::withheld_unchecked(&failed),
        }
    }
}

/// Logs the hooks' side outputs, which an embedder's own loop does not receive.
fn report(outputs: &[Contributed<SideOutput>]) {
    for output in outputs {
        let hook = &output.by;
        match &output.value {
            SideOutput::Note(note) => {
                let data = sanitize_for_terminal(&note.data);
                tracing::info!(%hook, code = note.code, "note: {data}");
            }
            SideOutput::Job(job) => {
                tracing::warn!(%hook, "the job `{}` is dropped: a tool guard runs none", job.name);
            }
            SideOutput::StateEdits(_) => {
                tracing::warn!(%hook, "changes of the agent's state are dropped: a tool guard has none");
            }
        }
    }
}
