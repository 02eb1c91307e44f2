//! The crate's modules import one way.

use std::path::Path;

use portcullis_rooms::{documented, violations};

/// The crate's rooms, lowest first, as its documentation lists them.
const CRATE: &[&[&str]] = &[
    &["text", "events", "fragment"],
    &["dialect"],
    &["event"],
    &["progress", "verdict", "answer"],
    &["flow"],
    &["claude", "codex", "gemini"],
    &["handle"],
    &["session"],
    &["script"],
];

#[test]
fn rooms_use_only_lower_rooms() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let violations = violations(&src, "", CRATE).unwrap();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    assert_eq!(documented(&src.join("lib.rs")).unwrap(), CRATE);
}
