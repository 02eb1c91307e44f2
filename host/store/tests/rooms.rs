//! The crate's modules import one way.

use std::path::Path;

use portcullis_rooms::{documented, violations};

/// The crate's rooms, lowest first, as its documentation lists them.
const CRATE: &[&[&str]] = &[
    &["error", "queue", "sql", "url"],
    &["sqlite"],
    &["database"],
    &["migrate", "old_feeds", "writing"],
    &["hosts"],
    &["store"],
    &["recordings"],
    &[
        "checkpoints",
        "feed",
        "jobs",
        "journal",
        "memory",
        "sessions",
        "state",
        "turns",
    ],
];

#[test]
fn rooms_use_only_lower_rooms() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let violations = violations(&src, "", CRATE).unwrap();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    assert_eq!(documented(&src.join("lib.rs")).unwrap(), CRATE);
}
