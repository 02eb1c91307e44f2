//! Turns that have not ended, and what they did.

use async_trait::async_trait;
use portcullis_agent::{NewTurn, Place, RecordedEffect, TurnStore, TurnStoreError, UnfinishedTurn};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{signed, storable};
use crate::error::StoreError;
use crate::store::Store;

/// The unfinished turns in a [`Store`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Turns(Store);

impl Store {
    /// Its unfinished turns.
    pub fn turns(&self) -> Turns {
        Turns(self.clone())
    }
}

impl Turns {
    /// Cancels the turn of a session, by removing its record: the process that runs it stops it soon, and a turn
    /// that was interrupted is not finished any more. Returns whether there was one that is not saved.
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
        let begun = self.0.run(|database| async move {
            let mut transaction = database.write().await?;
            let forget = sqlx::query("DELETE FROM turns WHERE session = $1");
            let forget = forget.bind(storable(&turn.session));
            forget.execute(&mut *transaction).await?;
            let sql = "INSERT INTO turns (id, session, agent, turn, began_ms, data)
                       VALUES ($1, $2, $3, $4, $5, $6)";
            let insert = sqlx::query(sql)
                .bind(turn.id)
                .bind(storable(&turn.session))
                .bind(storable(&turn.agent))
                .bind(i64::from(turn.turn))
                .bind(signed(turn.began_ms))
                .bind(turn.data.to_string());
            insert.execute(&mut *transaction).await?;
            Ok::<_, StoreError>(transaction.commit().await?)
        });
        begun.await.map_err(failed)
    }

    async fn record(&self, id: &str, effect: RecordedEffect) -> Result<(), TurnStoreError> {
        let sql = "INSERT INTO effects (turn, path, name, value)
                   SELECT id, $2, $3, $4 FROM turns WHERE id = $1";
        let RecordedEffect { place, value } = effect;
        let insert = sqlx::query(sql)
            .bind(id.to_owned())
            .bind(place.path)
            .bind(storable(&place.name))
            .bind(value);
        let recorded = self.0.run(|database| async move {
            Ok::<_, StoreError>(insert.execute(database.pool()).await?.rows_affected())
        });
        match recorded.await.map_err(failed)? {
            0 => Err(TurnStoreError::Gone(id.to_owned())),
            _ => Ok(()),
        }
    }

    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError> {
        let select = sqlx::query("SELECT 1 FROM turns WHERE id = $1").bind(id.to_owned());
        let found = self.0.run(|database| async move {
            Ok::<_, StoreError>(select.fetch_optional(database.pool()).await?)
        });
        Ok(found.await.map_err(failed)?.is_some())
    }

    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
        let session = storable(session);
        let found = self.0.run(|database| async move {
            let sql =
                "SELECT id, session, agent, turn, began_ms, data FROM turns WHERE session = $1";
            let select = sqlx::query(sql).bind(session);
            let Some(row) = select.fetch_optional(database.pool()).await? else {
                return Ok(None);
            };
            let turn = read(&row)?;
            let sql = "SELECT path, name, value FROM effects WHERE turn = $1";
            let select = sqlx::query(sql).bind(turn.id.clone());
            let rows = select.fetch_all(database.pool()).await?;
            let effects = rows.iter().map(effect).collect::<Result<_, _>>()?;
            Ok::<_, StoreError>(Some(UnfinishedTurn { turn, effects }))
        });
        found.await.map_err(failed)
    }

    async fn end(&self, id: &str) -> Result<(), TurnStoreError> {
        // Its effects go with it.
        let delete = sqlx::query("DELETE FROM turns WHERE id = $1").bind(id.to_owned());
        let ended = self.0.run(|database| async move {
            delete.execute(database.pool()).await?;
            Ok::<_, StoreError>(())
        });
        ended.await.map_err(failed)
    }
}

fn read(row: &AnyRow) -> Result<NewTurn, StoreError> {
    let data: String = row.try_get("data")?;
    Ok(NewTurn {
        id: row.try_get("id")?,
        session: row.try_get("session")?,
        agent: row.try_get("agent")?,
        turn: u32::try_from(row.try_get::<i64, _>("turn")?).unwrap_or(u32::MAX),
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
