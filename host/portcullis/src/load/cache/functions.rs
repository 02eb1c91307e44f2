//! A cache of compiled functions, shared between components that contain the same functions.
//!
//! Python components contain the same interpreter, and so do JavaScript components. When such a
//! hook changes, almost all of its functions are already compiled. Cranelift finds a function by
//! the SHA-256 of all inputs of its code, including the Cranelift version and the compiler
//! settings.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use wasmtime::CacheStore;

use super::{CompileCache, DIGEST, content};

/// The most bytes that are kept. Above it, only the functions that the last compilation added are
/// kept. A Python hook takes 34 MB, and a change to it less than 1 MB.
const MOST: usize = 128 << 20;

type Key = [u8; 32];

/// The compiled functions that a cache keeps.
#[derive(Debug)]
pub(in crate::load) struct Functions {
    cache: CompileCache,
    path: PathBuf,
    /// The functions in the form of the file.
    kept: Vec<u8>,
    /// The start and end of each function's code.
    places: HashMap<Key, (usize, usize)>,
    added: Mutex<HashMap<Key, Vec<u8>>>,
}

impl Functions {
    /// Reads the functions of a cache. A damaged or too large file yields none.
    pub(in crate::load) fn of(cache: CompileCache) -> Self {
        let path = cache.dir().join("functions");
        let is_short = |file: &File| {
            let size = file.metadata().map(|meta| meta.len());
            size.is_ok_and(|size| size <= (MOST + DIGEST) as u64)
        };
        let kept = match cache.open_own(&path) {
            Ok(Some(file)) if is_short(&file) => content(file, &path).unwrap_or_default(),
            _ => Vec::new(),
        };
        Self {
            places: places(&kept),
            cache,
            path,
            kept,
            added: Mutex::default(),
        }
    }

    /// Writes the functions that were compiled for the first time.
    pub(in crate::load) fn keep(&self) -> io::Result<()> {
        self.keep_at_most(MOST)
    }

    fn keep_at_most(&self, most: usize) -> io::Result<()> {
        let mut new = Vec::new();
        for (key, code) in self.added().iter() {
            let Ok(length) = u32::try_from(code.len()) else {
                continue;
            };
            new.extend(key);
            new.extend(length.to_le_bytes());
            new.extend(code);
        }
        if new.is_empty() {
            return Ok(());
        }
        let before = match self.kept.len().saturating_add(new.len()) <= most {
            true => self.kept.as_slice(),
            false => &[],
        };
        self.cache.write(&self.path, before.chain(new.as_slice()))
    }

    fn added(&self) -> MutexGuard<'_, HashMap<Key, Vec<u8>>> {
        self.added.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheStore for Functions {
    fn get(&self, key: &[u8]) -> Option<Cow<'_, [u8]>> {
        let key = Key::try_from(key).ok()?;
        if let Some((begin, end)) = self.places.get(&key) {
            return self.kept.get(*begin..*end).map(Cow::Borrowed);
        }
        // A component may contain the same function more than once.
        self.added().get(&key).cloned().map(Cow::Owned)
    }

    fn insert(&self, key: &[u8], code: Vec<u8>) -> bool {
        let Ok(key) = Key::try_from(key) else {
            return false;
        };
        self.added().insert(key, code);
        true
    }
}

/// Returns the start and end of each function's code in a file.
fn places(kept: &[u8]) -> HashMap<Key, (usize, usize)> {
    let mut found = HashMap::new();
    let mut rest = kept;
    while let Some((key, after)) = rest.split_first_chunk() {
        let Some((length, code)) = after.split_first_chunk() else {
            break;
        };
        let Ok(length) = usize::try_from(u32::from_le_bytes(*length)) else {
            break;
        };
        let Some(after) = code.get(length..) else {
            break;
        };
        let end = kept.len().saturating_sub(after.len());
        found.insert(*key, (end.saturating_sub(length), end));
        rest = after;
    }
    found
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::Arc;

    use wasmtime::{Config, Engine};

    use super::*;

    fn compiled(with: Option<&Arc<Functions>>, module: &str) -> Vec<u8> {
        let mut config = Config::new();
        if let Some(functions) = with {
            config
                .enable_incremental_compilation(functions.clone())
                .unwrap();
        }
        let engine = Engine::new(&config).unwrap();
        engine
            .precompile_module(&wat::parse_str(module).unwrap())
            .unwrap()
    }

    /// The number of functions in a module. A few more may be compiled than have changed, depending
    /// on the compile threads.
    const ALL: usize = 60;

    /// Returns a module with `ALL` functions, of which the last returns `last`.
    fn module(last: u32) -> String {
        let functions: String = (1..ALL)
            .map(|n| format!("(func (export \"f{n}\") (result i32) (i32.const {n}))"))
            .collect();
        format!("(module {functions} (func (export \"last\") (result i32) (i32.const {last})))")
    }

    fn cache() -> (tempfile::TempDir, CompileCache) {
        let dir = tempfile::tempdir().unwrap();
        let cache = CompileCache::open(dir.path().join("compiled")).unwrap();
        (dir, cache)
    }

    fn opened(cache: &CompileCache) -> Arc<Functions> {
        Arc::new(Functions::of(cache.clone()))
    }

    #[test]
    fn a_changed_component_compiles_what_was_changed() {
        let (_dir, cache) = cache();
        let first = opened(&cache);
        assert!(first.places.is_empty());
        compiled(Some(&first), &module(100));
        let all = first.added().len();
        assert!(all >= ALL, "{all}");
        first.keep().unwrap();

        let second = opened(&cache);
        assert_eq!(second.places.len(), all);
        let changed = compiled(Some(&second), &module(200));
        let added = second.added().len();
        assert!((1..ALL / 2).contains(&added), "{added}");
        assert_eq!(changed, compiled(None, &module(200)));
        second.keep().unwrap();
        assert_eq!(opened(&cache).places.len(), all + added);
    }

    #[test]
    fn what_is_damaged_is_compiled_again() {
        let (_dir, cache) = cache();
        let whole = opened(&cache);
        let code = compiled(Some(&whole), &module(100));
        whole.keep().unwrap();
        let written = std::fs::read(&whole.path).unwrap();
        let mut bit = written.clone();
        bit[written.len() / 2] ^= 1;
        for damaged in [bit, written[..written.len() - 1].to_vec(), Vec::new()] {
            std::fs::write(&whole.path, damaged).unwrap();
            let functions = opened(&cache);
            assert!(functions.places.is_empty());
            assert_eq!(compiled(Some(&functions), &module(100)), code);
            functions.keep().unwrap();
            assert!(opened(&cache).places.len() >= ALL);
        }
    }

    #[test]
    fn it_begins_anew_when_it_is_too_large() {
        let (_dir, cache) = cache();
        let first = opened(&cache);
        compiled(Some(&first), &module(100));
        first.keep().unwrap();
        let second = opened(&cache);
        compiled(Some(&second), &module(200));
        second.keep_at_most(second.kept.len()).unwrap();
        let left = opened(&cache).places.len();
        assert!((1..ALL / 2).contains(&left), "{left}");
    }
}
