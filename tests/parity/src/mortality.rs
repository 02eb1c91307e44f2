//! When a process dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis_agent::{Effects, EffectsError, Place};
use tokio::sync::watch;

/// When a process dies. Effects are counted from 0, those alone that the process does itself.
///
/// Before the work of an effect is the same moment as after the record of the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dies {
    /// It lives.
    Never,
    /// When its turn has begun and has done nothing.
    Begun,
    /// When this effect is done, before it is recorded.
    Unrecorded(usize),
    /// When this effect is recorded.
    Recorded(usize),
}

/// Lets a process die at a moment, and knows what it recorded. Clones are of the same process.
#[derive(Debug, Clone)]
pub struct Mortality(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    dies: Dies,
    next: AtomicUsize,
    places: Mutex<Vec<Place>>,
    died: watch::Sender<bool>,
}

impl Mortality {
    /// A process that dies then.
    pub fn new(dies: Dies) -> Self {
        Self(Arc::new(Inner {
            dies,
            next: AtomicUsize::new(0),
            places: Mutex::default(),
            died: watch::Sender::new(false),
        }))
    }

    /// A turn has begun. Like the next two, it does not return if the process dies.
    pub async fn begun(&self) {
        self.die_if(Dies::Begun).await;
    }

    /// An effect is done, and not recorded. Returns its number.
    pub async fn done(&self, place: &Place) -> usize {
        let number = self.0.next.fetch_add(1, Ordering::AcqRel);
        self.0.places.lock().push(place.clone());
        self.die_if(Dies::Unrecorded(number)).await;
        number
    }

    /// The effect of this number is recorded.
    pub async fn recorded(&self, number: usize) {
        self.die_if(Dies::Recorded(number)).await;
    }

    /// The process dies now.
    pub fn kill(&self) {
        self.0.died.send_replace(true);
    }

    /// Waits until the process is dead.
    pub async fn died(&self) {
        let mut died = self.0.died.subscribe();
        // The sender is in `self`.
        let _ = died.wait_for(|died| *died).await;
    }

    /// How many effects it has done.
    pub fn effects_done(&self) -> usize {
        self.0.next.load(Ordering::Acquire)
    }

    /// The places of the effects that it has done. Those that ran beside each other are in any order.
    pub fn places(&self) -> Vec<Place> {
        self.0.places.lock().clone()
    }

    /// Asks this mortality around each effect of a runtime.
    pub fn effects(&self, runtime: Arc<dyn Effects>) -> Arc<dyn Effects> {
        Arc::new(Mortal {
            runtime,
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
}

/// The effects of a process that may die.
struct Mortal {
    runtime: Arc<dyn Effects>,
    mortality: Mortality,
}

impl Effects for Mortal {
    fn run_id(&self) -> &str {
        self.runtime.run_id()
    }

    fn run<'a>(
        &'a self,
        place: Place,
        work: BoxFuture<'a, String>,
    ) -> BoxFuture<'a, Result<String, EffectsError>> {
        async move {
            let number = Arc::new(Mutex::new(None));
            let (done, at) = (number.clone(), place.clone());
            let work = async move {
                let value = work.await;
                let number = self.mortality.done(&at).await;
                *done.lock() = Some(number);
                value
            };
            let value = self.runtime.run(place, work.boxed()).await;
            let number = *number.lock();
            if let Some(number) = number {
                self.mortality.recorded(number).await;
            }
            value
        }
        .boxed()
    }

    fn stopped(&self) -> BoxFuture<'_, EffectsError> {
        self.runtime.stopped()
    }

    fn is_replaying(&self) -> bool {
        self.runtime.is_replaying()
    }
}
