//! Quarantines of the hooks of a scope.

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::state::{QuarantineStore, SharedQuarantine, StateStoreError};
use portcullis::verdict::{Cause, Digest};
use serde_json::Value;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::HookState;
use crate::database::{narrow, now_ms, signed};
use crate::error::StoreError;

/// The time for which an ended quarantine is kept if its hook is not tried again: the hook may no
/// longer be loaded anywhere. In milliseconds.
const FORGOTTEN: u64 = 7 * 24 * 60 * 60 * 1_000;

impl QuarantineStore for HookState {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SharedQuarantine>, StateStoreError>> {
        let sql = "SELECT hook, component, settings, failures, cause, until_ms FROM quarantines
                   WHERE scope = $1 ORDER BY hook, until_ms";
        let select = sqlx::query(sql).bind(self.scope.to_string());
        let rows = self.store.run(|database| async move {
            let rows = select.fetch_all(database.pool()).await?;
            rows.iter()
                .map(read)
                .collect::<Result<Vec<_>, StoreError>>()
        });
        // A quarantine with a cause of a later version is ignored.
        async {
            Ok(rows
                .await
                .map_err(StateStoreError::new)?
                .into_iter()
                .flatten()
                .collect())
        }
        .boxed()
    }

    fn put(&self, quarantine: SharedQuarantine) -> BoxFuture<'_, Result<(), StateStoreError>> {
        let cause = serde_json::to_value(quarantine.cause);
        let cause = cause
            .ok()
            .and_then(|cause| cause.as_str().map(str::to_owned));
        let sql = "INSERT INTO quarantines (scope, hook, component, settings, failures, cause, until_ms)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)
                   ON CONFLICT (scope, hook, component, settings) DO UPDATE
                   SET failures = excluded.failures, cause = excluded.cause, until_ms = excluded.until_ms
                   WHERE quarantines.until_ms < excluded.until_ms";
        let put = sqlx::query(sql)
            .bind(self.scope.to_string())
            .bind(quarantine.hook)
            .bind(quarantine.component.to_string())
            .bind(quarantine.settings.to_string())
            .bind(i64::from(quarantine.failures))
            .bind(cause.unwrap_or_default())
            .bind(signed(quarantine.until_ms));
        let old = sqlx::query("DELETE FROM quarantines WHERE until_ms < $1")
            .bind(signed(now_ms().saturating_sub(FORGOTTEN)));
        let done = self.store.run(|database| async move {
            put.execute(database.pool()).await?;
            old.execute(database.pool()).await?;
            Ok::<_, StoreError>(())
        });
        async { done.await.map_err(StateStoreError::new) }.boxed()
    }

    fn remove<'a>(
        &'a self,
        quarantine: &'a SharedQuarantine,
    ) -> BoxFuture<'a, Result<(), StateStoreError>> {
        let sql = "DELETE FROM quarantines
                   WHERE scope = $1 AND hook = $2 AND component = $3 AND settings = $4";
        let remove = sqlx::query(sql)
            .bind(self.scope.to_string())
            .bind(quarantine.hook.clone())
            .bind(quarantine.component.to_string())
            .bind(quarantine.settings.to_string());
        let done = self.store.run(|database| async move {
            remove.execute(database.pool()).await?;
            Ok::<_, StoreError>(())
        });
        async { done.await.map_err(StateStoreError::new) }.boxed()
    }
}

fn read(row: &AnyRow) -> Result<Option<SharedQuarantine>, StoreError> {
    let component: String = row.try_get("component")?;
    let settings: String = row.try_get("settings")?;
    let cause = Value::String(row.try_get("cause")?);
    let (Ok(component), Ok(settings), Ok(cause)) = (
        component.parse::<Digest>(),
        settings.parse::<Digest>(),
        serde_json::from_value::<Cause>(cause),
    ) else {
        return Ok(None);
    };
    Ok(Some(SharedQuarantine {
        hook: row.try_get("hook")?,
        component,
        settings,
        failures: narrow(row.try_get("failures")?),
        cause,
        until_ms: row.try_get::<i64, _>("until_ms")?.unsigned_abs(),
    }))
}
