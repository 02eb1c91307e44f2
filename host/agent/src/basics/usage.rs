//! The tokens that model calls used.

use std::sync::Arc;

use parking_lot::Mutex;
use portcullis::contract::Usage;

/// No tokens.
pub(crate) const NO_USAGE: Usage = Usage {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
};

/// The usage of all model calls of a session, including calls by sub-agents and by hooks, which may
/// run beside the loop. Clones share the usage.
#[derive(Clone)]
pub(crate) struct SessionUsage(Arc<Mutex<Totals>>);

struct Totals {
    session: Usage,
    turn: Usage,
}

impl Default for SessionUsage {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Totals {
            session: NO_USAGE,
            turn: NO_USAGE,
        })))
    }
}

impl SessionUsage {
    /// Returns the usage of the session.
    pub(crate) fn session(&self) -> Usage {
        self.0.lock().session
    }

    /// Returns the usage of the current turn.
    pub(crate) fn turn(&self) -> Usage {
        self.0.lock().turn
    }

    pub(crate) fn add(&self, usage: &Usage) {
        let mut totals = self.0.lock();
        totals.session = combine(&totals.session, usage, u64::saturating_add);
        totals.turn = combine(&totals.turn, usage, u64::saturating_add);
    }

    /// Resets the usage of the turn.
    pub(crate) fn begin_turn(&self) {
        self.0.lock().turn = NO_USAGE;
    }

    pub(crate) fn restore(&self, session: Usage, turn: Usage) {
        *self.0.lock() = Totals { session, turn };
    }
}

/// Returns the usage since `before`.
pub(crate) fn difference(all: &Usage, before: &Usage) -> Usage {
    combine(all, before, u64::saturating_sub)
}

fn combine(a: &Usage, b: &Usage, with: impl Fn(u64, u64) -> u64) -> Usage {
    Usage {
        input_tokens: with(a.input_tokens, b.input_tokens),
        output_tokens: with(a.output_tokens, b.output_tokens),
        cache_read_tokens: with(a.cache_read_tokens, b.cache_read_tokens),
        cache_write_tokens: with(a.cache_write_tokens, b.cache_write_tokens),
    }
}
