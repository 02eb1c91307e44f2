//! A count of the steps for reading settings, only in tests. Time is no measure on a busy machine.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts steps: one for each inspected item or each byte that is read.
#[inline]
pub(super) fn count(steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + steps);
    #[cfg(not(test))]
    let _ = steps;
}

/// Returns the number of steps that `work` takes.
#[cfg(test)]
pub(super) fn of(work: impl FnOnce()) -> usize {
    let before = STEPS.get();
    work();
    STEPS.get() - before
}
