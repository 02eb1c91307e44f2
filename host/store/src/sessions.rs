//! Sessions: their conversations, and the processes that have them open.

mod admin;
mod claimed;
mod row;

use async_trait::async_trait;
use portcullis_agent::{ClaimedBy, SavedSession, SavedSessionError, SessionStore};
use serde_json::Value;
use sqlx::Row as _;

use self::claimed::Claimed;
pub use self::row::{Deleted, Holder, Released, SessionRow, SuspendedTurn};
use crate::database::{Database, narrow, now_ms, signed, storable};
use crate::error::StoreError;
use crate::hosts;
use crate::store::{OpenSessions, Store};
use crate::url::StoreUrl;

/// The maximum number of attempts to claim a session that others open and close at the same time.
const CLAIMS: u32 = 20;

/// The sessions in a [`Store`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sessions(Store);

impl Store {
    /// Returns the store's sessions.
    pub fn sessions(&self) -> Sessions {
        Sessions(self.clone())
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn open(&self, mut session: SavedSession) -> Result<SavedSession, SavedSessionError> {
        session.id = storable(&session.id);
        let host = self.0.host();
        let url = self.0.url().clone();
        let open = self.0.open_sessions().clone();
        let opened = self.0.run(move |database| async move {
            // Even if another process has released it: two openings of this process would write the
            // session.
            if let Some(since_ms) = reserve(&open, &session.id) {
                return Ok(Err(held_here(session.id, since_ms)));
            }
            let opened = claim_or_settle(&database, &url, host, &session).await;
            if !matches!(opened, Ok(Ok(_))) {
                open.lock().remove(&session.id);
            }
            Ok(opened?.map(|opened| {
                (
                    Claimed::new(opened.id.clone(), host, database, open),
                    opened,
                )
            }))
        });
        let (claimed, opened) = opened.await.map_err(failed)??;
        claimed.keep();
        Ok(opened)
    }

    async fn save(&self, session: SavedSession) -> Result<(), SavedSessionError> {
        let data = session.data.to_string();
        let (id, host) = (storable(&session.id), self.0.host());
        let saved = self.0.run_patiently(move |database| {
            let sql = "UPDATE sessions
                       SET updated_ms = $3, turns = $4, messages = $5, bytes = $6, data = $7
                       WHERE id = $1 AND host = $2";
            let save = sqlx::query(sql)
                .bind(id.clone())
                .bind(host)
                .bind(signed(now_ms()))
                .bind(i64::from(session.turns))
                .bind(i64::from(session.messages))
                .bind(signed(data.len() as u64))
                .bind(data.clone());
            async move { Ok(save.execute(database.pool()).await?.rows_affected()) }
        });
        match saved.await.map_err(failed)? {
            0 => Err(SavedSessionError::Lost { id: session.id }),
            _ => Ok(()),
        }
    }

    async fn close(&self, id: &str) -> Result<(), SavedSessionError> {
        let (id, host) = (storable(id), self.0.host());
        let open = self.0.open_sessions().clone();
        let closed = self
            .0
            .run(move |database| async move { claimed::close(&database, &open, &id, host).await });
        closed.await.map_err(failed)
    }
}

/// Reserves a session in this process before it is claimed, because the database would let one
/// process claim it twice. If this process has the session open, returns the time of its opening.
fn reserve(open: &OpenSessions, id: &str) -> Option<u64> {
    let mut open = open.lock();
    let since = open.get(id).copied();
    if since.is_none() {
        open.insert(id.to_owned(), now_ms());
    }
    since
}

/// Returns the error for a session that this process has open.
fn held_here(id: String, since_ms: u64) -> SavedSessionError {
    let ClaimedBy { process, host, .. } = ClaimedBy::this_process();
    SavedSessionError::Held {
        id,
        pid: process.into(),
        machine: host,
        since_ms,
    }
}

/// Claims a session, even if the process that had it open has died since the store was opened, or
/// closes it meanwhile.
async fn claim_or_settle(
    database: &Database,
    url: &StoreUrl,
    host: i64,
    session: &SavedSession,
) -> Result<Result<SavedSession, SavedSessionError>, StoreError> {
    let id = &session.id;
    if let Some(opened) = claim(database, host, session).await? {
        return Ok(opened);
    }
    hosts::settle(database, url).await?;
    for _ in 0..CLAIMS {
        if let Some(opened) = claim(database, host, session).await? {
            return Ok(opened);
        }
        // Without a holder, the session was released after the claim.
        if let Some(holder) = row::holder(database, id).await? {
            return Ok(Err(SavedSessionError::Held {
                id: id.clone(),
                pid: holder.pid,
                machine: holder.machine,
                since_ms: holder.since_ms,
            }));
        }
    }
    Ok(Err(SavedSessionError::Store(row::just_released(id))))
}

/// Claims a session, whose id is [storable] and [reserved](reserve); `None` if another process has
/// it open. A session that this process failed to close or open is still claimed by this process.
async fn claim(
    database: &Database,
    host: i64,
    session: &SavedSession,
) -> Result<Option<Result<SavedSession, SavedSessionError>>, StoreError> {
    // An error rolls the claim back.
    let mut transaction = database.write().await?;
    let sql = "INSERT INTO sessions (id, agent, person, working_dir, created_ms, updated_ms, turns,
                                     messages, bytes, data, host, claimed_ms)
               VALUES ($1, $2, $3, $4, $5, $5, 0, 0, 0, 'null', $6, $5)
               ON CONFLICT (id) DO UPDATE SET host = $6, claimed_ms = $5
               WHERE sessions.host IS NULL OR sessions.host = $6
               RETURNING agent, person, working_dir, turns, messages, data";
    let claim = sqlx::query(sql)
        .bind(session.id.clone())
        .bind(storable(&session.agent))
        .bind(session.user.as_deref().map(storable))
        .bind(session.working_dir.as_deref().map(storable))
        .bind(signed(now_ms()))
        .bind(host);
    let Some(row) = claim.fetch_optional(&mut *transaction).await? else {
        return Ok(None);
    };
    let agent: String = row.try_get("agent")?;
    if agent != storable(&session.agent) {
        return Ok(Some(Err(SavedSessionError::OtherAgent {
            id: session.id.clone(),
            agent,
            here: session.agent.clone(),
        })));
    }
    let user: Option<String> = row.try_get("person")?;
    if user.as_deref() != session.user.as_deref().map(storable).as_deref() {
        return Ok(Some(Err(SavedSessionError::OtherUser {
            id: session.id.clone(),
            user,
            here: session.user.clone(),
        })));
    }
    let data: String = row.try_get("data")?;
    let data: Value = match serde_json::from_str(&data) {
        Ok(data) => data,
        Err(error) => {
            return Ok(Some(Err(SavedSessionError::Damaged {
                id: session.id.clone(),
                cause: error.to_string(),
            })));
        }
    };
    let opened = SavedSession {
        id: session.id.clone(),
        agent,
        user,
        working_dir: row.try_get("working_dir")?,
        turns: narrow(row.try_get("turns")?),
        messages: narrow(row.try_get("messages")?),
        data,
    };
    transaction.commit().await?;
    Ok(Some(Ok(opened)))
}

fn failed(error: StoreError) -> SavedSessionError {
    SavedSessionError::Store(error.to_string())
}
