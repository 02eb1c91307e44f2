//! The quarantine of components that keep failing.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::model::failure::{Cause, Failure};
use crate::model::hook::HookId;
use crate::model::verdict::{Digest, RunStatus};

/// The conditions under which a failing component is quarantined. Its calls then fail at once,
/// under its own failure policy: a guard that fails closed continues to refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuarantineOptions {
    /// The number of failures in a row, over all sessions. Default 5.
    pub failures: u32,
    /// The time until one call tries the component again. Default 30 s.
    pub period: Duration,
}

impl Default for QuarantineOptions {
    fn default() -> Self {
        Self {
            failures: 5,
            period: Duration::from_secs(30),
        }
    }
}

/// A component in quarantine.
#[derive(Debug, Clone, Serialize)]
pub struct Quarantined {
    /// The hook.
    pub hook: HookId,
    /// The component.
    pub component: Digest,
    /// The component's limits, grants and configuration.
    pub settings: Digest,
    /// The number of failures in a row.
    pub failures: u32,
    /// The cause of the last failure.
    pub cause: Cause,
    /// The time until the component is tried again; zero once the next call will try it.
    pub left: Duration,
}

/// The circuit breaker of a component.
#[derive(Debug)]
pub(crate) struct Breaker {
    options: QuarantineOptions,
    /// The settings of the component's calls: see
    /// [`Setup::digest`](crate::sandbox::component::Setup::digest).
    settings: Digest,
    /// Failures in a row.
    failures: AtomicU32,
    open: AtomicBool,
    quarantine: Mutex<Option<Quarantine>>,
}

#[derive(Debug, Clone, Copy)]
struct Quarantine {
    until: Instant,
    cause: Cause,
    /// Whether a call is trying the component.
    tried: bool,
}

/// A call that may be made.
#[derive(Debug)]
pub(crate) struct Admitted<'a> {
    breaker: &'a Breaker,
    /// Whether the call decides if the quarantine ends.
    tries: bool,
}

/// The effect of a call on the quarantine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changed {
    Entered { cause: Cause, failures: u32 },
    Left { failures: u32 },
}

/// The evidence of a call about the component.
enum Says {
    Healthy,
    Failing(Cause),
    Nothing,
}

impl Breaker {
    pub(crate) fn new(options: QuarantineOptions, settings: Digest) -> Self {
        Self {
            options,
            settings,
            failures: AtomicU32::new(0),
            open: AtomicBool::new(false),
            quarantine: Mutex::default(),
        }
    }

    /// Returns whether the breaker's counts apply to these settings.
    pub(crate) fn is_of(&self, options: QuarantineOptions, settings: Digest) -> bool {
        (self.options, self.settings) == (options, settings)
    }

    pub(crate) fn has_settings_of(&self, other: &Self) -> bool {
        self.is_of(other.options, other.settings)
    }

    pub(crate) fn settings(&self) -> Digest {
        self.settings
    }

    /// Admits a call, unless the component is in quarantine.
    #[inline]
    pub(crate) fn admit(&self) -> Result<Admitted<'_>, Failure> {
        match self.open.load(Ordering::Acquire) {
            false => Ok(self.admitted(false)),
            true => self.admit_in_quarantine(),
        }
    }

    #[inline]
    fn admitted(&self, tries: bool) -> Admitted<'_> {
        Admitted {
            breaker: self,
            tries,
        }
    }

    #[cold]
    fn admit_in_quarantine(&self) -> Result<Admitted<'_>, Failure> {
        match &mut *self.hold() {
            None => Ok(self.admitted(false)),
            Some(quarantine) if !quarantine.tried && Instant::now() >= quarantine.until => {
                quarantine.tried = true;
                Ok(self.admitted(true))
            }
            Some(quarantine) => Err(Failure::Quarantined {
                failures: self.failures.load(Ordering::Relaxed),
                cause: quarantine.cause,
                left: quarantine.until.saturating_duration_since(Instant::now()),
            }),
        }
    }

    /// Puts the component into quarantine because another process has, or extends the quarantine to
    /// a later time. Returns whether the quarantine is new.
    pub(crate) fn enter(&self, failures: u32, cause: Cause, left: Duration) -> bool {
        let until = Instant::now() + left.min(self.options.period);
        let mut quarantine = self.hold();
        match &mut *quarantine {
            Some(here) => {
                here.until = here.until.max(until);
                false
            }
            None => {
                *quarantine = Some(Quarantine {
                    until,
                    cause,
                    tried: false,
                });
                self.failures.store(failures, Ordering::Relaxed);
                self.open.store(true, Ordering::Release);
                true
            }
        }
    }

    /// Ends the quarantine because another process has. A call that tries the component at the time
    /// decides nothing.
    pub(crate) fn leave(&self) {
        let mut quarantine = self.hold();
        self.failures.store(0, Ordering::Relaxed);
        *quarantine = None;
        self.open.store(false, Ordering::Release);
    }

    /// Returns the failures that led to the quarantine, the cause of the last, and the time left;
    /// `None` without a quarantine.
    pub(crate) fn quarantined(&self) -> Option<(u32, Cause, Duration)> {
        let quarantine = (*self.hold())?;
        let left = quarantine.until.saturating_duration_since(Instant::now());
        Some((
            self.failures.load(Ordering::Relaxed),
            quarantine.cause,
            left,
        ))
    }

    /// Records the success of a call that tried the component.
    #[cold]
    fn recovered(&self) -> Changed {
        let failures = self.failures.swap(0, Ordering::Relaxed);
        *self.hold() = None;
        self.open.store(false, Ordering::Release);
        Changed::Left { failures }
    }

    #[cold]
    fn failed(&self, cause: Cause, tried: bool) -> Option<Changed> {
        let failures = self
            .failures
            .fetch_add(1, Ordering::Relaxed)
            .saturating_add(1);
        if failures < self.options.failures {
            return None;
        }
        let mut quarantine = self.hold();
        let entered = quarantine.is_none();
        // Calls that began before the quarantine do not change it.
        if entered || tried {
            *quarantine = Some(Quarantine {
                until: Instant::now() + self.options.period,
                cause,
                tried: false,
            });
            self.open.store(true, Ordering::Release);
        }
        entered.then_some(Changed::Entered { cause, failures })
    }

    #[cold]
    fn let_another_try(&self) {
        if let Some(quarantine) = &mut *self.hold() {
            quarantine.tried = false;
        }
    }

    fn hold(&self) -> MutexGuard<'_, Option<Quarantine>> {
        self.quarantine
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Admitted<'_> {
    /// Ends the call with this status.
    #[inline]
    pub(crate) fn settle(mut self, status: &RunStatus) -> Option<Changed> {
        let breaker = self.breaker;
        match says(status) {
            Says::Healthy if self.tries => {
                self.tries = false;
                Some(breaker.recovered())
            }
            Says::Healthy => {
                // Read first: an unnecessary write would slow down other threads.
                if breaker.failures.load(Ordering::Relaxed) != 0
                    && !breaker.open.load(Ordering::Acquire)
                {
                    breaker.failures.store(0, Ordering::Relaxed);
                }
                None
            }
            Says::Failing(cause) => {
                let tries = std::mem::take(&mut self.tries);
                breaker.failed(cause, tries)
            }
            Says::Nothing => None,
        }
    }
}

impl Drop for Admitted<'_> {
    /// Lets the next call try the component if this one has decided nothing.
    #[inline]
    fn drop(&mut self) {
        if self.tries {
            self.breaker.let_another_try();
        }
    }
}

/// Returns the evidence of a status. A hook that reports its own failure works as it should. A
/// failure outside of the component is no evidence about it.
#[inline]
fn says(status: &RunStatus) -> Says {
    match status {
        RunStatus::Completed { .. } | RunStatus::NotApplied { .. } => Says::Healthy,
        RunStatus::Failed { cause, .. } => match cause {
            Cause::GuestError => Says::Healthy,
            Cause::Trap | Cause::BadOutput | Cause::Instantiate => Says::Failing(*cause),
            cause if cause.is_limit() => Says::Failing(*cause),
            _ => Says::Nothing,
        },
        RunStatus::Skipped | RunStatus::Backgrounded => Says::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::points::OutcomeKind;

    const PERIOD: Duration = Duration::from_millis(30);

    fn breaker() -> Breaker {
        let options = QuarantineOptions {
            failures: 2,
            period: PERIOD,
        };
        Breaker::new(options, Digest::of(b"settings"))
    }

    fn failed(cause: Cause) -> RunStatus {
        RunStatus::Failed {
            cause,
            message: "".into(),
            fatal: true,
        }
    }

    fn answered() -> RunStatus {
        RunStatus::Completed {
            outcome: OutcomeKind::Continue,
            rejection: None,
        }
    }

    fn run(breaker: &Breaker, status: &RunStatus) -> Option<Changed> {
        breaker.admit().expect("let through").settle(status)
    }

    #[test]
    fn only_failures_of_its_own_count_and_only_in_a_row() {
        for (between, enters) in [
            (answered(), false),
            (failed(Cause::GuestError), false),
            (failed(Cause::Overload), true),
            (failed(Cause::Host), true),
            (failed(Cause::TurnBudget), true),
            (failed(Cause::Revoked), true),
        ] {
            let breaker = breaker();
            assert_eq!(run(&breaker, &failed(Cause::Trap)), None);
            assert_eq!(run(&breaker, &between), None);
            let entered = run(&breaker, &failed(Cause::Fuel)).is_some();
            assert_eq!(entered, enters, "{between:?}");
            assert_eq!(breaker.quarantined().is_some(), enters, "{between:?}");
        }
    }

    #[test]
    fn another_process_has_it_enter_and_leave() {
        let breaker = breaker();
        assert!(breaker.enter(7, Cause::Trap, PERIOD));
        assert!(!breaker.enter(7, Cause::Trap, PERIOD), "no news");
        let refused = breaker.admit().map(drop).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "it is in quarantine for 1 s more, after 7 failures in a row, the last one `trap`"
        );
        std::thread::sleep(PERIOD);
        let trying = breaker.admit().expect("one may try");
        breaker.leave();
        assert!(breaker.admit().is_ok());
        // The failure is the first of a new row.
        assert_eq!(trying.settle(&failed(Cause::Trap)), None);
        assert!(breaker.admit().is_ok());
    }

    #[test]
    fn one_call_at_a_time_decides_whether_it_is_over() {
        let breaker = breaker();
        run(&breaker, &failed(Cause::Trap));
        let entered = run(&breaker, &failed(Cause::Trap));
        let (cause, failures) = (Cause::Trap, 2);
        assert_eq!(entered, Some(Changed::Entered { cause, failures }));
        assert!(breaker.admit().is_err());
        std::thread::sleep(PERIOD);
        let first = breaker.admit().expect("one may try");
        assert!(breaker.admit().is_err(), "and no other beside it");
        // Cancelled: the next one tries.
        drop(first);
        let second = breaker.admit().expect("the next one tries");
        assert_eq!(second.settle(&failed(Cause::Trap)), None);
        assert!(breaker.admit().is_err(), "it begins anew");
        std::thread::sleep(PERIOD);
        let left = run(&breaker, &answered());
        assert_eq!(left, Some(Changed::Left { failures: 3 }));
        assert!(breaker.quarantined().is_none());
        assert_eq!(run(&breaker, &failed(Cause::Trap)), None, "it counts anew");
    }
}
