//! The durations of tests.
//!
//! The standard test harness reports durations on nightly only. It starts its tests in the order of
//! their names, as many at once as it has threads, and the next one whenever one ends. The times of
//! its lines therefore show when each test began.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, thread};

/// The number of tests that [`slowest`] names.
const SHOWN: usize = 20;

/// Returns the file that keeps the times until they are shown.
fn file(root: &Path) -> PathBuf {
    root.join("target").join("test-times")
}

/// Removes the times of the last run.
pub fn forget(root: &Path) {
    // The file may not exist.
    let _ = fs::remove_file(file(root));
}

/// The programs whose tests run one after another, regardless of the arguments.
const ONE_BY_ONE: [&str; 2] = ["attack", "fuzz"];

/// Returns the number of a program's tests that run at once.
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

/// Returns the duration of each test, of those that `names` lists in the order they were started.
pub(super) fn durations(
    names: &[&str],
    ended: &[(String, Duration)],
    threads: usize,
) -> Vec<(String, Duration)> {
    let order: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let took = ended.iter().filter_map(|(name, end)| {
        // The first tests start at once, and each other one when another ends.
        let waited = order.get(name.as_str())?.checked_sub(threads);
        let start = match waited {
            None => Duration::ZERO,
            Some(before) => ended.get(before)?.1,
        };
        Some((name.clone(), end.saturating_sub(start)))
    });
    took.collect()
}

/// Returns the processor time of all ended child processes and their descendants, or zero where the
/// system does not report it.
pub(super) fn of_children() -> Duration {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
            return Duration::ZERO;
        };
        let part = |time: nix::sys::time::TimeVal| {
            let micros = i128::from(time.tv_sec()) * 1_000_000 + i128::from(time.tv_usec());
            Duration::from_micros(u64::try_from(micros).unwrap_or_default())
        };
        part(usage.user_time()) + part(usage.system_time())
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

/// Records the durations of a program and its tests, and the program's processor time.
pub(super) fn keep(
    root: &Path,
    binary: &str,
    whole: Duration,
    computed: Duration,
    tests: &[(String, Duration)],
) {
    let computed = computed.as_millis();
    let mut text = format!("{binary}\t\t{}\t{computed}\n", whole.as_millis());
    for (name, took) in tests {
        text.push_str(&format!("{binary}\t{name}\t{}\t\n", took.as_millis()));
    }
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(file(root));
    if let Err(cause) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
        eprintln!("test: the times of {binary} are not kept: {cause}");
    }
}

/// Returns the slowest tests of the last run, for people, or `None` if nothing ran.
pub fn slowest(root: &Path) -> Option<String> {
    let kept = fs::read_to_string(file(root)).ok()?;
    let (mut programs, mut tests) = (Vec::new(), Vec::new());
    for line in kept.lines() {
        let mut parts = line.split('\t');
        let (binary, name) = (parts.next()?, parts.next()?);
        let millis: u64 = parts.next()?.parse().ok()?;
        match name {
            "" => {
                let computed: u64 = parts.next()?.parse().ok()?;
                programs.push((millis, format!("{:8.1}  {binary}", seconds(computed))));
            }
            name => tests.push((millis, format!("  {binary}: {name}"))),
        }
    }
    let mut text = String::new();
    for (title, mut rows, most) in [
        (
            "test programs (seconds, and of all processors)",
            programs,
            SHOWN / 2,
        ),
        ("tests (seconds, other tests beside them)", tests, SHOWN),
    ] {
        rows.sort_by(|a, b| b.cmp(a));
        text.push_str(&format!("\nslowest {title}\n"));
        for (millis, name) in rows.into_iter().take(most) {
            text.push_str(&format!("{:8.1}{name}\n", seconds(millis)));
        }
    }
    Some(text)
}

fn seconds(millis: u64) -> f64 {
    Duration::from_millis(millis).as_secs_f64()
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
