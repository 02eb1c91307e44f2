//! Recording the loop's effects: each has a number and a place.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::watch;

use super::{Effects, EffectsError, Place, Within};

tokio::task_local! {
    /// Set within the work of an effect, whose value is recorded as a whole.
    static WITHIN_EFFECT: Numbers;
}

/// Numbers the reports within an effect.
struct Numbers {
    run: Arc<str>,
    effect: Arc<str>,
    attempt: u32,
    next: AtomicU64,
}

/// Returns the number of the next report, if it is within a recorded effect.
pub(crate) fn next_number() -> Option<Within> {
    let number = |numbers: &Numbers| Within {
        run: numbers.run.clone(),
        effect: numbers.effect.clone(),
        attempt: numbers.attempt,
        seq: numbers.next.fetch_add(1, Ordering::AcqRel),
    };
    WITHIN_EFFECT.try_with(number).ok()
}

/// The effects of a turn, or of a concurrent part of it. Cheap to clone; clones share the numbers.
#[derive(Clone, Default)]
pub(crate) struct Scope(Option<Arc<Recorded>>);

/// A scope whose effects are recorded.
pub(crate) struct Recorded {
    effects: Arc<dyn Effects>,
    /// The prefix of the numbers of its effects.
    prefix: String,
    next: AtomicU64,
    /// The reason that the turn cannot continue here.
    stopped: watch::Sender<Option<EffectsError>>,
}

impl Scope {
    /// Creates the scope of a turn.
    pub(crate) fn of_turn(effects: Arc<dyn Effects>) -> Self {
        Self(Some(Arc::new(Recorded {
            effects,
            prefix: String::new(),
            next: AtomicU64::new(0),
            stopped: watch::Sender::new(None),
        })))
    }

    /// Returns a scope for concurrent work. Call it in the same order whenever the turn runs.
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

    /// Returns the key of the next effect, if effects are recorded.
    pub(crate) fn next_key(&self) -> Option<String> {
        let recorded = self.recording()?;
        let next = recorded.next.load(Ordering::Acquire);
        let run = recorded.effects.run_id();
        Some(format!("{run}#{}{next}", recorded.prefix))
    }

    /// Stops the turn, because its record does not fit. Never returns.
    pub(crate) async fn stop<T>(&self, cause: String) -> T {
        if let Some(recorded) = &self.0 {
            let last = recorded.next.load(Ordering::Acquire).saturating_sub(1);
            let path = format!("{}{last}", recorded.prefix);
            let error = EffectsError::Unfit { path, cause };
            recorded.stopped.send_replace(Some(error));
        }
        std::future::pending().await
    }

    /// Returns whether effects are recorded here, outside of other effects.
    pub(crate) fn is_recorded(&self) -> bool {
        self.recording().is_some()
    }

    /// Returns whether the current work was already done in another process.
    pub(crate) fn is_replaying(&self) -> bool {
        // Work within an effect is new, even if the record still has effects of a parallel call.
        let recorded = self.recording();
        recorded.is_some_and(|recorded| recorded.effects.is_replaying())
    }

    /// Ends the effects of this scope. If `may_follow`, one more effect may follow, whose name is
    /// checked when it is done. If other effects remain, the record is another agent's: the turn is
    /// stopped, and this never returns.
    pub(crate) async fn end(&self, may_follow: bool) {
        let Some(recorded) = self.recording() else {
            return;
        };
        let Some(Place { path, name }) = recorded.effects.first_left(&recorded.prefix) else {
            return;
        };
        let next = recorded.next.load(Ordering::Acquire);
        if may_follow && path == format!("{}{next}", recorded.prefix) {
            return;
        }
        let changed = EffectsError::Changed {
            path,
            recorded: name,
            now: "end the turn".into(),
        };
        recorded.fail(changed).await
    }

    /// Waits until the turn cannot continue here, and returns the reason. For a part of the turn,
    /// such as a sub-agent, it never returns: the part is dropped with the turn, because only the
    /// turn knows whether it was cancelled.
    pub(crate) async fn stopped(&self) -> EffectsError {
        let whole = self.0.as_ref().filter(|it| it.prefix.is_empty());
        let Some(recorded) = whole else {
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

    /// Returns the recorder of effects in this scope; `None` within another effect.
    pub(crate) fn recording(&self) -> Option<&Arc<Recorded>> {
        let recorded = self.0.as_ref()?;
        WITHIN_EFFECT.try_with(|_| ()).is_err().then_some(recorded)
    }
}

impl Recorded {
    fn next_path(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::AcqRel);
        format!("{}{number}", self.prefix)
    }

    /// Does an effect, or takes its value from the record. Returns its place and the value as JSON
    /// text. If neither is possible, the turn is [stopped](Scope::stopped), and this never returns.
    pub(crate) async fn run(
        &self,
        name: String,
        work: BoxFuture<'_, serde_json::Result<String>>,
    ) -> (Place, String) {
        let place = Place {
            path: self.next_path(),
            name,
        };
        let mut unwritable = None;
        let numbers = Numbers {
            run: self.effects.run_id().into(),
            effect: place.path.as_str().into(),
            attempt: self.effects.attempt(),
            next: AtomicU64::new(0),
        };
        let writing = async {
            let text = WITHIN_EFFECT.scope(numbers, work).await;
            text.unwrap_or_else(|error| {
                unwritable = Some(error);
                "null".to_owned()
            })
        };
        let done = self.effects.run(place.clone(), writing.boxed()).await;
        match (done, unwritable) {
            (Ok(text), None) => (place, text),
            (Ok(_), Some(error)) => self.unreadable(place, &error).await,
            (Err(error), _) => self.fail(error).await,
        }
    }

    /// Stops the turn, because a recorded value cannot be read. Never returns.
    pub(crate) async fn unreadable<T>(&self, place: Place, error: &serde_json::Error) -> T {
        let Place { path, name } = place;
        let cause = error.to_string();
        self.fail(EffectsError::Unreadable { path, name, cause })
            .await
    }

    async fn fail<T>(&self, why: EffectsError) -> T {
        self.stopped.send_replace(Some(why));
        std::future::pending().await
    }
}
