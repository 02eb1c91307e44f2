//! A hook's maximum cost, in plain words.

use portcullis::contract::ExecutionPolicy;
use portcullis::report::HookReport;

use crate::terminal::{Printable, units};

/// Returns the most that a hook may use: time, memory, servers and the model.
pub fn cost(report: &HookReport) -> Vec<String> {
    let limits = &report.limits;
    let waits = match report.execution {
        ExecutionPolicy::Blocking | ExecutionPolicy::Deadline => "the agent waits",
        ExecutionPolicy::FireAndRecord | ExecutionPolicy::Background => "the agent does not wait",
    };
    let fuel = match limits.fuel {
        Some(fuel) => format!("at most {} units of fuel a call", units::count(fuel)),
        None => "fuel without a limit".to_owned(),
    };
    let mut cost = vec![
        format!(
            "{waits}: at most {} ms of computing a call, {} ms with waiting",
            millis(limits.deadline.as_millis()),
            millis(limits.wall.as_millis())
        ),
        format!(
            "{fuel}, and at most {} of memory",
            units::bytes(limits.memory_bytes as u64)
        ),
    ];
    if report.needs("state") || report.needs("shared-state") {
        cost.push(format!(
            "at most {} in {} keys of each namespace of state",
            units::bytes(limits.state_bytes as u64),
            units::count(limits.state_keys as u64)
        ));
    }
    if report.needs("http") {
        cost.push(format!(
            "at most {} requests a call, {} sent and {} received",
            units::count(limits.http_requests),
            units::bytes(limits.http_request_bytes),
            units::bytes(limits.http_response_bytes)
        ));
    }
    if let Some(model) = &report.grants.model
        && report.needs("model")
    {
        cost.push(format!(
            "at most {} tokens of the agent's model a turn",
            units::count(model.tokens.get())
        ));
    }
    let shared = &report.shared;
    cost.push(format!(
        "with all other hooks at most {} ms and {} units of fuel a turn",
        millis(shared.turn_hooks_ms),
        units::count(shared.turn_fuel)
    ));
    cost
}

/// Returns milliseconds in the form of a report's numbers.
pub fn millis(ms: u128) -> Printable {
    units::count(u64::try_from(ms).unwrap_or(u64::MAX))
}
