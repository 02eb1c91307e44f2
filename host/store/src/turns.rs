//! Unfinished turns and their effects.

use async_trait::async_trait;
use portcullis_agent::{NewTurn, Place, RecordedEffect, TurnStore, TurnStoreError, UnfinishedTurn};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{Kind, narrow, now_ms, signed, storable};
use crate::error::StoreError;
use crate::hosts;
use crate::sql::without_nul;
use crate::store::Store;

/// Records the value of an effect, if this host has the session open. The value may already be
/// recorded, if the connection broke.
macro_rules! record {
    ($lock:literal) => {
        concat!(
            "INSERT INTO effects (turn, path, name, value)
             SELECT turns.id, $2, $3, $4 FROM turns JOIN sessions ON sessions.id = turns.session
             WHERE turns.id = $1 AND sessions.host = $5 ",
            $lock,
            " ON CONFLICT (turn, path) DO UPDATE SET value = excluded.value
              WHERE effects.name = excluded.name"
        )
    };
}
/// The unfinished turns in a [`Store`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Turns(Store);

/// An interrupted turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterruptedTurn {
    /// Its session.
    pub session: String,
    /// The unique id of its run.
    pub id: String,
}

impl Store {
    /// Returns the store's unfinished turns.
    pub fn turns(&self) -> Turns {
        Turns(self.clone())
    }
}

impl Turns {
    /// Returns the interrupted turns of an agent and a user in a directory, the oldest first. Their
    /// process died or was asked to stop. Without a directory or a user, only turns of sessions
    /// without one are returned. Turns that [an engine](Self::begin_on) runs are left out: the
    /// engine finishes them.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn interrupted(
        &self,
        agent: &str,
        working_dir: Option<&str>,
        user: Option<&str>,
    ) -> Result<Vec<InterruptedTurn>, StoreError> {
        let (agent, working_dir, user) = (
            storable(agent),
            working_dir.map(storable),
            user.map(storable),
        );
        let url = self.0.url().clone();
        let found = self.0.run(|database| async move {
            // The turns of a host that died since the store was opened are then interrupted.
            hosts::settle(&database, &url).await?;
            let sql = "SELECT turns.session, turns.id FROM turns JOIN sessions ON sessions.id = turns.session
                       WHERE sessions.agent = $1 AND sessions.working_dir IS NOT DISTINCT FROM $2
                       AND sessions.person IS NOT DISTINCT FROM $3
                       AND sessions.host IS NULL AND turns.turn > sessions.turns
                       AND turns.engine IS NULL
                       ORDER BY turns.began_ms, turns.id";
            let select = sqlx::query(sql).bind(agent).bind(working_dir).bind(user);
            let rows = select.fetch_all(database.pool()).await?;
            let turns = rows.iter().map(|row| {
                Ok(InterruptedTurn {
                    session: row.try_get(0)?,
                    id: row.try_get(1)?,
                })
            });
            turns.collect::<Result<Vec<_>, StoreError>>()
        });
        found.await
    }

    /// Begins a turn that an engine runs, such as a Restate server, which keeps the turn's record.
    /// The store only shows the turn, and can cancel it.
    ///
    /// # Errors
    ///
    /// The store failed, or this host does not have the session open.
    pub async fn begin_on(&self, engine: &'static str, turn: NewTurn) -> Result<(), StoreError> {
        self.insert(turn, Some(engine)).await
    }

    async fn insert(&self, turn: NewTurn, engine: Option<&'static str>) -> Result<(), StoreError> {
        let host = self.0.host();
        let begun = self.0.run_patiently(move |database| {
            let turn = turn.clone();
            async move {
                let mut transaction = database.write().await?;
                hosts::check_open(&mut transaction, &turn.session, host).await?;
                let forget = sqlx::query("DELETE FROM turns WHERE session = $1");
                let forget = forget.bind(storable(&turn.session));
                forget.execute(&mut *transaction).await?;
                let sql = "INSERT INTO turns (id, session, agent, turn, began_ms, data, engine)
                           VALUES ($1, $2, $3, $4, $5, $6, $7)";
                let insert = sqlx::query(sql)
                    .bind(turn.id)
                    .bind(storable(&turn.session))
                    .bind(storable(&turn.agent))
                    .bind(i64::from(turn.turn))
                    .bind(signed(turn.began_ms))
                    .bind(turn.data.to_string())
                    .bind(engine);
                insert.execute(&mut *transaction).await?;
                let used = "UPDATE sessions SET updated_ms = $2 WHERE id = $1";
                let used = sqlx::query(used)
                    .bind(storable(&turn.session))
                    .bind(signed(now_ms()));
                used.execute(&mut *transaction).await?;
                Ok(transaction.commit().await?)
            }
        });
        begun.await
    }

    /// Cancels the turn of a session by removing its record. The process that runs the turn stops
    /// it soon; an interrupted turn is not finished. Returns whether there was a turn that is not
    /// saved.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn cancel(&self, session: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM turns WHERE session = $1
                   AND turn > (SELECT turns FROM sessions WHERE id = $1)";
        let delete = sqlx::query(sql).bind(storable(session));
        let cancelled = self.0.run(|database| async move {
            Ok::<_, StoreError>(delete.execute(database.pool()).await?.rows_affected())
        });
        Ok(cancelled.await? > 0)
    }
}

#[async_trait]
impl TurnStore for Turns {
    async fn begin(&self, turn: NewTurn) -> Result<(), TurnStoreError> {
        self.insert(turn, None).await.map_err(failed)
    }

    async fn record(&self, id: &str, effect: RecordedEffect) -> Result<(), TurnStoreError> {
        let sql = match self.0.kind() {
            Kind::Sqlite => record!(""),
            // The next claim of the session waits for this transaction, or this transaction waits
            // for the claim.
            Kind::Postgres => record!("FOR SHARE OF sessions"),
        };
        let RecordedEffect { place, value } = &effect;
        let values = [
            id.into(),
            place.path.as_str().into(),
            without_nul(&place.name).into(),
            value.as_str().into(),
            self.0.host().into(),
        ];
        let recorded = self.0.execute(sql, &values);
        match recorded.await.map_err(failed)? {
            0 => Err(TurnStoreError::Gone(id.to_owned())),
            _ => Ok(()),
        }
    }

    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError> {
        let sql = "SELECT 1 FROM turns JOIN sessions ON sessions.id = turns.session
                   WHERE turns.id = $1 AND sessions.host = $2";
        let select = sqlx::query(sql).bind(id.to_owned()).bind(self.0.host());
        let found = self.0.run(|database| async move {
            Ok::<_, StoreError>(select.fetch_optional(database.pool()).await?)
        });
        Ok(found.await.map_err(failed)?.is_some())
    }

    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
        let session = storable(session);
        let found = self.0.run_patiently(move |database| {
            let session = session.clone();
            async move {
                // One transaction, so that an attempt counts once if its connection breaks here.
                let mut transaction = database.write().await?;
                let sql = "UPDATE turns SET attempt = attempt + 1 WHERE session = $1
                           RETURNING id, session, agent, turn, began_ms, data, attempt";
                let select = sqlx::query(sql).bind(session);
                let Some(row) = select.fetch_optional(&mut *transaction).await? else {
                    return Ok(None);
                };
                let turn = read(&row)?;
                let sql = "SELECT path, name, value FROM effects WHERE turn = $1";
                let select = sqlx::query(sql).bind(turn.id.clone());
                let rows = select.fetch_all(&mut *transaction).await?;
                let effects = rows.iter().map(effect).collect::<Result<_, _>>()?;
                let attempt = narrow(row.try_get("attempt")?);
                transaction.commit().await?;
                Ok(Some(UnfinishedTurn {
                    turn,
                    effects,
                    attempt,
                }))
            }
        });
        found.await.map_err(failed)
    }

    async fn end(&self, id: &str) -> Result<(), TurnStoreError> {
        // Its effects are deleted too. A turn that another process continues is not deleted.
        let sql = "DELETE FROM turns WHERE id = $1 AND EXISTS
                   (SELECT 1 FROM sessions WHERE sessions.id = turns.session AND sessions.host = $2)";
        let values = [id.into(), self.0.host().into()];
        let ended = self.0.execute(sql, &values);
        ended.await.map(drop).map_err(failed)
    }
}

fn read(row: &AnyRow) -> Result<NewTurn, StoreError> {
    let data: String = row.try_get("data")?;
    Ok(NewTurn {
        id: row.try_get("id")?,
        session: row.try_get("session")?,
        agent: row.try_get("agent")?,
        turn: narrow(row.try_get("turn")?),
        began_ms: row.try_get::<i64, _>("began_ms")?.unsigned_abs(),
        data: serde_json::from_str(&data)
            .map_err(|e| StoreError::Database(format!("the data of a turn: {e}")))?,
    })
}

fn effect(row: &AnyRow) -> Result<RecordedEffect, StoreError> {
    Ok(RecordedEffect {
        place: Place {
            path: row.try_get("path")?,
            name: row.try_get("name")?,
        },
        value: row.try_get("value")?,
    })
}

fn failed(error: StoreError) -> TurnStoreError {
    TurnStoreError::Failed(error.to_string())
}
