//! Loads fifty hooks, cold and from the cache.

use std::time::{Duration, Instant};

use criterion::Criterion;
use portcullis::hooks::CacheChoice;
use portcullis::{Hooks, LoadOptions};
use portcullis_tests::HooksDir;

/// Loads fifty copies of an example hook that differ in their ids. Returns the cold load time.
pub fn fifty_hooks(criterion: &mut Criterion) -> Duration {
    let mut dir = HooksDir::new();
    for index in 0..50 {
        dir = dir.with_renamed("canned-answer", &format!("canned-ans{index:03}"));
    }
    let load = |cache: CacheChoice| {
        let options = LoadOptions {
            cache,
            ..LoadOptions::default()
        };
        Hooks::load(dir.path(), &options).expect("fifty hooks")
    };
    // Once is enough: compiling takes seconds.
    let started = Instant::now();
    load(CacheChoice::None);
    let cold = started.elapsed();
    let cache = tempfile::tempdir().expect("a directory");
    let cached = || CacheChoice::Dir(cache.path().join("compiled"));
    load(cached());
    let mut group = criterion.benchmark_group("load 50");
    group.sample_size(20);
    group.bench_function("cached", |b| b.iter(|| load(cached())));
    group.finish();
    cold
}
