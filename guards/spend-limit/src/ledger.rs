//! The amounts that all sessions spent, and those held for their running calls.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Spent};

/// The sums of all sessions, as one value of the shared state: it is changed as a whole or not at all.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Ledger {
    /// The amount that ended calls spent.
    #[serde(default)]
    spent: Spent,
    /// The amounts held for running calls, by session. A session has one call at a time.
    #[serde(default)]
    held: BTreeMap<String, Spent>,
}

impl Ledger {
    /// Holds the most that the next call of a session may spend, if the budget allows that. An amount that is still
    /// held for the session is released first: its call failed, or this is the same call in another process.
    pub fn hold(&mut self, session: &str, most: Spent, budget: &Budget) -> Result<(), String> {
        self.held.remove(session);
        let all = self
            .held
            .values()
            .fold(self.spent, |sum, held| sum.plus(held));
        if let Some(refusal) = budget.refusal("shared", &all, &most) {
            return Err(refusal);
        }
        self.held.insert(session.to_owned(), most);
        Ok(())
    }

    /// Ends the call of a session, which spent this. Returns whether an amount was held for it.
    pub fn settle(&mut self, session: &str, spent: &Spent) -> bool {
        let was_held = self.held.remove(session).is_some();
        if was_held {
            self.spent = self.spent.plus(spent);
        }
        was_held
    }

    /// Releases the amount held for a session. Returns whether one was held.
    pub fn give_back(&mut self, session: &str) -> bool {
        self.held.remove(session).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(tokens: u64) -> Spent {
        Spent { tokens, micros: 0 }
    }

    fn budget(tokens: u64) -> Budget {
        Budget {
            tokens: Some(tokens),
            usd: None,
        }
    }

    #[test]
    fn what_is_held_cannot_be_spent_by_others() {
        let mut ledger = Ledger::default();
        let budget = budget(100);
        assert_eq!(ledger.hold("a", tokens(60), &budget), Ok(()));
        let refused = ledger.hold("b", tokens(60), &budget);
        assert!(refused.is_err_and(|why| why.contains("100 tokens")));
        assert!(ledger.settle("a", &tokens(10)));
        assert_eq!(ledger.hold("b", tokens(60), &budget), Ok(()));
    }

    #[test]
    fn a_call_is_settled_once() {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.hold("a", tokens(60), &budget(100)), Ok(()));
        assert!(ledger.settle("a", &tokens(60)));
        assert!(!ledger.settle("a", &tokens(60)));
        assert!(ledger.hold("a", tokens(40), &budget(100)).is_ok());
        // Again, as after a failure of the provider.
        assert!(ledger.hold("a", tokens(40), &budget(100)).is_ok());
        assert!(ledger.give_back("a"));
        assert!(!ledger.give_back("a"));
    }
}
