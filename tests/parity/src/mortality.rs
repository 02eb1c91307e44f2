//! The moment when a process dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use parking_lot::Mutex;
use portcullis_agent::{NewTurn, Place, RecordedEffect, TurnStore, TurnStoreError, UnfinishedTurn};
use serde_json::Value;
use tokio::sync::watch;

/// The moment when a process dies. Effects are counted from 0, and only those that the process
/// performs itself.
///
/// Before the work of an effect is the same moment as after the record of the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dies {
    /// Never.
    Never,
    /// After its turn has begun and before any effect.
    Begun,
    /// After this effect is done, and before it is recorded.
    Unrecorded(usize),
    /// After this effect is recorded.
    Recorded(usize),
    /// Never: it is asked to stop after this effect is done, and before it is recorded.
    Parked(usize),
}

/// Makes a process die at a moment, and tracks its recorded effects. Clones belong to the same
/// process.
#[derive(Debug, Clone)]
pub struct Mortality(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    dies: Dies,
    next: AtomicUsize,
    places: Mutex<Vec<Place>>,
    clock_ahead_ms: i64,
    died: watch::Sender<bool>,
    parked: watch::Sender<bool>,
}

impl Mortality {
    /// Creates a process that dies at this moment.
    pub fn new(dies: Dies) -> Self {
        Self::with_clock(dies, 0)
    }

    /// Creates a process that dies at this moment, and that records times by a clock ahead of the
    /// others'.
    pub fn with_clock(dies: Dies, clock_ahead_ms: i64) -> Self {
        Self(Arc::new(Inner {
            dies,
            next: AtomicUsize::new(0),
            places: Mutex::default(),
            clock_ahead_ms,
            died: watch::Sender::new(false),
            parked: watch::Sender::new(false),
        }))
    }

    /// Reports that a turn has begun. Like the next two, it does not return if the process dies.
    pub async fn begun(&self) {
        self.die_if(Dies::Begun).await;
    }

    /// Reports that an effect is done, and not recorded. Returns its number.
    pub async fn done(&self, place: &Place) -> usize {
        let number = self.0.next.fetch_add(1, Ordering::AcqRel);
        self.0.places.lock().push(place.clone());
        self.die_if(Dies::Unrecorded(number)).await;
        self.park_if(Dies::Parked(number), place).await;
        number
    }

    /// Reports that the effect of this number is recorded.
    pub async fn recorded(&self, number: usize) {
        self.die_if(Dies::Recorded(number)).await;
    }

    /// Kills the process now.
    pub fn kill(&self) {
        self.0.died.send_replace(true);
    }

    /// Waits until the process is dead.
    pub async fn died(&self) {
        let mut died = self.0.died.subscribe();
        // The sender is in `self`.
        let _ = died.wait_for(|died| *died).await;
    }

    /// Waits until the process is asked to stop. Its turn is parked then.
    pub async fn parked(&self) {
        let mut parked = self.0.parked.subscribe();
        // The sender is in `self`.
        let _ = parked.wait_for(|parked| *parked).await;
    }

    /// Returns the number of effects that it has performed.
    pub fn effects_done(&self) -> usize {
        self.0.next.load(Ordering::Acquire)
    }

    /// Returns the places of the effects that it has performed. Concurrent effects are in any
    /// order.
    pub fn places(&self) -> Vec<Place> {
        self.0.places.lock().clone()
    }

    /// Wraps a store so that each effect recorded in it asks this mortality.
    pub fn turns(&self, store: Arc<dyn TurnStore>) -> Arc<dyn TurnStore> {
        Arc::new(Mortal {
            store,
            mortality: self.clone(),
        })
    }

    async fn die_if(&self, now: Dies) {
        if self.0.dies == now {
            self.kill();
        }
        if *self.0.died.borrow() {
            std::future::pending::<()>().await;
        }
    }

    async fn park_if(&self, now: Dies, place: &Place) {
        if self.0.dies == now {
            self.0.parked.send_replace(true);
        }
        // A turn that is being suspended, or has ended, is no longer parked, so these effects end.
        let ends = place.name.ends_with("turn-suspended") || place.name == "observe post-turn";
        let of_turn = !place.path.contains('.');
        if *self.0.parked.borrow() && !(of_turn && ends) {
            std::future::pending::<()>().await;
        }
    }
}

/// A store that a process uses until it dies.
struct Mortal {
    store: Arc<dyn TurnStore>,
    mortality: Mortality,
}

impl Mortal {
    /// Returns a time by the process's clock.
    fn at(&self, ms: u64) -> u64 {
        ms.saturating_add_signed(self.mortality.0.clock_ahead_ms)
    }

    /// Shifts the times in a value to the process's clock.
    fn shift(&self, value: &mut Value) {
        match value {
            Value::Object(object) => object.values_mut().for_each(|it| self.shift(it)),
            Value::Array(array) => array.iter_mut().for_each(|it| self.shift(it)),
            other => {
                if let Some(ms) = other.as_u64().filter(|ms| *ms > A_TIME) {
                    *other = self.at(ms).into();
                }
            }
        }
    }
}

/// The threshold of a time: milliseconds since the Unix epoch are far above it, and other numbers
/// below.
const A_TIME: u64 = 1_000_000_000_000;

#[async_trait]
impl TurnStore for Mortal {
    async fn begin(&self, mut turn: NewTurn) -> Result<(), TurnStoreError> {
        turn.began_ms = self.at(turn.began_ms);
        self.store.begin(turn).await?;
        self.mortality.begun().await;
        Ok(())
    }

    async fn record(&self, id: &str, mut effect: RecordedEffect) -> Result<(), TurnStoreError> {
        if effect.place.name == "wait" {
            let mut value = serde_json::from_str(&effect.value).expect("an effect's value is JSON");
            self.shift(&mut value);
            effect.value = value.to_string();
        }
        let number = self.mortality.done(&effect.place).await;
        self.store.record(id, effect).await?;
        self.mortality.recorded(number).await;
        Ok(())
    }

    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError> {
        self.store.is_there(id).await
    }

    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
        self.store.unfinished(session).await
    }

    async fn end(&self, id: &str) -> Result<(), TurnStoreError> {
        self.store.end(id).await
    }
}
