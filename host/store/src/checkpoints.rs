//! Suspended turns.

use std::collections::BTreeMap;

use async_trait::async_trait;
use portcullis_agent::{
    Answerer, Checkpoint, CheckpointError, CheckpointId, CheckpointInfo, CheckpointStore,
    ClaimedBy, NewCheckpoint, Resolution,
};
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _, Transaction};

use crate::database::{narrow, now_ms, random_bytes, signed, storable};
use crate::error::StoreError;
use crate::store::Store;

/// The suspended turns in a [`Store`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Checkpoints(Store);

impl Store {
    /// Returns the store's suspended turns.
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints(self.clone())
    }
}

/// The columns of [`info`], as the end of a statement.
macro_rules! columns {
    () => {
        "id, saved_ms, session, agent, turn, reason, pending, resolutions, of_subagent, claimed_ms,
         claimed_process, claimed_start, claimed_host, answered, until_ms"
    };
}

#[async_trait]
impl CheckpointStore for Checkpoints {
    async fn save(&self, new: NewCheckpoint) -> Result<CheckpointId, CheckpointError> {
        let saved_ms = now_ms();
        let id = CheckpointId::new(saved_ms, random_bytes().map_err(failed)?);
        let sql = "INSERT INTO checkpoints
                       (id, saved_ms, session, agent, turn, reason, pending, resolutions,
                        of_subagent, data, root, until_ms)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, '{}', $8, $9, $10, $11)";
        let insert = sqlx::query(sql)
            .bind(id.to_string())
            .bind(signed(saved_ms))
            .bind(storable(&new.session))
            .bind(storable(&new.agent))
            .bind(i64::from(new.turn))
            .bind(storable(&new.reason))
            .bind(json(&new.pending)?)
            .bind(i64::from(new.of_subagent))
            .bind(new.data.to_string())
            .bind(storable(&new.root_session))
            .bind(new.until_ms.map(signed));
        let used = "UPDATE sessions SET updated_ms = $2 WHERE id = $1";
        let used = sqlx::query(used)
            .bind(storable(&new.session))
            .bind(signed(saved_ms));
        let run = self.0.run(|database| async move {
            let mut transaction = database.write().await?;
            insert.execute(&mut *transaction).await?;
            used.execute(&mut *transaction).await?;
            Ok(transaction.commit().await?)
        });
        run.await.map_err(failed)?;
        Ok(id)
    }

    async fn resolve(
        &self,
        id: &CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        by: Answerer,
    ) -> Result<CheckpointInfo, CheckpointError> {
        let id = id.clone();
        let resolved = self.0.run(|database| async move {
            let mut transaction = database.write().await?;
            let mut info = match locked(&mut transaction, &id).await? {
                Ok(info) => info,
                Err(error) => return Ok(Err(error)),
            };
            let answered = not_claimed(&mut info).and_then(|()| info.answer(resolutions, &by));
            let written =
                answered.and_then(|()| Ok((json(&info.resolutions)?, json(&info.answered)?)));
            let (resolutions, answered) = match written {
                Ok(written) => written,
                Err(error) => return Ok(Err(error)),
            };
            let sql = "UPDATE checkpoints SET resolutions = $2, answered = $3 WHERE id = $1";
            let update = sqlx::query(sql)
                .bind(id.to_string())
                .bind(resolutions)
                .bind(answered);
            update.execute(&mut *transaction).await?;
            transaction.commit().await?;
            Ok(Ok(info))
        });
        resolved.await.map_err(failed)?
    }

    async fn get(&self, id: &CheckpointId) -> Result<CheckpointInfo, CheckpointError> {
        const ONE: &str = concat!("SELECT ", columns!(), " FROM checkpoints WHERE id = $1");
        let found = self.select(ONE, Some(id.to_string())).await?;
        let found = found.into_iter().next();
        found.ok_or_else(|| CheckpointError::Unknown(id.clone()))
    }

    async fn claim(&self, id: &CheckpointId) -> Result<Checkpoint, CheckpointError> {
        let id = id.clone();
        let claimed = self.0.run(|database| async move {
            // An error rolls the claim back, so that a damaged checkpoint is not claimed.
            let mut transaction = database.write().await?;
            let mut info = match locked(&mut transaction, &id).await? {
                Ok(info) => info,
                Err(error) => return Ok(Err(error)),
            };
            if let Err(error) = not_claimed(&mut info) {
                return Ok(Err(error));
            }
            let by = ClaimedBy::this_process();
            let sql = "UPDATE checkpoints
                       SET claimed_ms = $2, claimed_process = $3, claimed_host = $4, claimed_start = $5
                       WHERE id = $1 RETURNING data";
            let claim = sqlx::query(sql)
                .bind(id.to_string())
                .bind(signed(by.at_ms))
                .bind(i64::from(by.process))
                .bind(storable(&by.host))
                .bind(by.start.clone());
            let row = claim.fetch_one(&mut *transaction).await?;
            let data: String = row.try_get("data")?;
            let data = match serde_json::from_str(&data) {
                Ok(data) => data,
                Err(e) => return Ok(Err(damaged(&id, "data", &e))),
            };
            transaction.commit().await?;
            info.claim = Some(by);
            Ok(Ok(Checkpoint { info, data }))
        });
        claimed.await.map_err(failed)?
    }

    async fn release(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        const RELEASE: &str = "UPDATE checkpoints
            SET claimed_ms = NULL, claimed_process = NULL, claimed_host = NULL,
                claimed_start = NULL
            WHERE id = $1";
        // The turn that its process interrupted is a waiting one again.
        const WAITS: &str = "UPDATE journal_sessions SET state = 'waiting', revision = revision + 1
            WHERE state = 'interrupted'
              AND session = (SELECT session FROM checkpoints WHERE id = $1)";
        let of = id.to_string();
        let released = self.0.run(|database| async move {
            let mut transaction = database.write().await?;
            let released = sqlx::query(RELEASE).bind(of.clone());
            let released = released.execute(&mut *transaction).await?.rows_affected();
            sqlx::query(WAITS)
                .bind(of)
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            Ok(released)
        });
        found(id, released.await)
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

    async fn claimed(&self, session: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        const ALL: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM checkpoints WHERE claimed_ms IS NOT NULL ORDER BY saved_ms, seq"
        );
        const OF_SESSION: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM checkpoints WHERE claimed_ms IS NOT NULL AND session = $1 ORDER BY saved_ms, seq"
        );
        match session {
            Some(session) => self.select(OF_SESSION, Some(storable(session))).await,
            None => self.select(ALL, None).await,
        }
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
        found(id, changed.await)
    }

    async fn select(
        &self,
        sql: &'static str,
        value: Option<String>,
    ) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        let select = match value {
            Some(value) => sqlx::query(sql).bind(value),
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

/// Reads the facts about a checkpoint. No other transaction can change them until this one ends.
async fn locked(
    transaction: &mut Transaction<'static, Any>,
    id: &CheckpointId,
) -> Result<Result<CheckpointInfo, CheckpointError>, StoreError> {
    // A write, because PostgreSQL does not lock rows that are only read.
    let sql = concat!(
        "UPDATE checkpoints SET saved_ms = saved_ms WHERE id = $1 RETURNING ",
        columns!()
    );
    let lock = sqlx::query(sql).bind(id.to_string());
    match lock.fetch_optional(&mut **transaction).await? {
        Some(row) => info(&row),
        None => Ok(Err(CheckpointError::Unknown(id.clone()))),
    }
}

fn not_claimed(info: &mut CheckpointInfo) -> Result<(), CheckpointError> {
    match info.claim.take() {
        Some(by) => Err(CheckpointError::AlreadyClaimed {
            id: info.id.clone(),
            by,
        }),
        None => Ok(()),
    }
}

fn json(value: &impl Serialize) -> Result<String, CheckpointError> {
    serde_json::to_string(value).map_err(|e| CheckpointError::Store(e.to_string()))
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
    let resolutions: String = row.try_get("resolutions")?;
    let resolutions = match serde_json::from_str(&resolutions) {
        Ok(resolutions) => resolutions,
        Err(e) => return Ok(Err(damaged(&id, "resolutions", &e))),
    };
    let answered: String = row.try_get("answered")?;
    let answered = match serde_json::from_str(&answered) {
        Ok(answered) => answered,
        Err(e) => return Ok(Err(damaged(&id, "answers", &e))),
    };
    let claimed_ms: Option<i64> = row.try_get("claimed_ms")?;
    let claim = match claimed_ms {
        Some(at_ms) => Some(ClaimedBy {
            at_ms: at_ms.unsigned_abs(),
            process: u32::try_from(row.try_get::<i64, _>("claimed_process")?).unwrap_or_default(),
            start: row.try_get("claimed_start")?,
            host: row.try_get("claimed_host")?,
        }),
        None => None,
    };
    Ok(Ok(CheckpointInfo {
        id,
        saved_ms: row.try_get::<i64, _>("saved_ms")?.unsigned_abs(),
        claim,
        session: row.try_get("session")?,
        agent: row.try_get("agent")?,
        turn: narrow(row.try_get("turn")?),
        reason: row.try_get("reason")?,
        pending,
        resolutions,
        answered,
        until_ms: row
            .try_get::<Option<i64>, _>("until_ms")?
            .map(i64::unsigned_abs),
        of_subagent: row.try_get::<i64, _>("of_subagent")? != 0,
    }))
}

fn damaged(id: &CheckpointId, what: &str, error: &serde_json::Error) -> CheckpointError {
    CheckpointError::Damaged {
        id: id.clone(),
        cause: format!("its {what}: {error}"),
    }
}

/// Requires that a statement changed the row of a checkpoint.
fn found(id: &CheckpointId, changed: Result<u64, StoreError>) -> Result<(), CheckpointError> {
    match changed.map_err(failed)? {
        0 => Err(CheckpointError::Unknown(id.clone())),
        _ => Ok(()),
    }
}

fn failed(error: StoreError) -> CheckpointError {
    CheckpointError::Store(error.to_string())
}
