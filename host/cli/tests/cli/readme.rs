//! What the README says of points, limits and hooks is what the library has.

use std::fs;

use portcullis::points::{FailureRule, Order, OutcomeKind, PointId};
use portcullis::{
    CAPABILITIES, Cause, EngineOptions, Limits, Permission, QuarantineOptions, TurnLimits,
};

use crate::support::ids;

fn readme() -> String {
    fs::read_to_string(xtask::root().join("README.md")).expect("the README")
}

/// The cells of the table row that begins with this name.
fn row(readme: &str, name: &str) -> Vec<String> {
    let begin = format!("| `{name}` |");
    let row = readme.lines().find(|line| line.starts_with(&begin));
    let row = row.unwrap_or_else(|| panic!("no row for `{name}`"));
    row.split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[test]
fn points() {
    let readme = readme();
    for point in PointId::ALL {
        let row = row(&readme, point.name());
        let letters: Vec<&str> = point
            .info()
            .outcomes
            .iter()
            .map(|kind| match kind {
                OutcomeKind::Continue => "C",
                OutcomeKind::Transform => "T",
                OutcomeKind::Reject => "X",
                OutcomeKind::Replace => "P",
                OutcomeKind::Answer => "A",
                OutcomeKind::Ask => "K",
                OutcomeKind::Stop => "S",
                OutcomeKind::KeepGoing => "G",
                OutcomeKind::Contribute => "+",
            })
            .collect();
        let said = row[3].split(" (").next().unwrap_or_default();
        assert_eq!(said, letters.join(" "), "{point}");
        let order = match point.info().order {
            Order::Forward => "forward",
            Order::Reverse => "reverse",
        };
        assert_eq!(row[4], order, "{point}");
        let failure = match point.info().failure {
            FailureRule::Refuses => "refuses",
            FailureRule::Fails => "fails",
            FailureRule::NeverFatal => "is recorded, never fatal",
        };
        assert!(row[5].ends_with(failure), "{point}: {}", row[5]);
    }
}

#[test]
fn causes() {
    let readme = readme();
    for cause in Cause::ALL {
        row(&readme, cause.code());
    }
}

#[test]
fn limits() {
    let readme = readme();
    let limits = Limits::default();
    for (key, default) in [
        ("fuel", limits.fuel.unwrap_or_default()),
        ("deadline-ms", limits.deadline.as_millis() as u64),
        ("wall-ms", limits.wall.as_millis() as u64),
        ("memory-bytes", limits.memory_bytes as u64),
        ("host-calls", limits.host_calls),
        ("table-elements", limits.table_elements as u64),
        ("instances", limits.instances as u64),
        ("handles", limits.handles as u64),
        ("output-bytes", limits.output_bytes as u64),
        ("log-bytes", limits.log_bytes as u64),
        ("log-lines", limits.log_lines as u64),
        ("event-bytes", limits.event_bytes as u64),
        ("contributions", limits.contributions as u64),
        ("state-bytes", limits.state_bytes as u64),
        ("state-keys", limits.state_keys as u64),
        ("http-requests", limits.http.requests),
        ("http-concurrent", limits.http.concurrent as u64),
        ("http-request-bytes", limits.http.request_bytes),
        ("http-response-bytes", limits.http.response_bytes),
        ("http-header-bytes", limits.http.header_bytes as u64),
        ("http-connect-ms", limits.http.connect.as_millis() as u64),
        (
            "http-first-byte-ms",
            limits.http.first_byte.as_millis() as u64,
        ),
        (
            "http-between-bytes-ms",
            limits.http.between_bytes.as_millis() as u64,
        ),
        ("http-total-ms", limits.http.total.as_millis() as u64),
    ] {
        // The table of limits comes behind that of causes, which has a `fuel` too.
        let (_, table) = readme.split_once("| limit |").expect("the table of limits");
        let said = row(table, key)[3].replace(',', "");
        let said = said.split(' ').next().unwrap_or_default();
        assert_eq!(said, default.to_string(), "{key}");
    }
}

#[test]
fn what_all_hooks_share() {
    let readme = readme();
    let (engine, turn) = (EngineOptions::default(), TurnLimits::default());
    let quarantine = QuarantineOptions::default();
    for (key, default) in [
        ("[engine] tick-ms", engine.tick.as_millis() as u64),
        ("[engine] compile-ms", engine.compile.as_millis() as u64),
        ("[engine] component-bytes", engine.component_bytes),
        ("[engine] concurrent-calls", engine.concurrent_calls as u64),
        ("[engine] queued-calls", engine.queued_calls as u64),
        ("[turn] hooks-ms", turn.hooks.as_millis() as u64),
        ("[turn] fuel", turn.fuel),
        ("[quarantine] failures", quarantine.failures.into()),
        ("[quarantine] seconds", quarantine.period.as_secs()),
    ] {
        let said = row(&readme, key)[3].replace(',', "");
        let said = said.split(' ').next().unwrap_or_default();
        assert_eq!(said, default.to_string(), "{key}");
    }
}

#[test]
fn capabilities_and_examples() {
    let readme = readme();
    for capability in CAPABILITIES {
        if capability.permission != Permission::None {
            let name = capability.interface.trim_start_matches("portcullis:hooks/");
            assert_eq!(row(&readme, name)[2], capability.lets, "{name}");
        }
    }
    for id in ids() {
        row(&readme, &id);
    }
}
