//! How the loop does its effects: numbered, typed, and directly where nothing is recorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::FutureExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::{Effects, EffectsError, Place, Within};

tokio::task_local! {
    /// Set within the work of an effect, whose value is recorded as a whole.
    static WITHIN_EFFECT: Numbers;
}

/// Numbers what is told within an effect.
struct Numbers {
    run: Arc<str>,
    effect: Arc<str>,
    attempt: u32,
    next: AtomicU64,
}

/// The number of what is told next here, if it is within an effect that is recorded.
pub(crate) fn next_number() -> Option<Within> {
    let number = |numbers: &Numbers| Within {
        run: numbers.run.clone(),
        effect: numbers.effect.clone(),
        attempt: numbers.attempt,
        seq: numbers.next.fetch_add(1, Ordering::AcqRel),
    };
    WITHIN_EFFECT.try_with(number).ok()
}

/// The effects of a turn, or of a part of it that runs beside others. Cheap to clone; clones count on.
#[derive(Clone, Default)]
pub(crate) struct Scope(Option<Arc<Recorded>>);

/// A scope whose effects are recorded.
struct Recorded {
    effects: Arc<dyn Effects>,
    /// Stands before the numbers of its effects.
    prefix: String,
    next: AtomicU64,
    /// Why the turn cannot continue here.
    stopped: watch::Sender<Option<EffectsError>>,
}

impl Scope {
    /// The scope of a turn.
    pub(crate) fn of_turn(effects: Arc<dyn Effects>) -> Self {
        Self(Some(Arc::new(Recorded {
            effects,
            prefix: String::new(),
            next: AtomicU64::new(0),
            stopped: watch::Sender::new(None),
        })))
    }

    /// A scope for what runs beside others. Call it in the same order whenever the turn runs.
    pub(crate) fn enter(&self) -> Self {
        let recorded = self.recording().map(|outer| {
            Arc::new(Recorded {
                effects: outer.effects.clone(),
                prefix: format!("{}.", outer.next_path()),
                next: AtomicU64::new(0),
                stopped: outer.stopped.clone(),
            })
        });
        Self(recorded)
    }

    /// Does an effect, or takes its value from the record. If it can do neither, the turn is
    /// [stopped](Self::stopped), and this never returns.
    pub(crate) async fn run<T, F>(&self, name: impl FnOnce() -> String, work: F) -> T
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = T> + Send,
    {
        match self.recording() {
            None => work.await,
            Some(recorded) => recorded.run(name(), work).await,
        }
    }

    /// The key of the effect that comes next, where one is recorded.
    pub(crate) fn next_key(&self) -> Option<String> {
        let recorded = self.recording()?;
        let next = recorded.next.load(Ordering::Acquire);
        let run = recorded.effects.run_id();
        Some(format!("{run}#{}{next}", recorded.prefix))
    }

    /// Stops the turn here, since its record does not fit. Never returns.
    pub(crate) async fn stop<T>(&self, cause: String) -> T {
        if let Some(recorded) = &self.0 {
            let last = recorded.next.load(Ordering::Acquire).saturating_sub(1);
            let path = format!("{}{last}", recorded.prefix);
            let error = EffectsError::Unfit { path, cause };
            recorded.stopped.send_replace(Some(error));
        }
        std::future::pending().await
    }

    /// Whether effects are recorded here: not within another effect.
    pub(crate) fn is_recorded(&self) -> bool {
        self.recording().is_some()
    }

    /// Whether what happens now has happened before, in another process.
    pub(crate) fn is_replaying(&self) -> bool {
        let recorded = self.0.as_ref();
        recorded.is_some_and(|recorded| recorded.effects.is_replaying())
    }

    /// Waits until the turn cannot continue here, and says why.
    pub(crate) async fn stopped(&self) -> EffectsError {
        let Some(recorded) = &self.0 else {
            return std::future::pending().await;
        };
        let mut stopped = recorded.stopped.subscribe();
        let met = async {
            let why = stopped.wait_for(Option::is_some).await;
            match why.ok().and_then(|why| why.clone()) {
                Some(why) => why,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            why = met => why,
            why = recorded.effects.stopped() => why,
        }
    }

    fn recording(&self) -> Option<&Arc<Recorded>> {
        let recorded = self.0.as_ref()?;
        WITHIN_EFFECT.try_with(|_| ()).is_err().then_some(recorded)
    }
}

impl Recorded {
    fn next_path(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::AcqRel);
        format!("{}{number}", self.prefix)
    }

    async fn run<T, F>(&self, name: String, work: F) -> T
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = T> + Send,
    {
        let place = Place {
            path: self.next_path(),
            name,
        };
        // The value itself is kept, so that it is not read back where it was just made.
        let mut made = None;
        let mut unwritable = None;
        let numbers = Numbers {
            run: self.effects.run_id().into(),
            effect: place.path.as_str().into(),
            attempt: self.effects.attempt(),
            next: AtomicU64::new(0),
        };
        let writing = async {
            let value = WITHIN_EFFECT.scope(numbers, work).await;
            let text = serde_json::to_string(&value);
            made = Some(value);
            text.unwrap_or_else(|error| {
                unwritable = Some(error.to_string());
                "null".to_owned()
            })
        };
        let done = self.effects.run(place.clone(), writing.boxed()).await;
        let unreadable = |cause: String| EffectsError::Unreadable {
            path: place.path.clone(),
            name: place.name.clone(),
            cause,
        };
        let value = match (done, unwritable) {
            (Err(error), _) => Err(error),
            (Ok(_), Some(cause)) => Err(unreadable(cause)),
            (Ok(recorded), None) => match made {
                Some(value) => Ok(value),
                None => serde_json::from_str(&recorded).map_err(|e| unreadable(e.to_string())),
            },
        };
        match value {
            Ok(value) => value,
            Err(error) => {
                self.stopped.send_replace(Some(error));
                std::future::pending().await
            }
        }
    }
}
