//! Loading fifty hooks, cold and from the cache.

use criterion::Criterion;
use portcullis::{CacheChoice, Hooks, LoadOptions};
use portcullis_tests::HooksDir;

/// Loads fifty hooks that differ in their ids.
pub fn fifty_hooks(criterion: &mut Criterion) {
    let mut dir = HooksDir::new();
    for index in 0..50 {
        dir = dir.with_renamed("tiny", &format!("t{index:03}"));
    }
    let load = |cache: CacheChoice| {
        let options = LoadOptions {
            cache,
            ..LoadOptions::default()
        };
        Hooks::load(dir.path(), &options).expect("fifty hooks")
    };
    let mut group = criterion.benchmark_group("load 50");
    group.sample_size(10);
    group.bench_function("cold", |b| b.iter(|| load(CacheChoice::None)));
    let cache = tempfile::tempdir().expect("a directory");
    let cached = || CacheChoice::Dir(cache.path().join("compiled"));
    load(cached());
    group.sample_size(20);
    group.bench_function("cached", |b| b.iter(|| load(cached())));
    group.finish();
}
