//! The metrics that the book names, so that tests set each of them.

use std::path::Path;

/// Who has a metric, as the book says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Has {
    /// The daemon alone.
    Daemon,
    /// Everybody.
    All,
}

/// The metrics that the book names, as Prometheus names them.
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

/// The documented metrics of which a text of Prometheus has no value, and the other way round.
pub fn differences(text: &str, documented: &[String]) -> Vec<String> {
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let set: Vec<_> = types.filter_map(|line| line.split(' ').next()).collect();
    let is_set = |name: &String| {
        let samples = [
            format!("{name}{{"),
            format!("{name} "),
            format!("{name}_count"),
        ];
        text.lines()
            .any(|line| samples.iter().any(|sample| line.starts_with(sample)))
    };
    let unset = documented.iter().filter(|name| !is_set(name));
    let unset = unset.map(|name| format!("`{name}` is not set"));
    let is_known = |name: &&&str| **name == "target_info" || documented.iter().any(|d| d == **name);
    let undocumented = set.iter().filter(|name| !is_known(name));
    let undocumented = undocumented.map(|name| format!("`{name}` is not in the book"));
    unset.chain(undocumented).collect()
}
