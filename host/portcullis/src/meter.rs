//! What the call in hand has used of what wasmtime does not count.

use crate::failure::Failure;

/// Counts calls of imports, and knows when the call in hand must have ended.
///
/// An import is counted on its way to its part of the store, where nothing can fail. So a call that
/// made too many is ended at the next tick, and its answer is not taken if it comes before that: of
/// a call over its limit the cause is always the same.
#[derive(Debug)]
pub(crate) struct Meter {
    calls: u64,
    most: u64,
    /// The tick at which computing ends.
    pub(crate) due: u64,
}

impl Meter {
    pub(crate) fn new(host_calls: u64) -> Self {
        Self {
            calls: 0,
            most: host_calls,
            due: 0,
        }
    }

    /// A new call begins.
    pub(crate) fn restart(&mut self, due: u64) {
        self.calls = 0;
        self.due = due;
    }

    pub(crate) fn count(&mut self) {
        self.calls = self.calls.saturating_add(1);
    }

    /// The failure of a call that called its imports too often.
    pub(crate) fn over(&self) -> Option<Failure> {
        (self.calls > self.most).then_some(Failure::HostCalls(self.most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_allowed_call_is_not_too_many() {
        let mut meter = Meter::new(2);
        meter.count();
        meter.count();
        assert!(meter.over().is_none());
        meter.count();
        assert!(matches!(meter.over(), Some(Failure::HostCalls(2))));
        meter.restart(0);
        assert!(meter.over().is_none());
    }
}
