//! The metrics that the book names, so that tests set each of them.

use std::path::Path;

/// The processes that have a metric, as the book documents them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Has {
    /// The daemon alone.
    Daemon,
    /// All processes.
    All,
}

/// Returns the metrics in the book, by their Prometheus names.
pub fn documented(has: Has) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operator/telemetry.md");
    let page = std::fs::read_to_string(page).unwrap();
    let table = page.split("\n## Metrics\n").nth(1).unwrap();
    let table = table.split("\n## ").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = rows.map(|row| row.split(" | ").next().unwrap());
    let rows = rows.filter(|row| row.contains("(daemon)") == (has == Has::Daemon));
    let names = rows.flat_map(|row| row.split('`').step_by(2));
    let names: Vec<_> = names.map(str::to_owned).collect();
    assert!(names.len() > 3, "{names:?}");
    names
}

/// Returns the documented metrics without a value in a Prometheus text, and the metrics in the text
/// that the book does not name.
pub fn differences(text: &str, has: Has) -> Vec<String> {
    let is_set = |name: &String| {
        let mut lines = text
            .lines()
            .filter_map(|line| line.strip_prefix(name.as_str()));
        lines.any(|rest| rest.starts_with(['{', ' ']) || rest.starts_with("_count"))
    };
    let unset = documented(has).into_iter().filter(|name| !is_set(name));
    let unset = unset.map(|name| format!("`{name}` is not set"));
    let known = [documented(Has::Daemon), documented(Has::All)].concat();
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let names = types.filter_map(|line| line.split(' ').next());
    let unknown = names.filter(|name| *name != "target_info" && !known.iter().any(|k| k == name));
    let unknown = unknown.map(|name| format!("`{name}` is not in the book"));
    unset.chain(unknown).collect()
}
