//! How long tests take.
//!
//! The standard test harness tells it on nightly only. It starts its tests in the order of their
//! names, as many at once as it has threads, and the next one whenever one ends: so the times of its
//! lines tell when each test began.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, thread};

/// How many tests [`slowest`] names.
const SHOWN: usize = 20;

/// Where the times are kept until they are shown.
fn file(root: &Path) -> PathBuf {
    root.join("target").join("test-times")
}

/// Forgets the times of the last run.
pub fn forget(root: &Path) {
    // There may be none.
    let _ = fs::remove_file(file(root));
}

/// The programs whose tests run one after another, whatever the arguments say.
const ONE_BY_ONE: [&str; 2] = ["attack", "fuzz"];

/// How many tests of a program run at once.
pub(super) fn threads(binary: &str, arguments: &[String]) -> usize {
    if ONE_BY_ONE.contains(&binary) {
        return 1;
    }
    let argument = arguments
        .iter()
        .find_map(|argument| argument.strip_prefix("--test-threads="));
    let said = argument.map(str::to_owned);
    let said = said.or_else(|| env::var("RUST_TEST_THREADS").ok());
    said.and_then(|said| said.parse().ok())
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
}

/// How long each test took, of those that `names` lists in the order they were started.
pub(super) fn durations(
    names: &[&str],
    ended: &[(String, Duration)],
    threads: usize,
) -> Vec<(String, Duration)> {
    let order: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let took = ended.iter().filter_map(|(name, end)| {
        // The first ones start at once, and each other one when another ends.
        let waited = order.get(name.as_str())?.checked_sub(threads);
        let start = match waited {
            None => Duration::ZERO,
            Some(before) => ended.get(before)?.1,
        };
        Some((name.clone(), end.saturating_sub(start)))
    });
    took.collect()
}

pub(super) fn keep(root: &Path, binary: &str, whole: Duration, tests: &[(String, Duration)]) {
    let mut text = format!("{binary}\t\t{}\n", whole.as_millis());
    for (name, took) in tests {
        text.push_str(&format!("{binary}\t{name}\t{}\n", took.as_millis()));
    }
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(file(root));
    if let Err(cause) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
        eprintln!("test: the times of {binary} are not kept: {cause}");
    }
}

/// What took longest in the last run, for people; `None` if nothing ran.
pub fn slowest(root: &Path) -> Option<String> {
    let kept = fs::read_to_string(file(root)).ok()?;
    let (mut programs, mut tests) = (Vec::new(), Vec::new());
    for line in kept.lines() {
        let mut parts = line.split('\t');
        let (binary, name) = (parts.next()?, parts.next()?);
        let millis: u64 = parts.next()?.parse().ok()?;
        match name {
            "" => programs.push((millis, binary.to_owned())),
            name => tests.push((millis, format!("{binary}: {name}"))),
        }
    }
    let mut text = String::new();
    for (title, mut rows, most) in [
        ("test programs", programs, SHOWN / 2),
        ("tests", tests, SHOWN),
    ] {
        rows.sort_by(|a, b| b.cmp(a));
        text.push_str(&format!(
            "\nslowest {title} (seconds, other tests beside them)\n"
        ));
        for (millis, name) in rows.into_iter().take(most) {
            let seconds = Duration::from_millis(millis).as_secs_f64();
            text.push_str(&format!("{seconds:8.1}  {name}\n"));
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_begins_when_another_ends() {
        let seconds = Duration::from_secs;
        let names = ["a", "b", "c", "d"];
        let ended = [("b", 1), ("c", 4), ("a", 5), ("d", 6)];
        let ended = ended.map(|(name, end)| (name.to_owned(), seconds(end)));
        let took = durations(&names, &ended, 2);
        let expected = [("b", 1), ("c", 3), ("a", 5), ("d", 2)];
        assert_eq!(
            took,
            expected.map(|(name, took)| (name.to_owned(), seconds(took)))
        );
    }
}
