//! Threads for loading, with a fallback if the system cannot start more of them.

use std::io;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Runs the same work on `threads` threads, including the caller's, or on fewer if the system
/// cannot start them. Returns all results.
pub(super) fn side_by_side<T: Send>(
    threads: usize,
    start: impl Fn() -> Builder,
    work: impl Fn() -> T + Sync,
) -> Vec<T> {
    scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map_while(|_| start().spawn_scoped(scope, &work).ok())
            .collect();
        let mut made = vec![work()];
        for other in others {
            made.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        made
    })
}

/// Runs work on a separate thread and waits for it.
pub(super) fn apart<T: Send>(start: Builder, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    scope(|scope| {
        let thread = start.spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a builder for threads with a larger stack than any system's memory.
    fn refused() -> Builder {
        Builder::new().stack_size(1 << 60)
    }

    #[test]
    fn what_no_thread_is_given_for_is_done_by_the_caller() {
        assert_eq!(side_by_side(4, refused, || 7), [7]);
        assert_eq!(side_by_side(4, Builder::new, || 7), [7; 4]);
    }

    #[test]
    fn a_thread_that_is_not_given_is_an_error() {
        assert!(apart(refused(), || 7).is_err());
        assert_eq!(apart(Builder::new(), || 7).ok(), Some(7));
    }
}
