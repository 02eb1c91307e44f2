//! The names of stop reasons in WIT.

use portcullis::contract::StopReason;

const NAMES: &[(StopReason, &str)] = &[
    (StopReason::EndTurn, "end-turn"),
    (StopReason::MaxTokens, "max-tokens"),
    (StopReason::StopSequence, "stop-sequence"),
    (StopReason::ToolUse, "tool-use"),
    (StopReason::Refusal, "refusal"),
];

/// Returns the name of a reason, or the provider's words.
pub(crate) fn name(reason: &StopReason) -> &str {
    match reason {
        StopReason::Other(words) => words,
        known => {
            let found = NAMES.iter().find(|(reason, _)| reason == known);
            found.map_or("", |(_, name)| name)
        }
    }
}

/// Returns the reason with this name, or else a reason in the provider's words.
pub(crate) fn from_name(name: &str) -> StopReason {
    let found = NAMES.iter().find(|(_, known)| *known == name);
    found.map_or_else(
        || StopReason::Other(name.to_owned()),
        |(reason, _)| reason.clone(),
    )
}
