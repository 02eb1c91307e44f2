//! The tokens that the hooks of a session have used in the current turn.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::hook::HookId;

/// The tokens that each hook has used. They are counted over a session and its sub-agents, so that
/// neither a new instance nor reloaded hooks give a hook a second budget.
#[derive(Debug, Default)]
pub(super) struct TokenBudgets(Mutex<HashMap<HookId, Used>>);

/// The use of a hook in a turn.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    turn: u32,
    tokens: u64,
}

/// Tokens that a call may use. They count as used until the call reports its use, even if the call
/// is dropped before.
#[derive(Debug)]
pub(super) struct Reserved {
    turn: u32,
    pub(super) tokens: u64,
}

impl TokenBudgets {
    /// Returns the rest of a hook's budget. A call of an earlier turn counts in the current one.
    pub(super) fn left(&self, hook: &HookId, turn: u32, most: u64) -> u64 {
        let used = self.lock().get(hook).copied().unwrap_or_default();
        match turn > used.turn {
            true => most,
            false => most.saturating_sub(used.tokens),
        }
    }

    /// Reserves up to `wanted` tokens, and at least `least`.
    ///
    /// # Errors
    ///
    /// The number of tokens left, if it is lower.
    pub(super) fn reserve(
        &self,
        hook: &HookId,
        turn: u32,
        most: u64,
        least: u64,
        wanted: u64,
    ) -> Result<Reserved, u64> {
        let mut all = self.lock();
        let used = all.entry(hook.clone()).or_default();
        if turn > used.turn {
            *used = Used { turn, tokens: 0 };
        }
        let left = most.saturating_sub(used.tokens);
        if left < least {
            return Err(left);
        }
        let tokens = wanted.min(left);
        used.tokens = used.tokens.saturating_add(tokens);
        Ok(Reserved {
            turn: used.turn,
            tokens,
        })
    }

    /// Settles a call's reserved tokens with the number that it used, which may be higher.
    pub(super) fn settle(&self, hook: &HookId, reserved: Reserved, tokens: u64) {
        let mut all = self.lock();
        if let Some(used) = all.get_mut(hook)
            && used.turn == reserved.turn
        {
            let others = used.tokens.saturating_sub(reserved.tokens);
            used.tokens = others.saturating_add(tokens);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<HookId, Used>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_is_dropped_keeps_its_tokens_and_one_that_ends_gives_back_the_rest() {
        let (budgets, hook) = (TokenBudgets::default(), HookId::from("judge"));
        let first = budgets.reserve(&hook, 1, 100, 10, 60).expect("room");
        assert_eq!((first.tokens, budgets.left(&hook, 1, 100)), (60, 40));
        let dropped = budgets.reserve(&hook, 1, 100, 10, 30);
        assert!(dropped.is_ok());
        budgets.settle(&hook, first, 20);
        assert_eq!(budgets.left(&hook, 1, 100), 50);
    }

    #[test]
    fn only_a_later_turn_has_a_new_budget() {
        let (budgets, hook) = (TokenBudgets::default(), HookId::from("judge"));
        let of_turn_2 = budgets.reserve(&hook, 2, 100, 1, 100).expect("room");
        for turn in [0, 1, 2] {
            assert_eq!(budgets.reserve(&hook, turn, 100, 1, 1).err(), Some(0));
        }
        assert!(budgets.reserve(&hook, 3, 100, 100, 100).is_ok());
        // Unused tokens of an earlier turn are not given to a later one.
        budgets.settle(&hook, of_turn_2, 0);
        assert_eq!(budgets.left(&hook, 3, 100), 0);
    }

    #[test]
    fn hooks_do_not_share_a_budget() {
        let budgets = TokenBudgets::default();
        let (one, other) = (HookId::from("one"), HookId::from("other"));
        assert!(budgets.reserve(&one, 1, 10, 10, 10).is_ok());
        assert_eq!(budgets.left(&other, 1, 10), 10);
    }
}
