//! Quarantines shared by all processes with the same hook state store.
//!
//! A thread periodically compares the quarantines of this process with those in the store. Calls do
//! not take part and never wait for it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures::executor::block_on;

use super::CurrentHooks;
use crate::chain::quarantine::Breaker;
use crate::model::failure::Cause;
use crate::model::moment::now_ms;
use crate::model::quarantine::{QuarantineStore, SharedQuarantine};
use crate::model::state::{MemoryState, StateStoreError};
use crate::model::verdict::Digest;

/// The interval between comparisons.
const LOOK: Duration = Duration::from_secs(1);

/// A hook's id, its component's digest, and the digest of its settings.
type Id = (String, Digest, Digest);

/// The quarantines that were the same here and in the store at the last comparison. A component
/// that was reloaded under another `[quarantine]` starts over.
type Agreed = BTreeMap<Id, Weak<Breaker>>;

/// The hooks whose quarantines are shared.
type Followed = Arc<Mutex<Vec<Weak<CurrentHooks>>>>;

/// The hooks whose state is kept in one store. Dropping it ends sharing and releases the store.
#[derive(Default)]
pub(crate) struct Quarantines {
    followed: Followed,
    looks: Mutex<Option<JoinHandle<()>>>,
    ends: Arc<AtomicBool>,
}

impl Quarantines {
    /// Shares the quarantines of these hooks, if the store of their state supports quarantines.
    pub(crate) fn follow(&self, hooks: &Arc<CurrentHooks>) {
        let store = hooks.state.writer().map(|writer| writer.store());
        if store.is_none_or(|store| store.quarantines().is_none()) {
            return;
        }
        hold(&self.followed).push(Arc::downgrade(hooks));
        let mut looks = hold(&self.looks);
        if looks.is_none() {
            let state = Arc::downgrade(&hooks.state);
            let (followed, ends) = (self.followed.clone(), self.ends.clone());
            let thread = std::thread::Builder::new().name("portcullis-quarantine".into());
            match thread.spawn(move || look(&state, &followed, &ends)) {
                Ok(started) => *looks = Some(started),
                Err(error) => {
                    tracing::warn!("quarantines are not shared with other processes: {error}");
                }
            }
        }
    }
}

impl Drop for Quarantines {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Release);
        let looks = hold(&self.looks).take();
        if let Some(looks) = looks.filter(|looks| looks.thread().id() != thread::current().id()) {
            looks.thread().unpark();
            // The join result only reports a panic of the thread.
            let _ = looks.join();
        }
    }
}

/// Compares periodically until `ends` is set.
fn look(state: &Weak<MemoryState>, followed: &Followed, ends: &AtomicBool) {
    let mut agreed = Agreed::new();
    while !ends.load(Ordering::Acquire) {
        {
            let Some(state) = state.upgrade() else { return };
            let store = state
                .writer()
                .and_then(|writer| writer.store().quarantines());
            let Some(store) = store else { return };
            // If the store fails, the next round tries again. Quarantines of this process apply
            // without it.
            if let Err(error) = block_on(compare(store, &breakers(followed), &mut agreed)) {
                tracing::debug!("{error}");
            }
        }
        thread::park_timeout(LOOK);
    }
}

fn hold<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn breakers(followed: &Followed) -> BTreeMap<Id, Arc<Breaker>> {
    let mut all = hold(followed);
    all.retain(|hooks| hooks.strong_count() > 0);
    let hooks: Vec<_> = all.iter().filter_map(Weak::upgrade).collect();
    drop(all);
    let hook_sets = hooks.iter().map(|hooks| hooks.hook_set());
    let mut breakers = BTreeMap::new();
    for hook_set in hook_sets {
        for member in &hook_set.members {
            if let (Some(breaker), Some(component)) =
                (member.breaker(), member.effective.profile.component)
            {
                let id = (member.id().to_owned(), component, breaker.settings());
                breakers.insert(id, breaker.clone());
            }
        }
    }
    breakers
}

/// Writes new quarantines of this process to the store, and applies new ones from the store.
async fn compare(
    store: &dyn QuarantineStore,
    breakers: &BTreeMap<Id, Arc<Breaker>>,
    agreed: &mut Agreed,
) -> Result<(), StateStoreError> {
    let stored = store.list().await?.into_iter();
    let stored: BTreeMap<Id, SharedQuarantine> = stored
        .map(|it| ((it.hook.clone(), it.component, it.settings), it))
        .collect();
    for (id, breaker) in breakers {
        let agrees = agreed
            .remove(id)
            .is_some_and(|with| with.ptr_eq(&Arc::downgrade(breaker)));
        let agree = |agreed: &mut Agreed| {
            agreed.insert(id.clone(), Arc::downgrade(breaker));
        };
        match (breaker.quarantined(), stored.get(id)) {
            (Some(here), Some(there)) => {
                // The later end applies in both.
                let here = shared(id, here);
                if here.until_ms > there.until_ms.saturating_add(1_000) {
                    store.put(here).await?;
                } else {
                    breaker.enter(there.failures, there.cause, left(there));
                }
                agree(agreed);
            }
            (Some(_), None) if agrees => {
                tracing::info!(hook = id.0, "a hook has left quarantine in another process");
                breaker.leave();
            }
            // A busy machine also misses deadlines, which is no reason for quarantine in other
            // processes.
            (Some((_, Cause::Deadline, _)), None) => {}
            (Some(here), None) => {
                store.put(shared(id, here)).await?;
                agree(agreed);
            }
            (None, Some(there)) if agrees => {
                // If this fails, the next round enters the quarantine again and retries.
                store.remove(there).await?;
            }
            (None, Some(there)) => {
                if breaker.enter(there.failures, there.cause, left(there)) {
                    let (cause, failures) = (there.cause, there.failures);
                    tracing::error!(hook = id.0, %cause, failures, "a hook is in quarantine in another process");
                }
                agree(agreed);
            }
            (None, None) => {}
        }
    }
    Ok(())
}

/// Converts a quarantine of this process into its form in the store.
fn shared(id: &Id, (failures, cause, left): (u32, Cause, Duration)) -> SharedQuarantine {
    let left = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
    SharedQuarantine {
        hook: id.0.clone(),
        component: id.1,
        settings: id.2,
        failures,
        cause,
        until_ms: now_ms().saturating_add(left),
    }
}

fn left(quarantine: &SharedQuarantine) -> Duration {
    Duration::from_millis(quarantine.until_ms.saturating_sub(now_ms()))
}
