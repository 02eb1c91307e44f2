//! The session, and the calls of points.

use std::sync::Arc;

use parking_lot::Mutex;
use portcullis::Views;
use portcullis::capabilities::View;
use portcullis::contract::ContentPart;
use portcullis::json::{JsonPoint, from_json, to_json, views_to_json};
use portcullis::session::SessionInfo;
use portcullis_bridge::{Bridge, CallContext, CallReply, CallRequest, Decision};
use rig_agent::agent::HookContext;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{SessionError, refusal, undecided};
use crate::run::Run;

/// The agent name for hooks, if the agent has no name.
const AGENT: &str = "rig";

/// A session of hooks.
#[derive(Debug)]
pub(crate) struct Session {
    bridge: Arc<Bridge>,
    id: String,
    info: Arc<SessionInfo>,
    /// The number of turns that have begun.
    turns: Mutex<u32>,
}

impl Session {
    pub(crate) fn new(bridge: Arc<Bridge>, id: String) -> Self {
        let dir = std::env::current_dir().ok();
        Self {
            bridge,
            id,
            info: Arc::new(SessionInfo {
                working_dir: dir.map(|dir| dir.display().to_string()),
                ..SessionInfo::default()
            }),
            turns: Mutex::default(),
        }
    }

    /// Begins a run, which is a turn.
    pub(crate) fn begin(&self, cx: &HookContext) {
        next(&mut self.turns.lock(), cx);
    }

    /// Returns the run. A resumed run has no start: it begins with its first tools, which run at
    /// once.
    pub(crate) fn run(&self, cx: &HookContext) -> Run {
        let mut turns = self.turns.lock();
        let run = cx.scratchpad().get();
        run.unwrap_or_else(|| next(&mut turns, cx))
    }

    /// Returns the working directory of tools.
    pub(crate) fn working_dir(&self) -> Option<String> {
        self.info.working_dir.clone()
    }

    /// Returns the number of turns that have begun.
    pub(crate) fn turns(&self) -> u32 {
        *self.turns.lock()
    }

    /// Calls a point outside of any turn.
    pub(crate) async fn outside<P: JsonPoint>(
        &self,
        input: &P::Input,
    ) -> Result<CallReply, SessionError> {
        let context = CallContext::new(&self.id, AGENT);
        self.send::<P>(context, input, &[], Views::default()).await
    }

    /// Calls a point of a run.
    pub(crate) async fn call<P: JsonPoint>(
        &self,
        cx: &HookContext,
        input: &P::Input,
        seen: &[View],
        views: Views,
    ) -> Result<CallReply, SessionError> {
        let agent = cx.agent_name().unwrap_or(AGENT);
        let context = CallContext::new(&self.id, agent)
            .turn(self.run(cx).turn)
            .step(count(cx.turn()));
        self.send::<P>(context, input, seen, views).await
    }

    async fn send<P: JsonPoint>(
        &self,
        context: CallContext,
        input: &P::Input,
        seen: &[View],
        views: Views,
    ) -> Result<CallReply, SessionError> {
        let views = Views {
            session: self.info.clone(),
            ..views
        };
        let mut which = vec![View::Session];
        which.extend(seen);
        let request = CallRequest {
            point: P::INFO.name.to_owned(),
            context,
            input: to_json(input)?,
            views: views_to_json(&which, &views)?,
        };
        let reply = self.bridge.call(request).await?;
        for job in reply.jobs() {
            tracing::warn!(
                hook = job.by,
                job = job.name,
                "a job is dropped: agents of rig run none"
            );
        }
        Ok(reply)
    }
}

fn next(turns: &mut u32, cx: &HookContext) -> Run {
    *turns = turns.saturating_add(1);
    let run = Run::new(*turns);
    cx.scratchpad().insert(run.clone());
    run
}

/// Returns views that contain only this content.
pub(crate) fn with_content(content: Vec<ContentPart>) -> Views {
    Views {
        content: Arc::new(content),
        ..Views::default()
    }
}

/// Returns the payload, if hooks changed it.
///
/// # Errors
///
/// Returns the reason that the operation does not go ahead. `what` names the outcome, such as "The
/// model was not called".
pub(crate) fn passed<T: DeserializeOwned>(
    what: &str,
    reply: Result<CallReply, SessionError>,
) -> Result<Option<T>, String> {
    let reply = reply.map_err(|error| undecided(what, &error))?;
    match reply.decision {
        Decision::Continue => Ok(None),
        Decision::Transform { .. } => read(what, reply.payload).map(Some),
        decision => Err(refusal(what, &decision)),
    }
}

/// Reads a value that hooks may have changed.
pub(crate) fn read<T: DeserializeOwned>(what: &str, value: Value) -> Result<T, String> {
    from_json(value).map_err(|error| undecided(what, &error))
}

/// Converts a length to a fact's integer type.
pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
