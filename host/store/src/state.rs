//! The private and shared state of hooks.

mod quarantines;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::state::{
    Current, Edit, EditKey, PrivateEntry, QuarantineStore, StateStore, StateStoreError, Writes,
};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _, Transaction};

use crate::database::{narrow, storable};
use crate::error::StoreError;
use crate::hosts;
use crate::store::Store;

/// The state of hooks in a [`Store`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct HookState {
    store: Store,
    scope: Arc<str>,
}

impl Store {
    /// Returns the state of the hooks of this scope. Hooks share state with the hooks of the same
    /// scope, in every process that has the store open. The private state of a session is the same
    /// in every scope. It is written only while this process has the session open in
    /// [`Store::sessions`].
    pub fn hook_state(&self, scope: &str) -> HookState {
        HookState {
            store: self.clone(),
            scope: storable(scope).into(),
        }
    }
}

/// Returns the scope of a directory's hooks, which is its canonical path, so that they share state
/// in all programs. Empty if the directory does not exist; no hooks load from it.
pub fn directory_scope(dir: &Path) -> String {
    dir.canonicalize().unwrap_or_default().display().to_string()
}

type Done<'a, T> = BoxFuture<'a, Result<T, StateStoreError>>;

impl StateStore for HookState {
    fn private<'a>(&'a self, session: &'a str) -> Done<'a, Vec<PrivateEntry>> {
        let sql = "SELECT agent, hook, key, value FROM private_state WHERE session = $1";
        let session = storable(session);
        let rows = self.store.run_patiently(move |database| {
            let select = sqlx::query(sql).bind(session.clone());
            async move {
                let rows = select.fetch_all(database.pool()).await?;
                rows.iter().map(entry).collect()
            }
        });
        async { rows.await.map_err(failed) }.boxed()
    }

    fn get<'a>(&'a self, namespace: &'a str, key: &'a str) -> Done<'a, Option<Vec<u8>>> {
        let space = self.space(namespace);
        let key = key.to_owned();
        let value = self.store.run_patiently(move |database| {
            let (space, key) = (space.clone(), key.clone());
            async move {
                let mut connection = database.pool().acquire().await?;
                space.get(&mut connection, &key).await
            }
        });
        async { value.await.map_err(failed) }.boxed()
    }

    fn sizes<'a>(&'a self, namespace: &'a str) -> Done<'a, BTreeMap<String, usize>> {
        let space = self.space(namespace);
        let sizes = self.store.run_patiently(move |database| {
            let space = space.clone();
            async move {
                let mut connection = database.pool().acquire().await?;
                space.sizes(&mut connection).await
            }
        });
        async { sizes.await.map_err(failed) }.boxed()
    }

    fn update<'a>(&'a self, namespace: &'a str, key: &'a str, edit: EditKey) -> Done<'a, Current> {
        let space = self.space(namespace);
        let key = key.to_owned();
        let current = self.store.run_patiently(move |database| {
            let (space, key, edit) = (space.clone(), key.clone(), edit.clone());
            async move {
                let mut transaction = database.write().await?;
                database.hold(&mut transaction, &space.name()).await?;
                let current = Current {
                    value: space.get(&mut transaction, &key).await?,
                    sizes: space.sizes(&mut transaction).await?,
                };
                match edit(&current) {
                    Edit::Keep => return Ok(current),
                    Edit::Put(value) => space.put(&mut transaction, &key, Some(value)).await?,
                    Edit::Delete => space.put(&mut transaction, &key, None).await?,
                }
                // If the connection breaks here, it is unknown whether the edit was applied. The
                // edit is not repeated.
                let done = transaction.commit().await;
                done.map_err(|error| StoreError::Database(error.to_string()))?;
                Ok(current)
            }
        });
        async { current.await.map_err(failed) }.boxed()
    }

    fn quarantines(&self) -> Option<&dyn QuarantineStore> {
        Some(self)
    }

    fn write<'a>(&'a self, writes: &'a Writes) -> Done<'a, ()> {
        let (scope, writes) = (self.scope.clone(), writes.clone());
        let host = self.store.host();
        let written = self.store.run_patiently(move |database| {
            let (scope, writes) = (scope.clone(), writes.clone());
            async move {
                let mut transaction = database.write().await?;
                // Sorted, so that processes do not deadlock.
                let sessions: BTreeSet<_> =
                    writes.private.iter().map(|(key, _)| &key.session).collect();
                for session in sessions {
                    hosts::check_open(&mut transaction, session, host).await?;
                }
                for (key, value) in writes.private {
                    put_private(&mut transaction, key, value).await?;
                }
                // Sorted by namespace, so that processes do not deadlock.
                for (key, value) in writes.shared {
                    let space = Space {
                        scope: scope.clone(),
                        namespace: storable(&key.namespace),
                    };
                    database.hold(&mut transaction, &space.name()).await?;
                    space.put(&mut transaction, &key.key, value).await?;
                }
                transaction.commit().await?;
                Ok(())
            }
        });
        async { written.await.map_err(failed) }.boxed()
    }
}

impl HookState {
    fn space(&self, namespace: &str) -> Space {
        Space {
            scope: self.scope.clone(),
            namespace: storable(namespace),
        }
    }
}

fn entry(row: &AnyRow) -> Result<PrivateEntry, StoreError> {
    Ok(PrivateEntry {
        agent: narrow(row.try_get(0)?),
        hook: row.try_get(1)?,
        key: text(row.try_get(2)?),
        value: row.try_get(3)?,
    })
}

/// A shared namespace.
#[derive(Clone)]
struct Space {
    scope: Arc<str>,
    namespace: String,
}

impl Space {
    /// Returns a name that no other namespace has.
    fn name(&self) -> String {
        format!("{}:{} {}", self.scope.len(), self.scope, self.namespace)
    }

    async fn get(
        &self,
        connection: &mut AnyConnection,
        key: &str,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT value FROM shared_state
                   WHERE scope = $1 AND namespace = $2 AND key = $3";
        let select = sqlx::query(sql)
            .bind(&*self.scope)
            .bind(&self.namespace)
            .bind(key.as_bytes());
        let row = select.fetch_optional(connection).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    async fn sizes(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<BTreeMap<String, usize>, StoreError> {
        let sql = "SELECT key, CAST(length(value) AS BIGINT) FROM shared_state
                   WHERE scope = $1 AND namespace = $2";
        let select = sqlx::query(sql).bind(&*self.scope).bind(&self.namespace);
        let rows = select.fetch_all(connection).await?;
        rows.iter()
            .map(|row| {
                let len: i64 = row.try_get(1)?;
                let len = usize::try_from(len).unwrap_or(usize::MAX);
                Ok((text(row.try_get(0)?), len))
            })
            .collect()
    }

    async fn put(
        &self,
        transaction: &mut Transaction<'static, Any>,
        key: &str,
        value: Option<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let query = match value {
            Some(_) => {
                "INSERT INTO shared_state (scope, namespace, key, value) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (scope, namespace, key) DO UPDATE SET value = excluded.value"
            }
            None => "DELETE FROM shared_state WHERE scope = $1 AND namespace = $2 AND key = $3",
        };
        let query = sqlx::query(query)
            .bind(&*self.scope)
            .bind(&self.namespace)
            .bind(key.as_bytes());
        let query = match &value {
            Some(value) => query.bind(value.as_slice()),
            None => query,
        };
        query.execute(&mut **transaction).await?;
        Ok(())
    }
}

async fn put_private(
    transaction: &mut Transaction<'static, Any>,
    key: portcullis::state::PrivateKey,
    value: Option<Vec<u8>>,
) -> Result<(), StoreError> {
    let sql = match value {
        Some(_) => {
            "INSERT INTO private_state (session, agent, hook, key, value)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (session, agent, hook, key) DO UPDATE SET value = excluded.value"
        }
        None => {
            "DELETE FROM private_state
             WHERE session = $1 AND agent = $2 AND hook = $3 AND key = $4"
        }
    };
    let query = sqlx::query(sql)
        .bind(storable(&key.session))
        .bind(i64::from(key.agent))
        .bind(&*key.hook)
        .bind(key.key.as_bytes());
    let query = match &value {
        Some(value) => query.bind(value.as_slice()),
        None => query,
    };
    query.execute(&mut **transaction).await?;
    Ok(())
}

/// Converts a key to text. Keys are written as UTF-8.
fn text(key: Vec<u8>) -> String {
    String::from_utf8_lossy(&key).into_owned()
}

fn failed(error: StoreError) -> StateStoreError {
    match &error {
        StoreError::NotOpen { session } => StateStoreError::lost(session, &error),
        _ => StateStoreError::new(error),
    }
}
