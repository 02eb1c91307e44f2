//! The memo that a caller puts into a session before hooks are loaded.

use portcullis_agent::{SavedSession, SessionStore as _};
use portcullis_store::Store;
use serde_json::Value;

use crate::error::BridgeError;
use crate::session::{ClaimWait, claim, release};
use crate::sessions::check_id;

/// Changes the value that [`Bridge::set_memo`] sets, in a session of a store, without a bridge and
/// without hooks. The change is in the store when this function returns. A new session stays new:
/// the first bridge that opens it records it in the journal.
///
/// If another process has the session open, waits.
///
/// # Errors
///
/// The session cannot be opened or saved.
///
/// [`Bridge::set_memo`]: crate::Bridge::set_memo
pub async fn change_memo(
    store: &Store,
    session: &str,
    agent: &str,
    wait: ClaimWait,
    change: impl FnOnce(Value) -> Value,
) -> Result<(), BridgeError> {
    check_id(session)?;
    let sessions = store.sessions();
    let new = SavedSession {
        id: session.to_owned(),
        agent: agent.to_owned(),
        ..SavedSession::default()
    };
    let mut saved = claim(&sessions, new, wait.end()).await?;
    saved.data = change(saved.data);
    let changed = sessions.save(saved).await;
    release(Some(&sessions), session).await;
    Ok(changed?)
}
