//! A memory of components that did not compile, so that a reload does not compile them again. A
//! reload takes place whenever any file of the directory changes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::LoadFault;
use super::compiler::CompileLimits;
use crate::model::verdict::Digest;

/// The most failures that are remembered: more than a directory has hooks.
const MOST: usize = 10_000;

/// The components that did not compile, by digest.
#[derive(Debug, Default)]
pub(crate) struct FailedCompiles(Mutex<HashMap<Digest, LoadFault>>);

impl FailedCompiles {
    /// Returns the reason why a component did not compile and will not compile under these limits.
    pub(super) fn of(&self, component: &Digest, limits: CompileLimits) -> Option<LoadFault> {
        let failed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = failed.get(component)?;
        match fault {
            LoadFault::CompilesTooLong { most } if *most < limits.time => None,
            LoadFault::CompileMemory { most } if *most < limits.memory => None,
            fault => Some(fault.clone()),
        }
    }

    /// Remembers why a component did not compile, if the component is the cause and the attempt
    /// took long. Invalid components are not remembered: they fail quickly, and wasmtime reports a
    /// lack of memory in the same way.
    pub(super) fn remember(&self, component: Digest, fault: &LoadFault) {
        if let LoadFault::Compiler(_)
        | LoadFault::Invalid(_)
        | LoadFault::CompileStarved { .. }
        | LoadFault::CompileCancelled = fault
        {
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
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_did_not_compile_is_not_compiled_again_unless_it_has_more_time_or_memory() {
        let failed = FailedCompiles::default();
        let digests = [b"1", b"2", b"3", b"4", b"5", b"6"].map(|text| Digest::of(text));
        let [slow, large, wrong, unlucky, starved, cancelled] = digests;
        let limits = CompileLimits {
            time: Duration::from_secs(1),
            memory: 1 << 20,
        };
        let more_time = CompileLimits {
            time: limits.time * 2,
            ..limits
        };
        let more_memory = CompileLimits {
            memory: limits.memory * 2,
            ..limits
        };
        let too_long = LoadFault::CompilesTooLong { most: limits.time };
        let too_large = LoadFault::CompileMemory {
            most: limits.memory,
        };
        failed.remember(slow, &too_long);
        failed.remember(large, &too_large);
        failed.remember(wrong, &LoadFault::Invalid("it is wrong".into()));
        failed.remember(unlucky, &LoadFault::Compiler("there is no thread".into()));
        failed.remember(
            starved,
            &LoadFault::CompileStarved {
                used: None,
                waited: limits.time * 10,
            },
        );
        failed.remember(cancelled, &LoadFault::CompileCancelled);
        assert_eq!(failed.of(&slow, limits), Some(too_long.clone()));
        assert_eq!(failed.of(&slow, more_memory), Some(too_long));
        assert_eq!(failed.of(&slow, more_time), None);
        assert_eq!(failed.of(&large, limits), Some(too_large.clone()));
        assert_eq!(failed.of(&large, more_time), Some(too_large));
        assert_eq!(failed.of(&large, more_memory), None);
        for digest in [wrong, unlucky, starved, cancelled] {
            assert_eq!(failed.of(&digest, limits), None);
        }
    }
}
