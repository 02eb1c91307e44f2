//! The runtime for one machine.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use parking_lot::Mutex;

use super::{
    Effects, EffectsError, NewTurn, Place, RecordedEffect, TurnStore, TurnStoreError,
    UnfinishedTurn,
};

/// The interval at which the turn is checked for a cancel.
const LOOK: Duration = Duration::from_millis(250);

/// Records a turn's effects in a store.
pub struct Local {
    store: Arc<dyn TurnStore>,
    id: String,
    attempt: u32,
    /// The effects that another process recorded, by path.
    recorded: Mutex<HashMap<String, RecordedEffect>>,
}

impl Local {
    /// Begins to record a turn.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn begin(store: Arc<dyn TurnStore>, turn: NewTurn) -> Result<Self, TurnStoreError> {
        let id = turn.id.clone();
        store.begin(turn).await?;
        Ok(Self {
            store,
            id,
            attempt: 1,
            recorded: Mutex::default(),
        })
    }

    /// Continues a turn from its record.
    pub fn continued(store: Arc<dyn TurnStore>, unfinished: UnfinishedTurn) -> Self {
        let effects = unfinished.effects.into_iter();
        Self {
            store,
            id: unfinished.turn.id,
            attempt: unfinished.attempt,
            recorded: Mutex::new(effects.map(|it| (it.place.path.clone(), it)).collect()),
        }
    }
}

/// Returns the part of a path before the effect's own number: `7.` of `7.2`.
fn prefix(path: &str) -> &str {
    path.trim_end_matches(|character: char| character.is_ascii_digit())
}

/// Returns the numbers of a path, by which effects are ordered.
fn numbers(path: &str) -> Vec<Option<u64>> {
    path.split('.').map(|number| number.parse().ok()).collect()
}

impl Effects for Local {
    fn run_id(&self) -> &str {
        &self.id
    }

    fn run<'a>(
        &'a self,
        place: Place,
        work: BoxFuture<'a, String>,
    ) -> BoxFuture<'a, Result<String, EffectsError>> {
        async move {
            let recorded = self.recorded.lock().remove(&place.path);
            if let Some(RecordedEffect { place: was, value }) = recorded {
                return match was.name == place.name {
                    true => Ok(value),
                    false => Err(EffectsError::Changed {
                        path: place.path,
                        recorded: was.name,
                        now: place.name,
                    }),
                };
            }
            // Effects with one prefix are done in order, and effects within them before the next
            // one. A recorded effect that remains here was therefore skipped by the turn.
            if let Some(left) = self.first_left(prefix(&place.path)) {
                return Err(EffectsError::Changed {
                    path: left.path,
                    recorded: left.name,
                    now: place.name,
                });
            }
            let value = work.await;
            let effect = RecordedEffect {
                place,
                value: value.clone(),
            };
            self.store.record(&self.id, effect).await?;
            Ok(value)
        }
        .boxed()
    }

    fn stopped(&self) -> BoxFuture<'_, EffectsError> {
        async move {
            loop {
                tokio::time::sleep(LOOK).await;
                // If the store fails, the next effect fails too.
                if let Ok(false) = self.store.is_there(&self.id).await {
                    return TurnStoreError::Gone(self.id.clone()).into();
                }
            }
        }
        .boxed()
    }

    fn attempt(&self) -> u32 {
        self.attempt
    }

    fn is_replaying(&self) -> bool {
        !self.recorded.lock().is_empty()
    }

    fn first_left(&self, prefix: &str) -> Option<Place> {
        let recorded = self.recorded.lock();
        let left = recorded.values().map(|effect| &effect.place);
        left.filter(|place| place.path.starts_with(prefix))
            .min_by_key(|place| numbers(&place.path))
            .cloned()
    }
}

impl std::fmt::Debug for Local {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Local")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use serde_json::Value;

    use super::*;

    /// A store without records.
    struct Forgets;

    #[async_trait]
    impl TurnStore for Forgets {
        async fn begin(&self, _: NewTurn) -> Result<(), TurnStoreError> {
            Ok(())
        }

        async fn record(&self, _: &str, _: RecordedEffect) -> Result<(), TurnStoreError> {
            Ok(())
        }

        async fn is_there(&self, _: &str) -> Result<bool, TurnStoreError> {
            Ok(true)
        }

        async fn unfinished(&self, _: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
            Ok(None)
        }

        async fn end(&self, _: &str) -> Result<(), TurnStoreError> {
            Ok(())
        }
    }

    fn place(path: &str) -> Place {
        Place {
            path: path.into(),
            name: format!("does {path}"),
        }
    }

    fn continued(paths: &[&str]) -> Local {
        let effect = |path: &&str| RecordedEffect {
            place: place(path),
            value: "recorded".into(),
        };
        let unfinished = UnfinishedTurn {
            turn: NewTurn {
                id: "t".into(),
                session: "s".into(),
                agent: "a".into(),
                turn: 1,
                began_ms: 0,
                data: Value::Null,
            },
            effects: paths.iter().map(effect).collect(),
            attempt: 2,
        };
        Local::continued(Arc::new(Forgets), unfinished)
    }

    async fn run(local: &Local, path: &str) -> Result<String, EffectsError> {
        let work = async { "done".to_owned() }.boxed();
        local.run(place(path), work).await
    }

    fn skipped(path: &str, now: &str) -> EffectsError {
        EffectsError::Changed {
            path: path.into(),
            recorded: format!("does {path}"),
            now: format!("does {now}"),
        }
    }

    #[tokio::test]
    async fn no_work_is_done_while_a_recorded_effect_is_skipped() {
        let local = continued(&["0", "1.0", "1.1", "2.0", "10.0"]);
        assert_eq!(run(&local, "0").await.as_deref(), Ok("recorded"));
        let never = async { panic!("the work was done") }.boxed();
        let refused = local.run(place("11"), never).await;
        assert_eq!(refused, Err(skipped("1.0", "11")));
        // A parallel call may be ahead of the others.
        assert_eq!(run(&local, "2.0").await.as_deref(), Ok("recorded"));
        assert_eq!(run(&local, "2.1").await.as_deref(), Ok("done"));
        assert_eq!(run(&local, "1.2").await, Err(skipped("1.0", "1.2")));
        assert_eq!(run(&local, "1.0").await.as_deref(), Ok("recorded"));
        assert_eq!(local.first_left(""), Some(place("1.1")));
        assert_eq!(local.first_left("10."), Some(place("10.0")));
        assert_eq!(run(&local, "1.1").await.as_deref(), Ok("recorded"));
        assert_eq!(run(&local, "1.2").await.as_deref(), Ok("done"));
        assert_eq!(run(&local, "10.0").await.as_deref(), Ok("recorded"));
        assert_eq!(run(&local, "11").await.as_deref(), Ok("done"));
        assert_eq!(local.first_left(""), None);
    }
}
