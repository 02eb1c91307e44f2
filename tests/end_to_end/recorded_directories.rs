//! Directories of recorded calls: their contents are restored when the calls are replayed.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use portcullis::SessionOptions;
use portcullis::observer::TracingSink;
use portcullis::recording::CallRecording;
use portcullis_agent::{JournalObserver, SavedSession, SessionStore as _};
use portcullis_store::{Identities, RecordingFilter, RecordingOptions, Redaction, Rule, Store};
use portcullis_tests::{HooksDir, cache, component, turn};
use portcullis_workbench::case::of_recorded;
use portcullis_workbench::replay::{ReplayOptions, ReplayReport, replay};
use portcullis_workbench::{Sample, SampleOptions, Suite};
use serde_json::json;
use tokio::task::block_in_place;

/// Creates a hooks directory with a directory to read and one to write.
fn dir() -> HooksDir {
    let dir = HooksDir::new()
        .with("filer")
        .settings("[hooks.filer.grants]\nread = [\"in\"]\nwrite = [\"out\"]\n");
    for name in ["in/deep", "out"] {
        fs::create_dir_all(dir.path().join(name)).expect("a directory");
    }
    fs::write(dir.path().join("in/a.txt"), "within").expect("a file");
    fs::write(dir.path().join("in/deep/b.txt"), "below").expect("a file");
    dir
}

fn with_directories(bytes: usize) -> CallRecording {
    CallRecording::WithDirectories(NonZeroUsize::new(bytes).expect("some"))
}

fn options() -> RecordingOptions {
    RecordingOptions {
        calls: with_directories(1_000),
        ..RecordingOptions::default()
    }
}

/// Performs these actions in one session, with its calls recorded. A line that begins with `!` is a
/// write of another process to a file.
pub(crate) async fn record(
    dir: &Path,
    options: RecordingOptions,
    lines: &[&str],
) -> anyhow::Result<(Store, RecordingFilter)> {
    let store = Store::temporary()?;
    let journal = store.journal()?.recording(store.recorder(options)?);
    let hooks = portcullis::Hooks::load(
        dir,
        &portcullis::LoadOptions {
            cache: cache(),
            ..portcullis::LoadOptions::default()
        },
    )?;
    let to = Arc::new(TracingSink);
    let session = hooks.session(SessionOptions {
        sink: Arc::new(JournalObserver::new(to, Some(Arc::new(journal.clone())))),
        ..SessionOptions::new("s")
    });
    for line in lines {
        match line.strip_prefix('!').and_then(|line| line.split_once(' ')) {
            Some((file, text)) => fs::write(dir.join(file), text)?,
            None => drop(session.run(&mut turn(line)).await),
        }
    }
    block_in_place(|| journal.flush())?;
    Ok((store, RecordingFilter::default()))
}

fn again(store: &Store, filter: &RecordingFilter) -> anyhow::Result<ReplayReport> {
    let options = ReplayOptions {
        cache: cache(),
        ..ReplayOptions::new(component("filer"), "filer".into())
    };
    block_in_place(|| Ok(replay(store.recorded_calls(filter)?.calls, &options)?))
}

const LINES: [&str; 12] = [
    "read in/a.txt",
    "list in",
    "!in/a.txt changed",
    "!in/c.txt new",
    "read in/a.txt",
    "list in",
    "write out/b.txt first",
    "read out/b.txt",
    "!out/b.txt second",
    "read out/b.txt",
    "list out",
    "read in/none.txt",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_call_finds_the_files_that_it_found() -> anyhow::Result<()> {
    let dir = dir();
    let (store, filter) = record(dir.path(), options(), &LINES).await?;
    // The present contents of the directory are not read.
    fs::remove_dir_all(dir.path().join("in"))?;
    fs::write(dir.path().join("out/b.txt"), "later")?;
    let report = again(&store, &filter)?;
    assert_eq!((report.calls, report.identical), (9, 9), "{report:#?}");
    assert_eq!(report.fuel.recorded, report.fuel.now);
    assert_eq!(report, again(&store, &filter)?);
    // Unchanged contents are kept once, for any number of calls.
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    let mut contents: Vec<&[u8]> = calls[0]
        .contents
        .values()
        .map(|content| &**content)
        .collect();
    contents.sort_unstable();
    let texts = ["below", "changed", "first", "new", "second", "within"];
    assert_eq!(contents, texts.map(str::as_bytes));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_reads_what_it_wrote_itself_and_what_others_wrote() -> anyhow::Result<()> {
    let dir = dir();
    let (store, filter) = record(dir.path(), options(), &LINES).await?;
    let mut calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    // As if another version wrote another content.
    let wrote = calls.iter_mut().find(|call| {
        call.views["content"]
            .to_string()
            .contains("write out/b.txt")
    });
    let wrote = wrote.expect("a call that writes");
    let said = json!([{ "Text": "write out/b.txt other" }]);
    assert_eq!(
        wrote.views["content"].pointer("/0/Text"),
        Some(&json!("write out/b.txt first"))
    );
    wrote.views.insert("content".to_owned(), Arc::new(said));
    let options = ReplayOptions {
        cache: cache(),
        ..ReplayOptions::new(component("filer"), "filer".into())
    };
    let report = block_in_place(|| replay(calls, &options))?;
    let differing: Vec<_> = report
        .differences
        .iter()
        .map(|difference| (&difference.recorded, &difference.now))
        .collect();
    // The hook writes another file, and reads it. Then others had written there.
    let [(then, now), (read, reads)] = differing[..] else {
        panic!("{report:#?}");
    };
    assert!(then.files["out/b.txt"].starts_with("5 bytes, "), "{then:?}");
    assert_ne!(then.files, now.files);
    assert_eq!(then.value, now.value);
    assert!(
        read.value
            .as_ref()
            .is_some_and(|value| value.to_string().contains("first"))
    );
    assert!(
        reads
            .value
            .as_ref()
            .is_some_and(|value| value.to_string().contains("other"))
    );
    assert_eq!((report.identical, report.changed), (7, 2));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_kept_of_directories_is_counted_with_its_reason() -> anyhow::Result<()> {
    let small = RecordingOptions {
        calls: with_directories(10),
        ..options()
    };
    let binary = RecordingOptions {
        redaction: Redaction::new(vec![Rule::new("with[a-z]+")?]),
        ..options()
    };
    for (options, file, reason) in [
        (
            RecordingOptions::default(),
            &b""[..],
            "`directories = true`",
        ),
        (small, b"", "more than 10 bytes (`directory-bytes`)"),
        (
            binary,
            b"\xffwithin",
            "no text, and has what must not be kept",
        ),
    ] {
        let dir = dir();
        fs::write(dir.path().join("in/z"), file)?;
        let (store, filter) = record(dir.path(), options, &["read in/a.txt"]).await?;
        let report = again(&store, &filter)?;
        assert_eq!(report.replayed, 0, "{reason}");
        let why: Vec<_> = report.not_replayed.keys().collect();
        assert!(why[0].contains(reason), "{why:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_operators_rules_find_in_files_is_not_kept() -> anyhow::Result<()> {
    let dir = dir();
    let options = RecordingOptions {
        redaction: Redaction::new(vec![Rule::new("with[a-z]+")?]),
        ..options()
    };
    let (store, filter) = record(dir.path(), options, &["read in/deep/b.txt"]).await?;
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    let mut contents = calls[0].contents.values();
    assert!(calls[0].redacted);
    assert!(contents.any(|content| **content == *b"[redacted]"));
    assert!(!contents.any(|content| **content == *b"within"));
    let report = again(&store, &filter)?;
    assert_eq!(report.replayed, 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_encrypted_and_deleted_with_their_calls() -> anyhow::Result<()> {
    let dir = dir();
    let recipient = "age1xq62y3649cyrdm9jdmd9dg2hut28wfuhzfl2pwujzgjfax9pdays2089ez";
    let options = RecordingOptions {
        recipients: vec![recipient.parse()?],
        ..options()
    };
    let (store, filter) = record(dir.path(), options, &LINES).await?;
    assert!(block_in_place(|| store.recorded_calls(&filter)).is_err());
    let mut identities = Identities::default();
    let frozen = portcullis_tests::root().join("host/recording/tests/frozen/age.identity");
    identities.read(&frozen)?;
    let filter = RecordingFilter {
        identities: Arc::new(identities),
        ..filter
    };
    assert_eq!(again(&store, &filter)?.identical, 9);
    let kept = || block_in_place(|| store.recording_totals());
    assert!(kept()?.bytes > 0);
    let sessions = store.sessions();
    let session = SavedSession {
        id: "s".to_owned(),
        agent: "a".to_owned(),
        user: None,
        working_dir: None,
        turns: 1,
        messages: 0,
        data: json!(null),
    };
    sessions.open(session.clone()).await?;
    sessions.save(session).await?;
    sessions.close("s").await?;
    assert_eq!(sessions.delete("s", false).await?.recorded_calls, 9);
    assert_eq!(kept()?, portcullis_store::RecordingTotals::default());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_call_with_files_makes_a_case_that_passes() -> anyhow::Result<()> {
    let dir = dir();
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.txt", dir.path().join("in/link"))?;
    let (store, filter) = record(dir.path(), options(), &["read in/a.txt"]).await?;
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    let case = of_recorded(&calls[0])?;
    assert!(case.contains("\"in/deep/b.txt\" = \"below\""), "{case}");
    #[cfg(unix)]
    assert!(
        case.starts_with("# Links and") && case.contains("\"in/link\""),
        "{case}"
    );
    let cases = tempfile::tempdir()?;
    fs::write(cases.path().join("case.toml"), case)?;
    let report = block_in_place(|| {
        let options = SampleOptions {
            cache: cache(),
            ..SampleOptions::default()
        };
        let sample = Sample::open(&component("filer"), &options)?;
        anyhow::Ok(Suite::new(cases.path()).run(&sample)?)
    })?;
    assert!(report.passed(), "{:#?}", report.cases);
    Ok(())
}
