//! A recording that an earlier version wrote stays readable. Never change the file; add one for a new format.

use std::path::Path;

use portcullis::json::JsonPoint;
use portcullis::points::{PointId, PointVisitor};
use portcullis_recording::{RecordingError, read};
use serde_json::Value;

/// How many calls it has, how many of them are refusals, and how often state was read or written.
const CALLS: usize = 141;
const REFUSED: usize = 2;
const READS: usize = 32;

/// The demo's calls, in the first format.
fn first() -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/format-1.block");
    std::fs::read(file).unwrap()
}

struct IsSubject(Value);

impl PointVisitor for IsSubject {
    type Output = serde_json::Result<()>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        serde_json::from_value::<P::Subject>(self.0).map(drop)
    }
}

#[test]
fn the_first_format_is_read() {
    let calls = read(7, &first()).unwrap();
    assert_eq!(calls.len(), CALLS);
    let mut refused = 0;
    let mut reads = 0;
    for call in &calls {
        assert_eq!(call.host, 7);
        call.views().unwrap();
        let point = PointId::from_name(&call.point).unwrap();
        point.visit(IsSubject(call.subject.clone())).unwrap();
        assert!(call.outcome.fuel.is_some_and(|fuel| fuel > 0));
        assert!(call.context.is_some());
        let completed = call.outcome.status.get("completed");
        refused += usize::from(completed.is_some_and(|of| of["outcome"] == "reject"));
        reads += call.world.calls.len();
    }
    assert_eq!((refused, reads), (REFUSED, READS));
    let guarded = calls
        .iter()
        .find(|call| call.setup.hook.as_str() == "input-guardrail")
        .unwrap();
    assert!(guarded.setup.of.config["patterns"].is_array());
    assert!(!guarded.views().unwrap().content.is_empty());
}

#[test]
fn what_is_damaged_or_newer_is_an_error() {
    assert!(matches!(
        read(1, b"no block"),
        Err(RecordingError::Damaged(_))
    ));
    let mut cut = first();
    cut.truncate(cut.len() / 2);
    assert!(matches!(read(1, &cut), Err(RecordingError::Damaged(_))));
    let newer = lz4_flex::block::compress_prepend_size(b"9\n");
    let error = read(1, &newer).unwrap_err();
    assert!(error.to_string().contains("update portcullis"), "{error}");
}
