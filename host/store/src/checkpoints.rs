//! Suspended turns.

use async_trait::async_trait;
use portcullis_agent::{
    Checkpoint, CheckpointError, CheckpointId, CheckpointInfo, CheckpointStore, NewCheckpoint,
};
use serde_json::Value;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{now_ms, random_bytes, signed, storable};
use crate::error::StoreError;
use crate::store::Store;

/// The suspended turns in a [`Store`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Checkpoints(Store);

impl Store {
    /// Its suspended turns.
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints(self.clone())
    }
}

/// The columns of [`info`], as the end of a statement.
macro_rules! columns {
    () => {
        "id, saved_ms, session, agent, turn, reason, pending, claimed_ms"
    };
}

#[async_trait]
impl CheckpointStore for Checkpoints {
    async fn save(&self, new: NewCheckpoint) -> Result<CheckpointId, CheckpointError> {
        let saved_ms = now_ms();
        let id = CheckpointId::new(saved_ms, random_bytes().map_err(failed)?);
        let sql = "INSERT INTO checkpoints
                       (id, saved_ms, session, agent, turn, reason, pending, data)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let insert = sqlx::query(sql)
            .bind(id.to_string())
            .bind(signed(saved_ms))
            .bind(storable(&new.session))
            .bind(storable(&new.agent))
            .bind(i64::from(new.turn))
            .bind(storable(&new.reason))
            .bind(Value::from(new.pending.as_slice()).to_string())
            .bind(new.data.to_string());
        let run = self.0.run(|database| async move {
            insert.execute(database.pool()).await?;
            Ok(())
        });
        run.await.map_err(failed)?;
        Ok(id)
    }

    async fn claim(&self, id: &CheckpointId) -> Result<Checkpoint, CheckpointError> {
        // One statement, so that of all claimers exactly one succeeds.
        let claim = sqlx::query(concat!(
            "UPDATE checkpoints SET claimed_ms = $2 WHERE id = $1 AND claimed_ms IS NULL
             RETURNING data, ",
            columns!()
        ))
        .bind(id.to_string())
        .bind(signed(now_ms()));
        let find = sqlx::query("SELECT claimed_ms FROM checkpoints WHERE id = $1");
        let (of, find) = (id.clone(), find.bind(id.to_string()));
        let claimed = self.0.run(|database| async move {
            // An error rolls the claim back: a damaged checkpoint still waits.
            let mut transaction = database.write().await?;
            let Some(row) = claim.fetch_optional(&mut *transaction).await? else {
                let found = find.fetch_optional(&mut *transaction).await?;
                let claimed_ms: Option<i64> = match found {
                    Some(row) => row.try_get(0)?,
                    None => return Ok(Err(CheckpointError::Unknown(of))),
                };
                let at_ms = claimed_ms.unwrap_or_default().unsigned_abs();
                return Ok(Err(CheckpointError::AlreadyClaimed { id: of, at_ms }));
            };
            let data: String = row.try_get("data")?;
            let data = match serde_json::from_str(&data) {
                Ok(data) => data,
                Err(e) => return Ok(Err(damaged(&of, "data", &e))),
            };
            let mut info = match info(&row)? {
                Ok(info) => info,
                Err(error) => return Ok(Err(error)),
            };
            info.claimed_ms = None;
            transaction.commit().await?;
            Ok(Ok(Checkpoint { info, data }))
        });
        claimed.await.map_err(failed)?
    }

    async fn release(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        let sql = "UPDATE checkpoints SET claimed_ms = NULL WHERE id = $1";
        self.change(id, sql).await
    }

    async fn list(&self, session: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        const ALL: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM checkpoints WHERE claimed_ms IS NULL ORDER BY saved_ms, seq"
        );
        const OF_SESSION: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM checkpoints WHERE claimed_ms IS NULL AND session = $1 ORDER BY saved_ms, seq"
        );
        match session {
            Some(session) => self.select(OF_SESSION, Some(storable(session))).await,
            None => self.select(ALL, None).await,
        }
    }

    async fn claimed(&self) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        const CLAIMED: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM checkpoints WHERE claimed_ms IS NOT NULL ORDER BY saved_ms, seq"
        );
        self.select(CLAIMED, None).await
    }

    async fn discard(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        let sql = "DELETE FROM checkpoints WHERE id = $1";
        self.change(id, sql).await
    }
}

impl Checkpoints {
    async fn change(&self, id: &CheckpointId, sql: &'static str) -> Result<(), CheckpointError> {
        let change = sqlx::query(sql).bind(id.to_string());
        let changed = self.0.run(|database| async move {
            Ok(change.execute(database.pool()).await?.rows_affected())
        });
        match changed.await.map_err(failed)? {
            0 => Err(CheckpointError::Unknown(id.clone())),
            _ => Ok(()),
        }
    }

    async fn select(
        &self,
        sql: &'static str,
        session: Option<String>,
    ) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        let select = match session {
            Some(session) => sqlx::query(sql).bind(session),
            None => sqlx::query(sql),
        };
        let rows = self
            .0
            .run(|database| async move { Ok(select.fetch_all(database.pool()).await?) });
        let rows = rows.await.map_err(failed)?;
        let infos = rows.iter().map(|row| info(row).map_err(failed)?);
        infos.collect()
    }
}

fn info(row: &AnyRow) -> Result<Result<CheckpointInfo, CheckpointError>, StoreError> {
    let id: CheckpointId = match row.try_get::<String, _>("id")?.parse() {
        Ok(id) => id,
        Err(e) => return Err(StoreError::Database(format!("{e}"))),
    };
    let pending: String = row.try_get("pending")?;
    let pending = match serde_json::from_str(&pending) {
        Ok(pending) => pending,
        Err(e) => return Ok(Err(damaged(&id, "pending calls", &e))),
    };
    let claimed_ms: Option<i64> = row.try_get("claimed_ms")?;
    Ok(Ok(CheckpointInfo {
        id,
        saved_ms: row.try_get::<i64, _>("saved_ms")?.unsigned_abs(),
        claimed_ms: claimed_ms.map(i64::unsigned_abs),
        session: row.try_get("session")?,
        agent: row.try_get("agent")?,
        turn: u32::try_from(row.try_get::<i64, _>("turn")?).unwrap_or(u32::MAX),
        reason: row.try_get("reason")?,
        pending,
    }))
}

fn damaged(id: &CheckpointId, what: &str, error: &serde_json::Error) -> CheckpointError {
    CheckpointError::Damaged {
        id: id.clone(),
        cause: format!("its {what}: {error}"),
    }
}

fn failed(error: StoreError) -> CheckpointError {
    CheckpointError::Store(error.to_string())
}
