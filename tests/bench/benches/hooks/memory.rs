//! The memory of a warm instance.

use futures::FutureExt;
use portcullis::SessionOptions;
use portcullis_tests::{HooksDir, resident, tool_call};

/// Returns the resident bytes of one warm instance, averaged over a thousand, or `None` if they
/// cannot be read.
pub fn bytes_of_a_warm_instance() -> Option<u64> {
    const SESSIONS: u64 = 1_000;
    let hooks = HooksDir::new().with("tiny").load();
    let warm = |index: u64| {
        let session = hooks.session(SessionOptions::new(format!("session-{index}")));
        let mut call = tool_call("{\"path\":\"a\"}");
        session
            .run(&mut call)
            .now_or_never()
            .expect("nothing to wait for");
        session
    };
    let first = warm(SESSIONS);
    let before = resident()?;
    let sessions: Vec<_> = (0..SESSIONS).map(warm).collect();
    let after = resident()?;
    drop((first, sessions));
    Some(after.saturating_sub(before) / SESSIONS)
}
