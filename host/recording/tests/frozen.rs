//! A recording that an earlier version wrote stays readable. Never change the file; add one for a new format.

use std::path::Path;

use portcullis::json::JsonPoint;
use portcullis::points::{PointId, PointVisitor};
use portcullis_recording::{Block, Identities, Recipient, RecordingError, Summary, read};
use serde_json::Value;

/// The numbers of calls, of refusals among them, and of reads or writes of state.
const CALLS: usize = 141;
const REFUSED: usize = 2;
const READS: usize = 32;

fn at(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/frozen")
        .join(name)
}

/// Returns a block of the demo's calls, in the first format.
fn first() -> Vec<u8> {
    std::fs::read(at("format-1.block")).unwrap()
}

/// Returns the same block, as another program encrypted it for two keys.
fn encrypted() -> Vec<u8> {
    std::fs::read(at("format-1.age")).unwrap()
}

fn of(file: &str) -> Identities {
    let mut identities = Identities::default();
    identities.read(&at(file)).unwrap();
    identities
}

fn none() -> Identities {
    Identities::default()
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
    let calls = read(7, &first(), &none()).unwrap();
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
        read(1, b"no block", &none()),
        Err(RecordingError::Damaged(_))
    ));
    let mut cut = first();
    cut.truncate(cut.len() / 2);
    assert!(matches!(
        read(1, &cut, &none()),
        Err(RecordingError::Damaged(_))
    ));
    let newer = lz4_flex::block::compress_prepend_size(b"9\n");
    let error = read(1, &newer, &none()).unwrap_err();
    assert!(error.to_string().contains("update portcullis"), "{error}");
}

/// The crate `age` wrote the file, with its usual random stanza that is for no recipient.
#[test]
fn what_age_encrypted_is_read_with_either_key() {
    let plain = read(7, &first(), &none()).unwrap();
    for key in ["age.identity", "second.identity"] {
        let calls = read(7, &encrypted(), &of(key)).unwrap();
        assert_eq!(calls.len(), plain.len());
        for (call, plain) in calls.iter().zip(&plain) {
            assert_eq!(call.outcome, plain.outcome);
        }
    }
}

fn block(bytes: Vec<u8>) -> Block {
    Block {
        summary: Summary::default(),
        raw: bytes.len(),
        contents: Vec::new(),
        bytes,
    }
}

/// Returns a block that is larger than a chunk of age.
fn large() -> Block {
    let text = format!("1\n{}", "#\n".repeat(1 << 17));
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    // LZ4 with literals alone: the block is not compressed.
    bytes.push(0xf0);
    let mut left = text.len() - 15;
    while left >= 255 {
        bytes.push(255);
        left -= 255;
    }
    bytes.push(left as u8);
    bytes.extend_from_slice(text.as_bytes());
    block(bytes)
}

#[test]
fn every_error_of_an_encrypted_recording_is_its_own() {
    let mine = of("age.identity");
    let recipients: Vec<Recipient> = mine.recipients().cloned().collect();
    let plain = large().bytes;
    assert!(plain.len() > 200_000);
    let sealed = large().encrypted(&recipients).unwrap().bytes;
    assert!(sealed.starts_with(b"age-encryption.org/v1\n-> X25519 "));
    assert!(!sealed.windows(8).any(|bytes| bytes == b"#\n#\n#\n#\n"));
    assert_eq!(read(1, &sealed, &mine).unwrap().len(), 0);
    // A second encryption has other random numbers.
    let again = large().encrypted(&recipients).unwrap().bytes;
    assert_ne!(sealed[100..], again[100..]);

    let read = |bytes: &[u8], identities: &Identities| read(1, bytes, identities).unwrap_err();
    assert_eq!(read(&sealed, &none()), RecordingError::NoIdentity);
    let other = of("second.identity");
    assert_eq!(read(&sealed, &other), RecordingError::OtherIdentity);
    // A bit after the keys is changed, a part is missing, or two parts are swapped.
    let header = sealed
        .windows(4)
        .position(|bytes| bytes == b"\n---")
        .unwrap();
    for at in [header + 6, header + 60, 70_000, sealed.len() - 1] {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        let error = read(&changed, &mine);
        assert!(
            matches!(error, RecordingError::DamagedFile(_)),
            "{at}: {error}"
        );
    }
    let chunk = (64 << 10) + 16;
    for length in [
        header,
        header + 50,
        header + 60,
        sealed.len() - 1,
        sealed.len() - chunk,
    ] {
        let error = read(&sealed[..length], &mine);
        assert!(
            matches!(error, RecordingError::DamagedFile(_)),
            "{length}: {error}"
        );
    }
    let begin = sealed.len() - 3 * chunk;
    let mut swapped = sealed.clone();
    swapped[begin..begin + chunk].copy_from_slice(&sealed[begin + chunk..begin + 2 * chunk]);
    let error = read(&swapped, &mine);
    assert!(matches!(error, RecordingError::DamagedFile(_)), "{error}");
}

#[test]
fn blocks_of_every_length_come_back() {
    let mine = of("age.identity");
    let recipients: Vec<Recipient> = mine.recipients().cloned().collect();
    // The decrypted content is not a block, and the error says so: decryption succeeded.
    for length in [0, 1, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 128 << 10] {
        let sealed = block(vec![7; length]).encrypted(&recipients).unwrap();
        let error = read(1, &sealed.bytes, &mine).unwrap_err();
        assert!(
            matches!(error, RecordingError::Damaged(_)),
            "{length}: {error}"
        );
    }
}

#[test]
fn a_key_that_is_none_is_refused_and_never_shown() {
    let recipient = of("age.identity").recipients().next().unwrap().to_string();
    assert!(recipient.starts_with("age1"));
    let mut mistyped = recipient.clone();
    mistyped.replace_range(10..11, if &recipient[10..11] == "q" { "p" } else { "q" });
    for wrong in [
        mistyped.as_str(),
        "",
        "age1",
        "ssh-ed25519 AAAA",
        "age1yubikey1qqqq",
    ] {
        let error = wrong.parse::<Recipient>().unwrap_err();
        assert!(
            error.to_string().contains("`age-keygen -y FILE`"),
            "{error}"
        );
    }
    assert!(recipient.parse::<Recipient>().is_ok());
    let text = std::fs::read_to_string(at("age.identity")).unwrap();
    let secret = text.lines().find(|line| line.starts_with("AGE")).unwrap();
    let error = secret.parse::<Recipient>().unwrap_err();
    assert!(
        error.to_string().contains("a secret key is no recipient"),
        "{error}"
    );
    assert!(!error.to_string().contains(&secret[20..30]), "{error}");
    let shown = format!("{:?}", of("age.identity"));
    assert_eq!(shown, format!("[{recipient}]"));

    let dir = std::env::temp_dir();
    let file = dir.join(format!("portcullis-{}.identity", std::process::id()));
    for (wrong, why) in [
        ("# nothing\n", "no identity"),
        (&*format!("\n{}x\n", secret), "line 2"),
        (&*recipient, "line 1"),
    ] {
        std::fs::write(&file, wrong).unwrap();
        let error = Identities::default().read(&file).unwrap_err().to_string();
        assert!(
            error.contains(why) && error.contains("age-keygen"),
            "{error}"
        );
        assert!(!error.contains(&secret[20..30]), "{error}");
    }
    std::fs::remove_file(&file).unwrap();
    let error = Identities::default().read(&file).unwrap_err();
    assert!(matches!(error, RecordingError::Identity { .. }), "{error}");
}
