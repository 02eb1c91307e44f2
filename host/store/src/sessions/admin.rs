//! Listing, releasing and deleting sessions.

use std::time::Duration;

use sqlx::{Any, Row as _, Transaction};

use super::Sessions;
use super::row::{self, Deleted, Holder, Released, SessionRow, read, select};
use crate::database::{now_ms, signed, storable};
use crate::error::StoreError;
use crate::old_feeds;
use crate::recordings::{self, Locked};

impl Sessions {
    /// Returns all sessions that have had a turn, have an interrupted or a suspended turn, or are
    /// open, the most recently used first.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn list(&self) -> Result<Vec<SessionRow>, StoreError> {
        let sql = select!(
            "'null'",
            "WHERE sessions.turns > 0 OR sessions.host IS NOT NULL OR turns.id IS NOT NULL
                OR suspended.id IS NOT NULL
             ORDER BY sessions.updated_ms DESC, sessions.id DESC"
        );
        let select = sqlx::query(sql);
        let rows = self.0.run(|database| async move {
            Ok::<_, StoreError>(select.fetch_all(database.pool()).await?)
        });
        rows.await?.iter().map(read).collect()
    }

    /// Returns a session with its conversation; `None` if there is no session with this id.
    ///
    /// # Errors
    ///
    /// The store failed, or the conversation is damaged.
    pub async fn get(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        self.one(select!("sessions.data", "WHERE sessions.id = $1"), id)
            .await
    }

    /// Returns a session without its conversation, which may be long; `None` if there is no session
    /// with this id.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn row(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        self.one(select!("'null'", "WHERE sessions.id = $1"), id)
            .await
    }

    async fn one(&self, sql: &'static str, id: &str) -> Result<Option<SessionRow>, StoreError> {
        let select = sqlx::query(sql).bind(storable(id));
        let row = self.0.run(|database| async move {
            Ok::<_, StoreError>(select.fetch_optional(database.pool()).await?)
        });
        row.await?.as_ref().map(read).transpose()
    }

    /// Returns the most recently used session of this agent and this user in this directory; `None`
    /// if there is none. The turn of the session may be interrupted or suspended. Without a user,
    /// only sessions without a user are considered.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn latest(
        &self,
        agent: &str,
        working_dir: &str,
        user: Option<&str>,
    ) -> Result<Option<String>, StoreError> {
        let sql = "SELECT id FROM sessions WHERE agent = $1 AND working_dir = $2
                   AND person IS NOT DISTINCT FROM $3
                   AND (turns > 0
                        OR EXISTS (SELECT 1 FROM turns WHERE turns.session = sessions.id)
                        OR EXISTS (SELECT 1 FROM checkpoints WHERE checkpoints.root = sessions.id))
                   ORDER BY updated_ms DESC, id DESC LIMIT 1";
        let select = sqlx::query(sql)
            .bind(storable(agent))
            .bind(storable(working_dir))
            .bind(user.map(storable));
        let row = self.0.run(|database| async move {
            Ok::<_, StoreError>(select.fetch_optional(database.pool()).await?)
        });
        Ok(row.await?.map(|row| row.try_get(0)).transpose()?)
    }

    /// Releases a session that another process has open. That process can then not save the
    /// session. Returns the process.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn release(&self, id: &str) -> Result<Released, StoreError> {
        let id = storable(id);
        let released = self.0.run(move |database| async move {
            let mut transaction = database.write().await?;
            // The update locks the row, so that no process opens or closes the session meanwhile.
            let lock = "UPDATE sessions SET id = id WHERE id = $1";
            let lock = sqlx::query(lock).bind(&id);
            if lock.execute(&mut *transaction).await?.rows_affected() == 0 {
                return Ok(Released::Unknown);
            }
            let sql = select!("'null'", "WHERE sessions.id = $1");
            let row = sqlx::query(sql).bind(&id);
            let row = read(&row.fetch_one(&mut *transaction).await?)?;
            let free = "UPDATE sessions SET host = NULL, claimed_ms = NULL
                        WHERE id = $1 AND host IS NOT NULL";
            let free = sqlx::query(free).bind(&id);
            let freed = free.execute(&mut *transaction).await?.rows_affected();
            transaction.commit().await?;
            Ok::<_, StoreError>(match freed {
                0 => Released::WasFree,
                _ => Released::From(row.open_in),
            })
        });
        released.await
    }

    /// Deletes a session and all its data in the store. An open session is deleted only with
    /// `force`; the process that has it open can then not save it.
    ///
    /// # Errors
    ///
    /// The store failed, or the session is open.
    pub async fn delete(&self, id: &str, force: bool) -> Result<Deleted, StoreError> {
        let id = storable(id);
        let deleted = self.0.run(move |database| async move {
            let mut transaction = database.write().await?;
            let locked = recordings::lock(&mut transaction, database.kind()).await?;
            // The update locks the row, so that no process opens the session meanwhile.
            let sql = "UPDATE sessions SET id = id WHERE id = $1 RETURNING host";
            let row = sqlx::query(sql).bind(&id);
            let row = row.fetch_optional(&mut *transaction).await?;
            let host = row
                .map(|row| row.try_get::<Option<i64>, _>(0))
                .transpose()?;
            if !force && host.flatten().is_some() {
                transaction.rollback().await?;
                return Err(match row::holder(&database, &id).await? {
                    Some(Holder { pid, machine, .. }) => StoreError::InUse {
                        session: id,
                        pid,
                        machine,
                    },
                    None => StoreError::Database(row::just_released(&id)),
                });
            }
            let deleted = delete(&mut transaction, &locked, &id).await?;
            forget_recorded(&mut transaction, &locked, &deleted).await?;
            transaction.commit().await?;
            Ok::<_, StoreError>(deleted)
        });
        deleted.await
    }

    /// Deletes the sessions that were not used for longer than `age`. Of the others, the newest are
    /// kept up to a total of `bytes`, and at least the newest one. Open sessions and `keep` are
    /// also kept. Deletes ended jobs, hook runs and recorded calls that are older than `age` and of
    /// no saved session, such as those of sub-agents. Returns the number of deleted rows.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn prune(
        &self,
        age: Option<Duration>,
        bytes: Option<u64>,
        keep: Option<&str>,
    ) -> Result<Deleted, StoreError> {
        let keep = keep.map(storable);
        let pruned = self.0.run(move |database| async move {
            let mut transaction = database.write().await?;
            let locked = recordings::lock(&mut transaction, database.kind()).await?;
            let sql = "SELECT id, updated_ms, bytes, host FROM sessions
                       ORDER BY updated_ms DESC, id DESC";
            let rows = sqlx::query(sql).fetch_all(&mut *transaction).await?;
            let age = age.map(|age| u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
            let oldest = age.map(|age| signed(now_ms().saturating_sub(age)));
            let (mut used, mut full, mut newest) = (0_u64, false, true);
            let mut all = Deleted::default();
            for row in rows {
                let id: String = row.try_get("id")?;
                let size = row.try_get::<i64, _>("bytes")?.unsigned_abs();
                let updated: i64 = row.try_get("updated_ms")?;
                let old = oldest.is_some_and(|oldest| updated < oldest);
                used = used.saturating_add(size);
                full |= !newest && bytes.is_some_and(|most| used > most);
                // The newest is the first one with bytes: a session without turns has none.
                newest &= size == 0;
                let open = row.try_get::<Option<i64>, _>("host")?.is_some();
                if !open && keep.as_ref() != Some(&id) && (old || full) {
                    all.add(delete(&mut transaction, &locked, &id).await?);
                }
            }
            if let Some(oldest) = oldest {
                all.add(delete_unsaved(&mut transaction, &locked, oldest).await?);
            }
            forget_recorded(&mut transaction, &locked, &all).await?;
            let unused = "DELETE FROM hook_sets
                WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.hooks = hook_sets.digest)";
            sqlx::query(unused).execute(&mut *transaction).await?;
            transaction.commit().await?;
            Ok::<_, StoreError>(all)
        });
        pruned.await
    }
}

impl Deleted {
    fn add(&mut self, more: Self) {
        self.sessions += more.sessions;
        self.memories += more.memories;
        self.checkpoints += more.checkpoints;
        self.turns += more.turns;
        self.jobs += more.jobs;
        self.hook_runs += more.hook_runs;
        self.hook_state += more.hook_state;
        self.recorded_calls += more.recorded_calls;
    }
}

/// Deletes a session that this host has open, if none of its data is saved, none of its turns has
/// ended, and none is suspended or unfinished. Its jobs and hook runs are kept: a job also runs
/// after a failed turn, and the journal shows why the turn failed.
pub(super) async fn forget_unused(
    transaction: &mut Transaction<'static, Any>,
    id: &str,
    host: i64,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM sessions WHERE id = $1 AND host = $2 AND turns = 0 AND data = 'null'
               AND NOT EXISTS (SELECT 1 FROM checkpoints WHERE checkpoints.session = sessions.id)
               AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.session = sessions.id)";
    let unused = sqlx::query(sql).bind(id).bind(host);
    if unused.execute(&mut **transaction).await?.rows_affected() > 0 {
        for sql in [
            "DELETE FROM private_state WHERE session = $1",
            "DELETE FROM memory WHERE session = $1",
        ] {
            sqlx::query(sql)
                .bind(id)
                .execute(&mut **transaction)
                .await?;
        }
    }
    Ok(())
}

/// Deletes the data that only deleted calls used.
async fn forget_recorded(
    transaction: &mut Transaction<'static, Any>,
    locked: &Locked,
    deleted: &Deleted,
) -> Result<(), StoreError> {
    match deleted.recorded_calls {
        0 => Ok(()),
        _ => recordings::forget_unused(transaction, locked).await,
    }
}

/// Deletes the jobs and hook runs that ended before `oldest`, and the calls that were recorded
/// before `oldest`, of sessions that are not saved.
async fn delete_unsaved(
    transaction: &mut Transaction<'static, Any>,
    locked: &Locked,
    oldest: i64,
) -> Result<Deleted, StoreError> {
    let (mut deleted, mut events, mut overviews) = (Deleted::default(), 0, 0);
    let mut feeds = 0;
    for (sql, count) in [
        (old_feeds::UNSAVED, &mut feeds),
        (
            "DELETE FROM jobs WHERE ended_ms < $1
             AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = jobs.root)",
            &mut deleted.jobs,
        ),
        (
            "DELETE FROM runs WHERE ended_ms < $1
             AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = runs.session)",
            &mut deleted.hook_runs,
        ),
        (
            "DELETE FROM events WHERE at_ms < $1
             AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = events.session)",
            &mut events,
        ),
        (
            "DELETE FROM journal_sessions WHERE active_ms < $1
             AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = journal_sessions.session)",
            &mut overviews,
        ),
    ] {
        let delete = sqlx::query(sql).bind(oldest);
        *count = delete.execute(&mut **transaction).await?.rows_affected();
    }
    deleted.recorded_calls = recordings::unsaved(transaction, locked, oldest).await?;
    Ok(deleted)
}

async fn delete(
    transaction: &mut Transaction<'static, Any>,
    locked: &Locked,
    id: &str,
) -> Result<Deleted, StoreError> {
    let (mut deleted, mut events, mut overviews) = (Deleted::default(), 0, 0);
    let mut feed = 0;
    for (sql, count) in [
        ("DELETE FROM sessions WHERE id = $1", &mut deleted.sessions),
        (
            "DELETE FROM memory WHERE session = $1",
            &mut deleted.memories,
        ),
        (
            "DELETE FROM checkpoints WHERE root = $1",
            &mut deleted.checkpoints,
        ),
        ("DELETE FROM turns WHERE session = $1", &mut deleted.turns),
        ("DELETE FROM jobs WHERE root = $1", &mut deleted.jobs),
        (
            "DELETE FROM runs WHERE session = $1",
            &mut deleted.hook_runs,
        ),
        ("DELETE FROM events WHERE session = $1", &mut events),
        ("DELETE FROM feed WHERE session = $1", &mut feed),
        (
            "DELETE FROM journal_sessions WHERE session = $1",
            &mut overviews,
        ),
        (
            "DELETE FROM private_state WHERE session = $1",
            &mut deleted.hook_state,
        ),
    ] {
        let delete = sqlx::query(sql).bind(id);
        *count = delete.execute(&mut **transaction).await?.rows_affected();
    }
    deleted.recorded_calls = recordings::of_session(transaction, locked, id).await?;
    Ok(deleted)
}
