//! Changes hooks while they are in use.

use std::time::{Duration, Instant};

use portcullis::Verdict;
use portcullis::points::Point;
use portcullis::verdict::Digest;

use crate::component;

/// The maximum wait: far longer than any wait takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Returns a component that differs from another only in its digest: it has an additional section
/// with a name and no content.
pub fn variant(name: &str, mark: &str) -> Vec<u8> {
    let mut bytes = std::fs::read(component(name)).expect("a component");
    let len = u8::try_from(mark.len()).expect("a short mark");
    assert!(len < 0x7f, "lengths are of one byte here");
    bytes.extend([0, len + 1, len]);
    bytes.extend(mark.as_bytes());
    bytes
}

/// Returns the digest of the component that answered first.
pub fn digest<P: Point>(verdict: &Verdict<P>) -> Digest {
    verdict.runs[0].component.expect("a component")
}

/// Waits until a value is present, for at most 30 seconds.
pub async fn soon<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < PATIENCE, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
