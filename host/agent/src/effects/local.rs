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

/// How often it is asked whether the turn was cancelled.
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
                // If the store fails, the next effect meets that.
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
}

impl std::fmt::Debug for Local {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Local")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
