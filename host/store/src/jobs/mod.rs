//! Background jobs. They run at least once, even if their process ends first.

mod row;

use async_trait::async_trait;
use portcullis_agent::{Job, JobId, JobStore, JobStoreError, MAX_JOB_ATTEMPTS, TakenOver};
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _, Transaction};

pub use self::row::{JobRow, JobState};
use crate::database::{narrow, now_ms, signed, storable};
use crate::error::StoreError;
use crate::hosts;
use crate::store::Store;

/// The background jobs of all agents in a [`Store`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Jobs(Store);

/// The background jobs of one agent in one directory.
#[derive(Debug, Clone)]
pub struct AgentJobs {
    store: Store,
    owner: Owner,
}

/// The owner of jobs. Agents with the same name in two directories have separate handlers.
#[derive(Debug, Clone)]
struct Owner {
    agent: String,
    working_dir: String,
}

impl Store {
    /// Returns the store's background jobs.
    pub fn jobs(&self) -> Jobs {
        Jobs(self.clone())
    }
}

impl Jobs {
    /// Returns the jobs of this agent in this directory.
    pub fn of(&self, agent: &str, working_dir: &str) -> AgentJobs {
        AgentJobs {
            store: self.0.clone(),
            owner: Owner {
                agent: storable(agent),
                working_dir: storable(working_dir),
            },
        }
    }

    /// Returns all jobs, the newest first.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn list(&self) -> Result<Vec<JobRow>, StoreError> {
        let select = sqlx::query(row::SELECT);
        let rows = self.0.run(|database| async move {
            Ok::<_, StoreError>(select.fetch_all(database.pool()).await?)
        });
        rows.await?.iter().map(row::read).collect()
    }
}

#[async_trait]
impl JobStore for AgentJobs {
    async fn add(&self, job: &Job) -> Result<JobId, JobStoreError> {
        let insert = sqlx::query(
            "INSERT INTO jobs (agent, working_dir, name, hook, session, input, queued_ms, attempt, host,
                               root)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9) RETURNING id",
        )
        .bind(self.owner.agent.clone())
        .bind(self.owner.working_dir.clone())
        .bind(storable(&job.name))
        .bind(storable(&job.hook))
        .bind(storable(&job.session_id))
        .bind(job.input.to_string())
        .bind(signed(now_ms()))
        .bind(self.store.host())
        .bind(storable(&job.root_session));
        let id = self.store.run(|database| async move {
            let row = insert.fetch_one(database.pool()).await?;
            Ok::<_, StoreError>(row.try_get(0)?)
        });
        id.await.map(JobId).map_err(failed)
    }

    async fn start(&self, id: JobId) -> Result<Option<u32>, JobStoreError> {
        let sql = "UPDATE jobs SET attempt = attempt + 1
                   WHERE id = $1 AND host = $2 AND ended_ms IS NULL RETURNING attempt";
        let start = sqlx::query(sql).bind(id.0).bind(self.store.host());
        let attempt = self.store.run(|database| async move {
            let row = start.fetch_optional(database.pool()).await?;
            row.as_ref().map(attempt).transpose()
        });
        attempt.await.map_err(failed)
    }

    async fn end(&self, id: JobId, error: Option<&str>) -> Result<(), JobStoreError> {
        // Even if another process has taken the job meanwhile: the job has ended.
        let sql = "UPDATE jobs SET ended_ms = $2, error = $3, host = NULL
                   WHERE id = $1 AND ended_ms IS NULL";
        let end = sqlx::query(sql)
            .bind(id.0)
            .bind(signed(now_ms()))
            .bind(error.map(storable));
        let ended = self.store.run(|database| async move {
            end.execute(database.pool()).await?;
            Ok::<_, StoreError>(())
        });
        ended.await.map_err(failed)
    }

    async fn take_over(&self, names: &[&str], most: usize) -> Result<TakenOver, JobStoreError> {
        let names: Vec<String> = names.iter().map(|name| storable(name)).collect();
        let (owner, host) = (self.owner.clone(), self.store.host());
        let url = self.store.url().clone();
        let taken = self.store.run(move |database| async move {
            // The job's process may have died since the store was opened.
            hosts::settle(&database, &url).await?;
            let mut taken = TakenOver::default();
            let mut transaction = database.write().await?;
            for name in &names {
                let given_up = give_up(&mut transaction, &owner, name).await?;
                taken
                    .given_up
                    .extend(given_up.into_iter().map(|(_, job)| job));
                let room = most.saturating_sub(taken.again.len());
                let claimed = claim(&mut transaction, host, &owner, name, room).await?;
                taken.again.extend(claimed);
            }
            transaction.commit().await?;
            taken.again.sort_by_key(|(id, _)| *id);
            Ok::<_, StoreError>(taken)
        });
        taken.await.map_err(failed)
    }
}

type Claimed = Vec<(JobId, Job)>;

async fn give_up(
    transaction: &mut Transaction<'static, Any>,
    owner: &Owner,
    name: &str,
) -> Result<Claimed, StoreError> {
    let sql = "UPDATE jobs SET ended_ms = $5, error = $6
               WHERE host IS NULL AND ended_ms IS NULL
                 AND agent = $1 AND working_dir = $2 AND name = $3 AND attempt >= $4
               RETURNING id, name, hook, session, root, input, attempt";
    let given_up = sqlx::query(sql)
        .bind(owner.agent.clone())
        .bind(owner.working_dir.clone())
        .bind(name)
        .bind(i64::from(MAX_JOB_ATTEMPTS))
        .bind(signed(now_ms()))
        .bind("given up: each time it was started, its process ended before it did");
    let rows = given_up.fetch_all(&mut **transaction).await?;
    rows.iter().map(job).collect()
}

async fn claim(
    transaction: &mut Transaction<'static, Any>,
    host: i64,
    owner: &Owner,
    name: &str,
    most: usize,
) -> Result<Claimed, StoreError> {
    let sql = "UPDATE jobs SET host = $1
               WHERE host IS NULL AND id IN (
                   SELECT id FROM jobs WHERE host IS NULL AND ended_ms IS NULL
                   AND agent = $2 AND working_dir = $3 AND name = $4 ORDER BY id LIMIT $5)
               RETURNING id, name, hook, session, root, input, attempt";
    let claim = sqlx::query(sql)
        .bind(host)
        .bind(owner.agent.clone())
        .bind(owner.working_dir.clone())
        .bind(name)
        .bind(signed(most as u64));
    let rows = claim.fetch_all(&mut **transaction).await?;
    rows.iter().map(job).collect()
}

/// Reads a job for its next attempt.
fn job(row: &AnyRow) -> Result<(JobId, Job), StoreError> {
    let input: String = row.try_get("input")?;
    let id = row.try_get("id")?;
    let damaged = |e| StoreError::Database(format!("the input of job {id} is not JSON: {e}"));
    let job = Job {
        name: row.try_get("name")?,
        input: serde_json::from_str(&input).map_err(damaged)?,
        hook: row.try_get("hook")?,
        session_id: row.try_get("session")?,
        root_session: row.try_get("root")?,
        attempt: attempt(row)?.saturating_add(1),
    };
    Ok((JobId(id), job))
}

fn attempt(row: &AnyRow) -> Result<u32, StoreError> {
    Ok(narrow(row.try_get("attempt")?))
}

fn failed(error: StoreError) -> JobStoreError {
    JobStoreError(error.to_string())
}
