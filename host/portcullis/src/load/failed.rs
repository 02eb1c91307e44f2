//! What did not compile, so that loading again does not compile it again: a reload takes place whenever
//! any file of the directory changes, and a compilation that took too long may still be running.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::LoadFault;
use crate::model::verdict::Digest;

/// The most failures that are remembered: more than a directory has hooks.
const MOST: usize = 10_000;

/// The components that did not compile, by their digest.
#[derive(Debug, Default)]
pub(crate) struct FailedCompiles(Mutex<HashMap<Digest, LoadFault>>);

impl FailedCompiles {
    /// Why a component did not compile and will not now either, with so much time for it.
    pub(super) fn of(&self, component: &Digest, time: Duration) -> Option<LoadFault> {
        let failed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = failed.get(component)?;
        match fault {
            LoadFault::CompilesTooLong { most } if *most < time => None,
            fault => Some(fault.clone()),
        }
    }

    /// Remembers why a component did not compile, if it took long and is a matter of the component. What
    /// is invalid is found at once; and wasmtime says the same where memory is short.
    pub(super) fn remember(&self, component: Digest, fault: &LoadFault) {
        if let LoadFault::Compiler(_) | LoadFault::Invalid(_) = fault {
            return;
        }
        let mut failed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.len() >= MOST {
            failed.clear();
        }
        failed.insert(component, fault.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_compile_is_not_compiled_again_unless_it_has_more_time() {
        let failed = FailedCompiles::default();
        let (slow, wrong, unlucky) = (Digest::of(b"1"), Digest::of(b"2"), Digest::of(b"3"));
        let second = Duration::from_secs(1);
        let too_long = LoadFault::CompilesTooLong { most: second };
        failed.remember(slow, &too_long);
        failed.remember(wrong, &LoadFault::Invalid("it is wrong".into()));
        failed.remember(
            unlucky,
            &LoadFault::Compiler("there is no thread for it".into()),
        );
        assert_eq!(failed.of(&slow, second), Some(too_long));
        assert_eq!(failed.of(&slow, second * 2), None);
        assert_eq!(failed.of(&wrong, second * 2), None);
        assert_eq!(failed.of(&unlucky, second), None);
    }
}
