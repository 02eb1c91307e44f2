//! The list of attacks.

use crate::attack::{Attack, HeaderError};
use crate::guest::Guest;

macro_rules! attacks {
    ($($path:literal,)*) => {
        /// Every attack's file, by category and name.
        const FILES: &[(&str, &str)] =
            &[$(($path, include_str!(concat!("../attacks/", $path, ".wat"))),)*];
    };
}

attacks! {
    "cpu/endless-loop",
    "cpu/endless-loop-by-the-clock",
    "cpu/endless-loop-by-fuel",
    "cpu/loop-in-start",
    "cpu/loop-in-start-later",
    "cpu/loop-in-describe",
    "cpu/loop-in-realloc",
    "cpu/loop-in-post-return",
    "cpu/huge-memory-copy",
    "cpu/huge-memory-fill",
    "cpu/huge-memory-copy-with-fuel",
    "cpu/huge-table-fill",
    "cpu/deep-recursion",
    "cpu/deep-recursion-by-table",
    "cpu/fat-frames",
    "cpu/tail-calls-for-ever",
    "cpu/tail-calls-for-ever-by-the-clock",
    "cpu/branch-table-storm",
    "cpu/many-small-functions",
    "cpu/slow-divisions",
    "waiting/sleep-on-the-clock",
    "waiting/sleep-for-all-time",
    "waiting/sleep-in-slices",
    "waiting/sleep-in-start",
    "waiting/never-ready-poll",
    "waiting/poll-of-nothing",
    "waiting/poll-of-a-hundred-thousand",
    "waiting/millions-of-cheap-host-calls",
    "waiting/millions-of-host-calls-by-the-clock",
    "waiting/millions-of-expensive-host-calls",
    "waiting/millions-of-questions-about-the-model",
    "waiting/millions-of-reads",
    "waiting/millions-of-facts",
    "waiting/millions-of-facts-by-the-clock",
    "waiting/read-from-stdin",
    "waiting/http-byte-by-byte",
    "memory/grow-to-the-end",
    "memory/grow-page-by-page",
    "memory/grow-64-bits",
    "memory/many-memories",
    "memory/many-memories-from-the-start",
    "memory/sixty-four-memories",
    "memory/more-mappings-than-it-may",
    "memory/more-mappings-than-are-left",
    "memory/many-instances",
    "memory/table-growth",
    "memory/table-growth-with-fuel",
    "memory/many-tables",
    "memory/table-from-the-start",
    "memory/handle-leak",
    "memory/stream-leak",
    "memory/slow-handle-leak",
    "memory/allocation-bomb-at-start",
    "memory/allocation-bomb-in-start",
    "memory/slow-leak",
    "memory/facts-that-fill-it",
    "memory/hoard-in-state",
    "boundary/two-gibibyte-string",
    "boundary/four-gibibyte-string",
    "boundary/string-at-the-last-byte",
    "boundary/string-round-the-corner",
    "boundary/aliased-elements",
    "boundary/bad-utf-8",
    "boundary/half-a-character",
    "boundary/surrogate",
    "boundary/bad-discriminant",
    "boundary/true-by-two",
    "boundary/true-by-minus-one",
    "boundary/bad-part-discriminant",
    "boundary/bad-option-discriminant",
    "boundary/bad-execution",
    "boundary/bad-pointer",
    "boundary/answer-at-the-edge",
    "boundary/misaligned-pointer",
    "boundary/facts-out-of-bounds",
    "boundary/facts-at-the-edge",
    "boundary/misaligned-list",
    "boundary/oversized-result",
    "boundary/huge-list-count",
    "boundary/negative-list-count",
    "boundary/list-whose-size-overflows",
    "boundary/many-empty-elements",
    "boundary/nested-lists",
    "boundary/host-call-with-a-bad-pointer",
    "boundary/host-call-with-bad-utf-8",
    "boundary/host-call-with-a-bad-level",
    "boundary/oversized-host-argument",
    "boundary/unknown-handle",
    "boundary/handle-closed-twice",
    "boundary/realloc-out-of-bounds",
    "boundary/realloc-misaligned",
    "boundary/realloc-at-the-last-byte",
    "boundary/realloc-over-its-own-code",
    "boundary/realloc-that-calls-out",
    "boundary/realloc-that-grows",
    "answers/two-refusals",
    "answers/transform-then-refuse",
    "answers/refuse-then-transform",
    "answers/two-transforms",
    "answers/million-answers",
    "answers/million-large-answers",
    "answers/fail-then-refuse",
    "answers/refuse-then-fail",
    "answers/two-failures",
    "answers/answer-and-false",
    "answers/transform-and-false",
    "answers/failure-and-false",
    "answers/true-without-an-answer",
    "answers/observer-that-says-it-answered",
    "answers/observer-that-fails",
    "answers/contribution-then-refuse",
    "answers/refuse-then-contribution",
    "answers/contribution-then-failure",
    "answers/failure-then-contribution",
    "answers/contribution-and-false",
    "answers/contributions-as-many-as-it-may",
    "answers/contributions-one-too-many",
    "answers/contributions-without-end",
    "answers/contributions-of-huge-size",
    "answers/contributions-of-empty-tools",
    "answers/refuse-then-trap",
    "answers/refuse-then-trap-failing-open",
    "answers/refuse-then-spin",
    "answers/refuse-then-sleep",
    "answers/transform-then-trap",
    "answers/answer-then-exit",
    "answers/contribution-then-trap",
    "answers/answer-in-describe",
    "answers/failure-in-describe",
    "answers/contribution-in-describe",
    "answers/answer-in-start",
    "answers/answer-in-start-later",
    "answers/answer-in-realloc",
    "answers/answer-in-post-return",
    "answers/answer-at-another-point",
    "answers/answer-at-another-point-that-it-serves",
    "answers/contribution-at-another-point",
    "answers/answer-not-granted",
    "answers/facts-in-describe",
    "answers/facts-in-start",
    "answers/facts-in-start-later",
    "answers/facts-in-realloc",
    "answers/context-in-describe",
    "answers/facts-of-another-point",
    "answers/facts-of-another-point-that-it-serves",
    "output/log-flood",
    "output/log-flood-of-empty-lines",
    "output/log-line-of-three-mebibytes",
    "output/ansi-in-the-log",
    "output/ansi-in-the-failure",
    "output/ansi-in-a-configuration-error",
    "output/ansi-in-the-refusal",
    "output/ansi-in-the-id",
    "output/ansi-in-an-import",
    "output/ansi-in-an-event",
    "output/hidden-characters-in-the-log",
    "output/hidden-characters-in-the-failure",
    "output/event-flood",
    "output/forged-json-rpc",
    "output/zeroes-on-stdout",
    "output/failure-that-says-fuel",
    "output/refusal-that-says-fuel",
    "output/trap-that-says-fuel",
    "output/exit-with-success",
    "traps/unreachable",
    "traps/on-the-tenth-call",
    "traps/division-by-zero",
    "traps/integer-overflow",
    "traps/float-to-integer",
    "traps/out-of-bounds",
    "traps/out-of-bounds-by-offset",
    "traps/indirect-call-of-another-type",
    "traps/indirect-call-of-nothing",
    "traps/indirect-call-out-of-bounds",
    "traps/while-holding-a-lock",
    "traps/in-the-middle-of-a-host-call",
    "traps/dropped-in-the-middle",
    "traps/in-post-return",
    "traps/in-start",
    "isolation/one-of-fifty-spins",
    "isolation/one-of-fifty-sleeps",
    "isolation/secret-in-memory",
    "isolation/secret-in-a-global",
    "isolation/secret-in-new-pages",
    "isolation/secret-in-state",
    "isolation/state-of-another-hook",
    "isolation/shared-state-without-a-grant",
    "isolation/state-without-a-grant",
    "isolation/agent-state-without-a-grant",
    "isolation/agent-state-of-another",
    "isolation/model-without-a-grant",
    "isolation/view-without-a-grant",
    "isolation/view-between-calls",
    "isolation/state-after-a-trap",
    "loader/schema-without-end",
    "loader/schema-of-three-mebibytes",
    "loader/schema-that-is-its-own-part",
    "loader/schema-from-elsewhere",
    "loader/schema-whose-pattern-is-tried-in-every-way",
    "loader/schema-that-clears-the-screen",
    "loader/runs-after-what-clears-the-screen",
    "loader/cut-off",
    "loader/cut-off-in-its-header",
    "loader/link-to-a-device",
    "loader/link-to-nothing",
    "loader/link-swapped",
    "loader/changes-while-it-is-loaded",
    "loader/native-code",
    "loader/native-code-of-a-mac",
    "loader/shell-script",
    "loader/core-module",
    "loader/unknown-layer",
    "loader/unknown-import",
    "loader/unknown-function",
    "loader/answer-that-does-not-exist",
    "loader/answer-of-another-type",
    "loader/answer-that-returns",
    "loader/facts-that-do-not-exist",
    "loader/version-of-the-future",
    "loader/version-of-the-past",
    "loader/import-of-the-future",
    "loader/unknown-point",
    "loader/wrong-signature",
    "loader/no-describe",
    "loader/duplicate-ids",
    "loader/id-of-another",
    "loader/empty",
    "loader/pipe",
    "loader/directory",
    "loader/huge",
    "loader/id-with-a-path",
    "loader/id-without-end",
    "loader/points-mismatch",
    "loader/claims-a-thousand-points",
    "loader/components-in-components",
    "loader/compiler-takes-gigabytes",
    "loader/cache-of-another",
    "loader/instantiations-that-double",
    "loader/waited-for-by-nobody",
    "loader/after-fifty-thousand-others",
    "loader/description-of-three-mebibytes",
    "config/zero-fuel",
    "config/settings-pipe",
    "config/settings-device",
    "config/settings-mistakes",
    "config/negative-deadline",
    "config/zero-memory",
    "config/overflowing-memory",
    "config/overflowing-fuel",
    "config/overflowing-deadline",
    "config/fuel-in-words",
    "config/misspelt-limit",
    "config/misspelt-answer",
    "config/deadline-below-a-tick",
    "config/deadline-below-a-tick-of-the-good",
    "config/most-of-everything",
    "config/least-of-everything",
    "config/observer-that-fails-closed",
    "merge/observer-that-refuses",
    "merge/observer-that-traps",
    "merge/observer-that-spins",
    "merge/gate-that-transforms",
    "merge/gate-that-answers",
    "merge/edit-of-no-message",
    "merge/half-of-an-edit",
    "merge/ten-thousand-edits",
    "merge/schema-that-multiplies",
    "merge/tool-nobody-offers",
    "merge/arguments-against-the-schema",
    "merge/arguments-too-many",
    "merge/arguments-that-are-no-json",
    "merge/arguments-of-a-million-brackets",
    "merge/contribution-without-a-grant",
    "merge/contribution-of-another-kind",
    "merge/contribution-that-is-no-json",
    "merge/temperature-that-is-no-number",
    "merge/temperature-below-zero",
    "merge/tool-offered-fifty-thousand-times",
    "merge/agent-state-without-end",
    "merge/agent-state-of-huge-size",
    "merge/agent-state-by-a-gate",
    "merge/replace-before-a-guard",
    "merge/replace-before-a-transform",
    "merge/answer-behind-a-guard",
    "merge/failure-behind-a-guard",
    "trust/unnamed-that-replaces",
    "trust/unnamed-before-a-guard",
    "trust/unnamed-that-reads-the-conversation",
    "trust/unnamed-with-state",
    "trust/unnamed-with-the-id-of-another",
    "trust/another-file-with-the-id-of-a-removed-one",
}

/// The healthy hooks beside every attack.
pub(crate) const HEALTHY: &[(&str, &str)] = &[
    ("neighbour", include_str!("../healthy/neighbour.wat")),
    ("witness", include_str!("../healthy/witness.wat")),
];

/// Returns all attacks, by category.
///
/// # Errors
///
/// A file's header is not valid: a bug in the kit.
pub fn attacks() -> Result<Vec<Attack>, HeaderError> {
    FILES
        .iter()
        .map(|(path, text)| Attack::read(path, text))
        .collect()
}

/// Returns the files of all attacks, by category and name.
pub(crate) const fn files() -> &'static [(&'static str, &'static str)] {
    FILES
}

/// Returns the healthy hooks.
pub(crate) fn healthy() -> Result<Vec<(&'static str, Guest)>, HeaderError> {
    HEALTHY
        .iter()
        .map(|(name, text)| Ok((*name, Attack::read(name, text)?.guest)))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_is_in_the_list() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("attacks");
        let mut there = BTreeSet::new();
        for category in std::fs::read_dir(&dir).expect("the attacks") {
            let category = category.expect("an entry").path();
            for file in std::fs::read_dir(&category).expect("a category") {
                let path = file.expect("an entry").path().with_extension("");
                let path = path.strip_prefix(&dir).expect("a path in it").to_owned();
                there.insert(path.to_str().expect("a name").to_owned());
            }
        }
        let listed: BTreeSet<_> = FILES.iter().map(|(path, _)| (*path).to_owned()).collect();
        assert_eq!(there, listed);
    }

    #[test]
    fn every_attack_can_be_read_and_has_a_name_of_its_own() {
        let attacks = attacks().expect("headers");
        let names: BTreeSet<_> = attacks.iter().map(|attack| &attack.name).collect();
        assert_eq!(names.len(), attacks.len());
        for attack in &attacks {
            assert!(
                attack.guest.bytes().is_ok(),
                "{}: {:?}",
                attack.name,
                attack.guest.bytes()
            );
        }
    }
}
