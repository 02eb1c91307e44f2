//! The points there are, by name. A new point has a line here and a row in the table of
//! `portcullis-sdk`'s `points`.

/// Every lifecycle point, as the contract writes it.
pub const POINTS: &[&str] = &[
    "session-start",
    "session-end",
    "pre-turn",
    "post-turn",
    "turn-error",
    "turn-suspended",
    "turn-resumed",
    "prompt-policy",
    "prompt-context",
    "prompt-recall",
    "prompt-tools",
    "prompt-compile",
    "pre-step",
    "post-step",
    "pre-llm-call",
    "llm-delta",
    "post-llm-call",
    "llm-error",
    "pre-tool-call",
    "tool-update",
    "tool-update-sent",
    "post-tool-call",
    "state-changed",
    "message-added",
    "pre-subagent",
    "post-subagent",
    "pre-compaction",
    "post-compaction",
    "turn-stopping",
    "workspace-opened",
    "workspace-closed",
    "workspace-evicted",
    "workspace-eviction-retried",
    "workspace-snapshotted",
];

/// The point that a method of this name serves.
pub fn of_method(method: &str) -> Option<&'static str> {
    POINTS
        .iter()
        .copied()
        .find(|point| method_of(point) == method)
}

/// The methods there may be, by name.
pub fn methods() -> impl Iterator<Item = String> {
    POINTS.iter().map(|point| method_of(point))
}

fn method_of(point: &str) -> String {
    point.replace('-', "_")
}

#[cfg(test)]
mod tests;
