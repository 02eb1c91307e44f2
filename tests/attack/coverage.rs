//! Each line in the list of attacks that broke other hosts is covered by a named attack.

use std::collections::BTreeSet;

use libtest_mimic::Failed;
use portcullis_attack::attacks;

/// The attacks that broke public hosts of untrusted code, and the complaints of hook users.
const LINES: &[&str] = &[
    // Computing.
    "endless loop in the call",
    "endless loop in the start function",
    "endless loop in cabi_realloc",
    "endless loop in post-return",
    "huge memory.copy",
    "deep recursion",
    // Waiting.
    "sleep on the clock",
    "1 byte/s HTTP",
    "a poll that is never ready",
    "millions of cheap host calls",
    // Memory.
    "many memories each under the cap",
    "table growth",
    "handle leaks",
    "allocation bomb at start",
    "memory mappings until the kernel gives no more",
    // The boundary.
    "2 GiB string",
    "a list whose elements alias one buffer",
    "bad UTF-8",
    "bad discriminant",
    "bad pointer",
    "oversized result",
    // Answers and facts, which are host calls.
    "more than one answer in a call",
    "an answer at the wrong time or place",
    "facts of another call",
    "contributions without end",
    // Output.
    "log flood",
    "ANSI and newline injection",
    "forged JSON-RPC on stdout",
    "an error text that says fuel",
    // Traps.
    "on the Nth call",
    "while holding a guest lock",
    "during a host call",
    "future dropped mid-call",
    // Isolation.
    "50 hooks with one spinning and no false timeouts",
    "a secret left in memory by session A is not readable by B",
    "an import that was not granted",
    // The loader.
    "file cut off mid-copy",
    "symlink swapped",
    "native code renamed .wasm",
    "core module instead of component",
    "unknown import",
    "a hook that nobody trusted",
    "WIT version skew",
    "duplicate ids",
    "file changed between check and load",
    "a small component that is large to the compiler",
    "hostile schemas",
    "compiled code of another user",
    // Configuration.
    "zero",
    "negative",
    "overflowing budgets",
    "a deadline below one tick",
    "settings that cannot be read",
    // Merging. `order_properties` tests that the order is stable.
    "a refusal is never cleared",
    "disabling an observer never changes a verdict",
    "an answer that is not allowed changes nothing",
    "a hook changes only the keys of the agent's state that it was granted",
    "a hook fills the agent's state no further than its limits",
];

pub fn every_line_is_covered() -> Result<(), Failed> {
    let covered: BTreeSet<String> = attacks()?
        .into_iter()
        .map(|attack| attack.header.covers)
        .collect();
    let lines: BTreeSet<String> = LINES.iter().map(|line| (*line).to_owned()).collect();
    if covered == lines {
        return Ok(());
    }
    let missing: Vec<_> = lines.difference(&covered).collect();
    let unknown: Vec<_> = covered.difference(&lines).collect();
    Err(format!("not covered: {missing:?}; of no line: {unknown:?}").into())
}
