//! What the components of a session have used in the turn in hand.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::failure::Failure;
use crate::limits::TurnLimits;

/// The budget of a session's turn. The last call that begins within it may go beyond, by no more than
/// its own limits.
#[derive(Debug)]
pub(crate) struct TurnBudget {
    used: Mutex<Used>,
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
        }
    }

    /// Other limits from now on, also for the turn in hand.
    pub(crate) fn limit(&self, limits: TurnLimits) {
        self.hold().limits = limits;
    }

    /// Whether a component may still be called in this turn.
    pub(crate) fn check(&self, turn: u32) -> Result<(), Failure> {
        // What comes before the first turn, after the last one or beside all of them is no turn.
        if turn == 0 {
            return Ok(());
        }
        let used = self.of(turn);
        match used.time >= used.limits.hooks || used.fuel >= used.limits.fuel {
            true => Err(Failure::TurnBudget(used.limits)),
            false => Ok(()),
        }
    }

    /// A call of this turn took so much.
    pub(crate) fn spend(&self, turn: u32, time: Duration, fuel: Option<u64>) {
        if turn == 0 {
            return;
        }
        let mut used = self.of(turn);
        used.time = used.time.saturating_add(time);
        used.fuel = used.fuel.saturating_add(fuel.unwrap_or(0));
    }

    fn of(&self, turn: u32) -> MutexGuard<'_, Used> {
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
        used
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
