//! What the components of a session have used in the turn in hand.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::failure::Failure;
use crate::limits::TurnLimits;

/// The budget of a session's turn. The last call that begins within it may go beyond, by no more than
/// its own limits.
#[derive(Debug)]
pub(crate) struct TurnBudget {
    used: Mutex<Used>,
    /// The last turn whose budget is used up, so that a call that may be made takes the lock once.
    used_up: AtomicU32,
}

#[derive(Debug)]
struct Used {
    limits: TurnLimits,
    turn: u32,
    time: Duration,
    fuel: u64,
}

impl TurnBudget {
    pub(crate) fn new(limits: TurnLimits) -> Self {
        Self {
            used: Mutex::new(Used {
                limits,
                turn: 0,
                time: Duration::ZERO,
                fuel: 0,
            }),
            used_up: AtomicU32::new(0),
        }
    }

    /// Other limits from now on, also for the turn in hand.
    pub(crate) fn limit(&self, limits: TurnLimits) {
        let mut used = self.hold();
        used.limits = limits;
        self.judge(&used);
    }

    /// Whether a component may still be called in this turn.
    pub(crate) fn check(&self, turn: u32) -> Result<(), Failure> {
        // What comes before the first turn, after the last one or beside all of them is no turn.
        match turn != 0 && turn <= self.used_up.load(Ordering::Acquire) {
            true => Err(Failure::TurnBudget(self.hold().limits)),
            false => Ok(()),
        }
    }

    /// A call of this turn took so much.
    pub(crate) fn spend(&self, turn: u32, time: Duration, fuel: Option<u64>) {
        if turn == 0 {
            return;
        }
        let mut used = self.hold();
        // A call that comes late must not give the turn in hand a second budget.
        if turn > used.turn {
            *used = Used {
                limits: used.limits,
                turn,
                time: Duration::ZERO,
                fuel: 0,
            };
        }
        used.time = used.time.saturating_add(time);
        used.fuel = used.fuel.saturating_add(fuel.unwrap_or(0));
        self.judge(&used);
    }

    fn judge(&self, used: &Used) {
        let over = used.time >= used.limits.hooks || used.fuel >= used.limits.fuel;
        let last = match over {
            true => used.turn,
            false => used.turn.saturating_sub(1),
        };
        // Under the lock, whoever writes; and only where something changed: readers are many.
        let before = self.used_up.load(Ordering::Relaxed);
        if (before >= used.turn) != over {
            self.used_up.store(last, Ordering::Release);
        }
    }

    fn hold(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
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
        budget.spend(2, Duration::ZERO, Some(100));
        for (turn, left) in [
            (2, false),
            (0, true),
            (2, false),
            (1, false),
            (2, false),
            (3, true),
        ] {
            assert_eq!(budget.check(turn).is_ok(), left, "{turn}");
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
            budget.spend(turn, Duration::from_millis(ms), Some(fuel));
            assert_eq!(budget.check(turn).is_ok(), left, "{turn}, {ms}, {fuel}");
            assert!(budget.check(turn + 1).is_ok());
        }
    }
}
