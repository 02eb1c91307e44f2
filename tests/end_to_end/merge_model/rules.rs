//! The rules of the merge, on one page: the expected result of a chain, hook by hook.

use portcullis::approval::ApprovalDecision;
use portcullis::contract::{FailurePolicy, HookRole};
use portcullis::hooks::Mode;

use super::{Came, Link, MOST_CHANGES, Move, id};

/// Returns the expected result of a chain.
pub fn come(links: &[Link], value: &str, person: &[ApprovalDecision]) -> Came {
    let mut came = Came {
        decision: "passed".into(),
        value: value.into(),
        ..Came::default()
    };
    let mut person = person.iter();
    let mut changes = 0;
    let mut asks = decide(links, &mut came);
    while came.decision == "passed" && !asks.is_empty() {
        let by = asks.remove(0);
        match person.next().unwrap_or(&ApprovalDecision::Approve) {
            ApprovalDecision::Approve => {}
            ApprovalDecision::Defer => came.decision = format!("pending by {by}"),
            ApprovalDecision::Edit(new) if changes < MOST_CHANGES && Move::fits(new) => {
                // The whole chain sees the value, and no hook asks twice about the same value.
                came.value.clone_from(new);
                changes += 1;
                asks = decide(links, &mut came);
                if came.value == *new {
                    asks.retain(|asking| *asking != by);
                }
            }
            ApprovalDecision::Deny(_)
            | ApprovalDecision::Unanswered(_)
            | ApprovalDecision::Edit(_) => {
                came.decision = format!("rejected by {by}");
            }
        }
    }
    // Observers see the decision, and do not run before there is one.
    if !came.decision.starts_with("pending") {
        for (at, link) in links.iter().enumerate().filter(|(_, link)| !link.decides()) {
            let run = match link.does {
                Move::Fail => "guest-error",
                Move::Continue => "continue",
                _ => "bad-output",
            };
            came.runs.push(format!("{}: {run}", id(at)));
        }
    }
    came
}

/// Runs the hooks that decide, in order. Returns those that ask a person.
fn decide(links: &[Link], came: &mut Came) -> Vec<String> {
    let (mut replaced, mut asks) = (false, Vec::new());
    for (at, link) in links.iter().enumerate().filter(|(_, link)| link.decides()) {
        let id = id(at);
        let enforced = link.mode == Mode::Enforce;
        // A decision is final. A guard that an answer skips is reported.
        if came.decision != "passed" {
            if came.decision.starts_with("answered") {
                came.told.push(format!("{id}: answered, false"));
            }
            came.runs.push(format!("{id}: skipped"));
            continue;
        }
        // An answer that the role forbids is a failure. After a replace every hook has the role of
        // a gate, but a forbidden answer is then no failure.
        let gate_may = matches!(link.does, Move::Continue | Move::Reject | Move::Ask);
        let failure = match &link.does {
            Move::Fail => Some("guest-error"),
            _ if link.role == HookRole::Gate && !gate_may => Some("bad-output"),
            // In audit mode too, since the hook would have failed.
            Move::Transform(new) | Move::Replace(new) if !replaced && !Move::fits(new) => {
                Some("bad-output")
            }
            _ => None,
        };
        if let Some(cause) = failure {
            let fatal = enforced && link.failure == FailurePolicy::FailClosed;
            came.told.push(format!("{id}: {cause}, {fatal}"));
            came.runs.push(format!("{id}: {cause}"));
            if fatal {
                came.decision = format!("failed by {id}");
            }
            continue;
        }
        if enforced && replaced && !gate_may {
            came.told.push(format!("{id}: replaced, false"));
            came.runs.push(format!("{id}: not applied"));
            continue;
        }
        came.runs.push(format!("{id}: {}", link.does.name()));
        match &link.does {
            _ if !enforced => {}
            Move::Continue | Move::Fail => {}
            Move::Transform(new) => came.value.clone_from(new),
            Move::Replace(new) => {
                came.value.clone_from(new);
                replaced = true;
            }
            Move::Ask => asks.push(id),
            Move::Reject => came.decision = format!("rejected by {id}"),
            Move::Answer => came.decision = format!("answered by {id}"),
        }
    }
    asks
}
