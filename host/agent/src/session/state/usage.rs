//! The tokens that model calls used.

use portcullis::contract::Usage;

/// No tokens.
pub(crate) const NO_USAGE: Usage = Usage {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
};

/// The usage of all model calls of a session, including its sub-agents'.
#[derive(Clone, Copy)]
pub(crate) struct SessionUsage {
    pub(crate) session: Usage,
    /// The part of the current turn.
    pub(crate) turn: Usage,
}

impl Default for SessionUsage {
    fn default() -> Self {
        Self {
            session: NO_USAGE,
            turn: NO_USAGE,
        }
    }
}

impl SessionUsage {
    pub(crate) fn add(&mut self, usage: &Usage) {
        for sum in [&mut self.session, &mut self.turn] {
            *sum = combine(sum, usage, u64::saturating_add);
        }
    }
}

/// What was used since `before`.
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
