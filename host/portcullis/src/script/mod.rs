//! Hooks that are commands: a script in any language, outside of the sandbox.
//!
//! A script is started for each call. It gets one JSON document on its standard input and answers
//! by its exit:
//!
//! | the script ends with | meaning |
//! | --- | --- |
//! | exit code 0, nothing on stdout | `continue` |
//! | exit code 0, JSON on stdout | that outcome, in the [JSON form](crate::model::json) |
//! | exit code 2 | `reject` with the last line of stderr as the reason, at points with refusals |
//! | anything else | a failure, which follows the hook's failure policy and is never a refusal |
//!
//! The document has the keys `portcullis` (the contract's version), `point`, `hook`, `context`,
//! `input` (the point's record) and `views` (the views that the operator allows the script). The
//! variables `PORTCULLIS_POINT`, `PORTCULLIS_HOOK`, `PORTCULLIS_SESSION`, `PORTCULLIS_TURN` and
//! `PORTCULLIS_STEP` are set too; and `TRACEPARENT`, `TRACESTATE` and `BAGGAGE` if the call is part
//! of a distributed trace.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use portcullis::points::PreToolCall;
//! use portcullis::script::{ScriptCommand, ScriptHook};
//! use portcullis::capabilities::View;
//! use portcullis::hooks::Hook;
//! use portcullis::HookId;
//!
//! let mut command = ScriptCommand::new("python3");
//! command.args = vec!["check.py".into()];
//! command.views = vec![View::ToolData];
//! let hook: Arc<dyn Hook<PreToolCall>> =
//!     Arc::new(ScriptHook::new(HookId::from("check"), command));
//! ```
//!
//! A script that takes too long is stopped, with the processes that it started in its process
//! group; processes that it leaves running when it ends are stopped too.
//!
//! A script can do everything that the user who runs the agent can do. The host limits its input,
//! not its actions.

mod answer;
mod command;
mod group;
mod payload;
mod program;
mod run;

#[cfg(all(test, unix))]
mod tests;

use std::sync::Arc;

use self::answer::Said;
use crate::contract::Context;
use crate::contract::text::sanitize_for_terminal;
use crate::model::call::Call;
use crate::model::failure::Failure;
use crate::model::hook::{Hook, HookId, Response};
use crate::model::json::{JsonPoint, to_json};
use crate::model::points::PointId;
use crate::model::trace_context::{CallTrace, TraceContext};

pub use command::ScriptCommand;
pub use program::NoProgram;

/// A hook that is a command. It must be called in a tokio runtime with IO and time.
#[derive(Debug, Clone)]
pub struct ScriptHook {
    id: HookId,
    command: ScriptCommand,
}

impl ScriptHook {
    /// Creates a hook with this id that runs this command.
    pub fn new(id: HookId, command: ScriptCommand) -> Self {
        Self { id, command }
    }

    fn asked<P: JsonPoint>(&self, call: &Call<P>) -> Asked {
        let input = to_json(P::input(&call.subject));
        Asked {
            point: P::ID,
            context: call.context.clone(),
            trace: call.views.trace.clone(),
            payload: payload::write(
                P::ID,
                &self.id,
                &call.context,
                input,
                &call.views,
                &self.command.views,
            ),
        }
    }

    /// Runs the command.
    async fn ask(&self, asked: Asked) -> Result<Said, Failure> {
        let Asked {
            point,
            context,
            trace,
            payload,
        } = asked;
        let trace = trace.map(|trace| trace.of_run(point, &self.id));
        let variables = payload::variables(&self.id, point, &context);
        let variables = variables
            .into_iter()
            .chain(trace.iter().flat_map(TraceContext::variables));
        let ended = run::run(&self.command, variables, payload?).await?;
        let said = answer::read(&ended)?;
        if !ended.stderr.is_empty() {
            tracing::debug!(
                target: "portcullis::hook",
                hook = %self.id,
                point = %point,
                "{}",
                sanitize_for_terminal(&String::from_utf8_lossy(&ended.stderr))
            );
        }
        Ok(said)
    }
}

/// A request to a script, at any point.
struct Asked {
    point: PointId,
    context: Context,
    trace: Option<Arc<CallTrace>>,
    payload: Result<Vec<u8>, Failure>,
}

impl<P: JsonPoint> Hook<P> for ScriptHook {
    fn call<'a>(&'a self, call: &Call<P>) -> Response<'a, P> {
        let asked = self.asked(call);
        Response::Future(Box::pin(async move {
            let said = self.ask(asked).await;
            said.and_then(answer::outcome::<P>).into()
        }))
    }
}
