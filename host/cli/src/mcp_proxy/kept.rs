//! The proxy's data in a store: hook runs, and the hooks' state.

use std::sync::Arc;

use anyhow::Context as _;
use portcullis::Hooks;
use portcullis_agent::{RunRecorder, SavedSession, SessionStore as _};
use portcullis_alerts::Alerts;
use portcullis_mcp_proxy::HookOptions;
use portcullis_store::{Journal, RecordingOptions, SessionFilter, Sessions, Store};
use portcullis_telemetry::Telemetry;

use super::DRAIN;

/// The journal, the alerts in front of it, and the session that the connection continues.
pub struct Kept {
    journal: Option<Journal>,
    alerts: Option<Alerts>,
    session: Option<Claimed>,
    telemetry: Option<Telemetry>,
}

/// A session that no other process may write.
struct Claimed {
    id: String,
    sessions: Sessions,
}

impl Kept {
    /// Opens the journal, and claims the session if one is named.
    pub async fn open(
        store: Option<Store>,
        session: Option<String>,
        recording: Option<RecordingOptions>,
        telemetry: Option<Telemetry>,
        alerts: Option<Alerts>,
    ) -> anyhow::Result<Self> {
        let Some(store) = store else {
            return Ok(Self {
                journal: None,
                alerts,
                session: None,
                telemetry,
            });
        };
        let session = match session {
            Some(id) => Some(Claimed::open(store.sessions(), id).await?),
            None => None,
        };
        let mut journal = store.journal().context("the journal does not open")?;
        if let Some(recording) = recording {
            journal = journal.recording(store.recorder(recording)?);
        }
        Ok(Self {
            journal: Some(journal),
            alerts,
            session,
            telemetry,
        })
    }

    /// Returns the options of the connection's hooks.
    pub async fn options(
        &self,
        hooks: &Hooks,
        server: Option<String>,
    ) -> anyhow::Result<HookOptions> {
        let journal = self.journal.clone();
        let journal = journal.map(|journal| Arc::new(journal) as Arc<dyn RunRecorder>);
        let session = self.session.as_ref().map(|claimed| claimed.id.clone());
        Ok(HookOptions {
            server,
            state: match &session {
                Some(id) => hooks.stored_state(id).await?,
                None => None,
            },
            last_turn: match (&self.journal, &session) {
                (Some(journal), Some(id)) => last_turn(journal.clone(), id.clone()).await?,
                _ => 0,
            },
            session,
            journal: match &self.alerts {
                Some(alerts) => Some(alerts.recorder(journal)),
                None => journal,
            },
            telemetry: self.telemetry.clone(),
            ..HookOptions::default()
        })
    }

    /// Waits for detached runs, writes the remaining records, and releases the session. An error in
    /// one step does not stop the others.
    pub async fn close(self, hooks: &Hooks) -> anyhow::Result<()> {
        let left = hooks.drain(DRAIN).await;
        if left > 0 {
            tracing::warn!("{left} background runs did not end within {DRAIN:?}, and are lost");
        }
        let kept = hooks.flush_state().await;
        let released = match &self.session {
            Some(Claimed { id, sessions }) => sessions.close(id).await,
            None => Ok(()),
        };
        let written = match &self.journal {
            Some(journal) => journal.flush_async().await,
            None => Ok(()),
        };
        kept?;
        released?;
        Ok(written?)
    }
}

/// Returns the session's last turn in the journal. Calls of another connection are in other turns,
/// though their ids may be the same.
async fn last_turn(journal: Journal, session: String) -> anyhow::Result<u32> {
    let filter = SessionFilter {
        session: Some(session),
        ..SessionFilter::default()
    };
    let found = tokio::task::spawn_blocking(move || journal.overview(&filter)).await??;
    Ok(found.first().map_or(0, |session| session.turn))
}

impl Claimed {
    async fn open(sessions: Sessions, id: String) -> anyhow::Result<Self> {
        let new = SavedSession {
            id: id.clone(),
            agent: "mcp-proxy".to_owned(),
            ..SavedSession::default()
        };
        let saved = sessions.open(new).await?;
        // The store removes a session that has had no turn when it is closed.
        let turns = saved.turns.max(1);
        sessions.save(SavedSession { turns, ..saved }).await?;
        Ok(Self { id, sessions })
    }
}
