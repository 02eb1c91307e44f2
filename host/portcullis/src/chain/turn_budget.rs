//! The use of the current turn's budget by a session's components.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::model::failure::Failure;
use crate::model::limits::TurnLimits;
use crate::model::purpose::Purpose;

/// The budget of a session's turn, one for each purpose. The last call that begins within the
/// budget may exceed it, but by no more than the call's own limits.
///
/// A chain adds up the use of its own hooks and spends the sum once, so concurrent chains may each
/// exceed the budget by that much.
#[derive(Debug)]
pub(crate) struct TurnBudget {
    /// Held while the limits or the turn change.
    limits: Mutex<TurnLimits>,
    most_nanos: AtomicU64,
    most_fuel: AtomicU64,
    deciding: Used,
    capped: Used,
    observing: Used,
}

/// The use of hooks in a turn.
#[derive(Debug, Default)]
struct Used {
    turn: AtomicU32,
    nanos: AtomicU64,
    fuel: AtomicU64,
}

impl TurnBudget {
    pub(crate) fn new(limits: TurnLimits) -> Self {
        Self {
            most_nanos: AtomicU64::new(nanos(limits.hooks)),
            most_fuel: AtomicU64::new(limits.fuel),
            limits: Mutex::new(limits),
            deciding: Used::default(),
            capped: Used::default(),
            observing: Used::default(),
        }
    }

    /// Sets the limits from now on, also for the current turn.
    pub(crate) fn limit(&self, limits: TurnLimits) {
        let mut held = self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        *held = limits;
        self.most_nanos
            .store(nanos(limits.hooks), Ordering::Release);
        self.most_fuel.store(limits.fuel, Ordering::Release);
    }

    /// Resets the use of the current turn.
    pub(crate) fn renew(&self) {
        let _held = self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        for used in [&self.deciding, &self.capped, &self.observing] {
            used.nanos.store(0, Ordering::Relaxed);
            used.fuel.store(0, Ordering::Relaxed);
        }
    }

    /// Begins a chain of this turn.
    #[inline]
    pub(crate) fn open(&self, purpose: Purpose, turn: u32) -> Spending<'_> {
        Spending {
            budget: self,
            purpose,
            used: match purpose {
                Purpose::Deciding => &self.deciding,
                Purpose::Capped => &self.capped,
                Purpose::Observing => &self.observing,
            },
            turn,
            nanos: 0,
            fuel: 0,
        }
    }

    /// Checks that this additional use is within the budget of a turn.
    #[inline]
    fn check(&self, used: &Used, turn: u32, nanos: u64, fuel: u64) -> Result<(), Failure> {
        // Turn 0 means that the call is outside of a turn.
        let current = used.turn.load(Ordering::Acquire);
        if turn == 0 {
            return Ok(());
        }
        // A late call is checked against the current turn. A new turn has no use yet.
        let (mut used_nanos, mut used_fuel) = (nanos, fuel);
        if turn <= current {
            used_nanos = used_nanos.saturating_add(used.nanos.load(Ordering::Relaxed));
            used_fuel = used_fuel.saturating_add(used.fuel.load(Ordering::Relaxed));
        }
        let left = used_nanos < self.most_nanos.load(Ordering::Relaxed)
            && used_fuel < self.most_fuel.load(Ordering::Relaxed);
        match left {
            true => Ok(()),
            false => Err(self.used_up()),
        }
    }

    #[cold]
    fn used_up(&self) -> Failure {
        Failure::TurnBudget(*self.limits.lock().unwrap_or_else(PoisonError::into_inner))
    }

    #[inline]
    fn spend(&self, used: &Used, turn: u32, nanos: u64, fuel: u64) {
        if turn == 0 {
            return;
        }
        if turn > used.turn.load(Ordering::Acquire) {
            self.begin(used, turn);
        }
        used.nanos.fetch_add(nanos, Ordering::Relaxed);
        used.fuel.fetch_add(fuel, Ordering::Relaxed);
    }

    #[cold]
    fn begin(&self, used: &Used, turn: u32) {
        let _held = self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        // A late call must not give the current turn a second budget.
        if turn > used.turn.load(Ordering::Acquire) {
            used.nanos.store(0, Ordering::Relaxed);
            used.fuel.store(0, Ordering::Relaxed);
            used.turn.store(turn, Ordering::Release);
        }
    }
}

#[inline]
fn nanos(time: Duration) -> u64 {
    let seconds = time.as_secs().saturating_mul(1_000_000_000);
    seconds.saturating_add(u64::from(time.subsec_nanos()))
}

/// The use of one run of a chain. It is spent on drop, even if the chain was not run to its end.
#[derive(Debug)]
pub(crate) struct Spending<'a> {
    budget: &'a TurnBudget,
    purpose: Purpose,
    used: &'a Used,
    turn: u32,
    nanos: u64,
    fuel: u64,
}

impl Spending<'_> {
    /// Spends for another purpose from now on.
    #[inline]
    pub(crate) fn switch(&mut self, purpose: Purpose) {
        if self.purpose != purpose {
            self.open(purpose);
        }
    }

    #[cold]
    fn open(&mut self, purpose: Purpose) {
        *self = self.budget.open(purpose, self.turn);
    }

    /// Checks whether a component may still be called in this turn.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.budget
            .check(self.used, self.turn, self.nanos, self.fuel)
    }

    /// Adds the use of a call.
    #[inline]
    pub(crate) fn add(&mut self, time: Duration, fuel: Option<u64>) {
        self.nanos = self.nanos.saturating_add(nanos(time));
        self.fuel = self.fuel.saturating_add(fuel.unwrap_or(0));
    }
}

impl Drop for Spending<'_> {
    fn drop(&mut self) {
        if self.nanos != 0 || self.fuel != 0 {
            self.budget
                .spend(self.used, self.turn, self.nanos, self.fuel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_the_next_turn_begins_it_anew() {
        let budget = TurnBudget::new(TurnLimits {
            fuel: 100,
            ..TurnLimits::default()
        });
        let open = |turn| budget.open(Purpose::Deciding, turn);
        open(2).add(Duration::ZERO, Some(100));
        for (turn, left) in [
            (2, false),
            (0, true),
            (2, false),
            (1, false),
            (2, false),
            (3, true),
        ] {
            assert_eq!(open(turn).check().is_ok(), left, "{turn}");
            let observing = budget.open(Purpose::Observing, turn);
            assert!(observing.check().is_ok(), "{turn}");
        }
    }

    #[test]
    fn every_turn_has_its_own_and_what_is_no_turn_has_no_end() {
        let limits = TurnLimits {
            hooks: Duration::from_millis(10),
            fuel: 100,
        };
        for (turn, ms, fuel, left) in [
            (1, 9, 99, true),
            (1, 10, 0, false),
            (1, 0, 100, false),
            (0, 100, 1_000, true),
        ] {
            let budget = TurnBudget::new(limits);
            let open = |turn| budget.open(Purpose::Observing, turn);
            open(turn).add(Duration::from_millis(ms), Some(fuel));
            assert_eq!(open(turn).check().is_ok(), left, "{turn}, {ms}, {fuel}");
            assert!(open(turn + 1).check().is_ok());
            assert!(budget.open(Purpose::Deciding, turn).check().is_ok());
        }
    }
}
