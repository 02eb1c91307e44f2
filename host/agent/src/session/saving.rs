//! Saving a session, and restoring one.

use portcullis::contract::{Message, Role, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::state::{Conversation, NO_USAGE, SessionState};
use crate::basics::units::count;
use crate::provider::Signature;
use crate::saved::{SavedSession, SavedSessionError};

/// The version of the data that this code writes.
const VERSION: u32 = 1;

/// The saved data of a session.
#[derive(Serialize, Deserialize)]
struct Data {
    version: u32,
    conversation: Vec<Message>,
    /// The signatures of the messages' reasoning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signatures: Vec<Option<Signature>>,
    state: Map<String, Value>,
    usage: Usage,
}

/// Claims the session in its store, if it has one, and restores the saved data.
pub(crate) async fn open(session: &mut SessionState) -> Result<(), SavedSessionError> {
    let Some(store) = session.unclaimed_in.take() else {
        return Ok(());
    };
    let saved = store.open(facts(session)).await?;
    // Set only now, so that a session of another process is not released here.
    session.sessions = Some(store);
    if saved.data.is_null() {
        return Ok(());
    }
    let damaged = |cause: String| SavedSessionError::Damaged {
        id: saved.id.clone(),
        cause,
    };
    let data: Data = serde_json::from_value(saved.data).map_err(|e| damaged(e.to_string()))?;
    if data.version != VERSION {
        return Err(damaged(format!(
            "its version is {}, not {VERSION}",
            data.version
        )));
    }
    let prompt = session.shared.context.config.system_prompt.as_deref();
    let mut messages = data.conversation;
    // The prompt may have changed meanwhile.
    if prompt.is_some() && messages.first().is_some_and(|m| m.role == Role::System) {
        messages.remove(0);
    }
    session.conversation = Conversation::new(prompt, messages);
    session.conversation.restore_signatures(data.signatures);
    session.position.turn = saved.turns;
    session.usage.restore(data.usage, NO_USAGE);
    session.state.set(data.state);
    Ok(())
}

/// The outcome of saving a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Saved {
    /// The session is saved, or need not be.
    Yes,
    /// The session no longer belongs to this process.
    Lost,
    /// The session cannot be saved, for this reason.
    Failed(String),
}

/// Saves the session at the end of a turn. A failure is logged: a turn that is not recorded has
/// ended nevertheless.
pub(crate) async fn save(session: &SessionState) -> Saved {
    let Some(store) = &session.sessions else {
        return Saved::Yes;
    };
    let data = Data {
        version: VERSION,
        conversation: session.conversation.messages().to_vec(),
        signatures: session.conversation.kept_signatures(),
        state: session.state.values(),
        usage: session.usage.session(),
    };
    let saved = match serde_json::to_value(data) {
        Ok(data) => {
            let saved = SavedSession {
                data,
                ..facts(session)
            };
            store.save(saved).await
        }
        Err(error) => Err(SavedSessionError::Store(error.to_string())),
    };
    let Err(error) = saved else {
        return Saved::Yes;
    };
    tracing::error!(session = session.id(), "the turn is not saved: {error}");
    match error {
        SavedSessionError::Lost { .. } => Saved::Lost,
        error => Saved::Failed(error.to_string()),
    }
}

/// Releases the session.
pub(crate) async fn close(session: &SessionState) {
    if let Some(store) = &session.sessions
        && let Err(error) = store.close(session.id()).await
    {
        tracing::warn!(session = session.id(), "the session stays claimed: {error}");
    }
}

fn facts(session: &SessionState) -> SavedSession {
    let info = &session.views.session;
    SavedSession {
        id: session.id().to_owned(),
        agent: session.agent().to_owned(),
        user: info.user.clone(),
        working_dir: info.working_dir.clone(),
        turns: session.position.turn,
        messages: count(session.conversation.messages().len()),
        data: Value::Null,
    }
}
