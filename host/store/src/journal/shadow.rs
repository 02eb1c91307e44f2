//! The effects that hooks in audit mode would have had, beside the enforced ones.

use std::collections::BTreeMap;

use futures::TryStreamExt as _;
use portcullis::hooks::Mode;
use portcullis_agent::WouldHave;
use serde::Serialize;
use sqlx::Row as _;

use super::filter::RunFilter;
use super::read;
use crate::database::{Database, narrow};
use crate::error::StoreError;

/// The maximum number of examples of a finding.
const MOST_EXAMPLES: usize = 3;

/// The numbers of a hook's calls at a point, in audit mode and enforced, and their results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Shadow {
    /// The hook.
    pub hook: String,
    /// The point.
    pub point: String,
    /// The calls in audit mode that are over.
    pub audited: u64,
    /// The calls whose answers counted, and that are over.
    pub enforced: u64,
    /// Its answers other than `continue`, and its failures; the most frequent first.
    pub findings: Vec<Finding>,
}

/// An answer or a failure, in both modes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Finding {
    /// The answer, such as `reject`; `None` if the hook failed.
    pub outcome: Option<String>,
    /// The code of the refusal, or that of the cause of the failure.
    pub cause: Option<String>,
    /// The number of times in audit mode.
    pub audited: u64,
    /// The number of times in audit mode in which it would have had an effect. An observer's
    /// failure, for example, has none. Runs that an earlier version recorded do not count.
    pub would: u64,
    /// The number of times it was enforced.
    pub enforced: u64,
    /// Its newest runs in audit mode, at most three.
    pub examples: Vec<Example>,
}

/// A run that shows a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Example {
    /// The host of the run.
    pub host: i64,
    /// Its id, unique within the host.
    pub id: i64,
    /// Its session.
    pub session: String,
    /// The turn; 0 outside of turns.
    pub turn: u32,
    /// The hook's message: the reason for the refusal, or the failure.
    pub message: Option<String>,
    /// The effect that would have followed; `None` if there is none, or an earlier version recorded
    /// the run.
    pub would: Option<WouldHave>,
}

type Key = (String, String);
type Findings = BTreeMap<(Option<String>, Option<String>), Finding>;

/// Returns the hooks that ran in audit mode in the runs that fit the filter, by hook and point.
pub(super) async fn report(
    database: &Database,
    filter: &RunFilter,
) -> Result<Vec<Shadow>, StoreError> {
    let mut shadows = calls(database, filter).await?;
    for (key, findings) in findings(database, filter).await? {
        if let Some(shadow) = shadows.get_mut(&key) {
            shadow.findings = findings.into_values().collect();
            let often = |finding: &Finding| std::cmp::Reverse(finding.audited + finding.enforced);
            shadow.findings.sort_by_key(often);
        }
    }
    let shadows = shadows.into_values();
    Ok(shadows.filter(|shadow| shadow.audited > 0).collect())
}

/// Counts the calls of each hook at each point.
async fn calls(
    database: &Database,
    filter: &RunFilter,
) -> Result<BTreeMap<Key, Shadow>, StoreError> {
    let select = filter.select(
        "hook, point, mode, count(*)",
        "state IN ('completed', 'not-applied', 'failed', 'timed-out') GROUP BY hook, point, mode",
    );
    let mut shadows: BTreeMap<Key, Shadow> = BTreeMap::new();
    for row in select.fetch_all(database.pool()).await? {
        let (hook, point): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let mode: Option<String> = row.try_get(2)?;
        let count = row.try_get::<i64, _>(3)?.unsigned_abs();
        let key = (hook.clone(), point.clone());
        let shadow = shadows.entry(key).or_insert_with(|| Shadow {
            hook,
            point,
            ..Shadow::default()
        });
        match mode.as_deref().and_then(Mode::from_name) {
            Some(Mode::Audit) => shadow.audited += count,
            Some(Mode::Enforce) => shadow.enforced += count,
            // An earlier version recorded the run.
            None => {}
        }
    }
    Ok(shadows)
}

/// Reads the answers of hooks other than `continue`, and their failures, the newest first.
async fn findings(
    database: &Database,
    filter: &RunFilter,
) -> Result<BTreeMap<Key, Findings>, StoreError> {
    let select = filter.select(
        "hook, point, mode, outcome, coalesce(code, cause), message, would, host, id, session, turn",
        "mode IS NOT NULL AND (outcome <> 'continue' OR cause IS NOT NULL) ORDER BY seq DESC",
    );
    let mut found: BTreeMap<Key, Findings> = BTreeMap::new();
    // Read row by row, because there may be many.
    let mut rows = select.fetch(database.pool());
    while let Some(row) = rows.try_next().await? {
        let mode: String = row.try_get(2)?;
        let (outcome, cause): (Option<String>, Option<String>) = (row.try_get(3)?, row.try_get(4)?);
        let findings = found.entry((row.try_get(0)?, row.try_get(1)?)).or_default();
        let key = (outcome.clone(), cause.clone());
        let finding = findings.entry(key).or_insert_with(|| Finding {
            outcome,
            cause,
            audited: 0,
            would: 0,
            enforced: 0,
            examples: Vec::new(),
        });
        if Mode::from_name(&mode) != Some(Mode::Audit) {
            finding.enforced += 1;
            continue;
        }
        finding.audited += 1;
        let would: Option<String> = row.try_get(6)?;
        finding.would += u64::from(would.is_some());
        if finding.examples.len() < MOST_EXAMPLES {
            finding.examples.push(Example {
                host: row.try_get(7)?,
                id: row.try_get(8)?,
                session: row.try_get(9)?,
                turn: narrow(row.try_get(10)?),
                message: row.try_get(5)?,
                would: read::would(would)?,
            });
        }
    }
    Ok(found)
}
