//! Directories that are watched.

use std::io::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use portcullis::reload::{ChangeKind, Listening, Reload, WatchOptions};
use portcullis::{Hooks, SessionOptions};
use portcullis_tests::{HooksDir, digest, probe, soon, variant};

use super::{of_file, say, told};

const OFTEN: WatchOptions = WatchOptions {
    settle: Duration::from_millis(150),
    poll: Duration::from_millis(200),
};

/// All reload events.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<Reload>>>);

impl Heard {
    fn of(hooks: &Hooks) -> (Self, Listening) {
        let heard = Self::default();
        let all = heard.clone();
        let listening = hooks.on_reload(move |reload| all.0.lock().unwrap().push(reload.clone()));
        (heard, listening)
    }

    fn all(&self) -> Vec<Reload> {
        self.0.lock().unwrap().clone()
    }

    /// Returns the nth event.
    async fn nth(&self, n: usize) -> Reload {
        soon("a reload", || self.all().get(n).cloned()).await
    }
}

#[tokio::test]
async fn a_change_is_seen_and_told_to_those_who_listen() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"remember\""));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    say(&session).await;
    let (heard, _listening) = Heard::of(&hooks);
    let watch = hooks.watch(OFTEN).expect("a watch");
    dir.put("probe.wasm", &variant("probe", "new"));
    let done = super::done(heard.nth(0).await);
    assert_eq!(told(&done.changes), [("probe", ChangeKind::Changed)]);
    let (verdict, said) = say(&session).await;
    assert_eq!(
        (digest(&verdict), said.as_str()),
        (of_file(&dir, "probe.wasm"), "2")
    );
    dir.put("hooks.toml", b"nonsense");
    assert!(super::refused(heard.nth(1).await).contains("hooks.toml"));
    // A file that belongs to no hook is ignored.
    dir.put("notes.txt", b"buy milk");
    drop(watch);
    dir.put("hooks.toml", probe("").as_bytes());
    tokio::time::sleep(OFTEN.settle * 4).await;
    assert_eq!(heard.all().len(), 2, "nobody is watching");
}

#[tokio::test]
async fn what_changed_before_it_was_watched_is_seen_too() {
    let dir = HooksDir::new().with("tiny");
    let hooks = dir.load();
    dir.put("tiny.wasm", &variant("tiny", "new"));
    let (heard, _listening) = Heard::of(&hooks);
    let _watch = hooks.watch(OFTEN).expect("a watch");
    super::done(heard.nth(0).await);
}

#[tokio::test]
async fn a_file_that_is_being_copied_is_loaded_once_it_is_whole() {
    let dir = HooksDir::new().with("probe").settings(&probe(""));
    let old = of_file(&dir, "probe.wasm");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    let (heard, _listening) = Heard::of(&hooks);
    let _watch = hooks
        .watch(WatchOptions {
            settle: Duration::from_millis(600),
            ..OFTEN
        })
        .expect("a watch");
    let new = variant("probe", "new");
    // As `cp` does it: the existing file is truncated, then written piece by piece.
    let mut file = std::fs::File::create(dir.path().join("probe.wasm")).expect("a file");
    for piece in new.chunks(new.len() / 10) {
        file.write_all(piece).expect("written");
        tokio::time::sleep(Duration::from_millis(50)).await;
        if heard.all().is_empty() {
            assert_eq!(digest(&say(&session).await.0), old);
        }
    }
    drop(file);
    let last = soon("the new one", || {
        heard.all().into_iter().find_map(|reload| match reload {
            Reload::Done(done) if !done.changes.is_empty() => Some(done),
            _ => None,
        })
    })
    .await;
    assert!(last.errors.is_empty());
    assert_eq!(digest(&say(&session).await.0), of_file(&dir, "probe.wasm"));
}

#[tokio::test]
async fn a_directory_that_is_put_in_the_place_of_another_is_seen() {
    let dir = HooksDir::new();
    let (here, new) = (dir.path().join("hooks"), dir.path().join("new"));
    for path in [&here, &new] {
        std::fs::create_dir(path).expect("a directory");
        std::fs::write(path.join("hooks.toml"), "[hooks.tiny]\n").expect("a file");
    }
    std::fs::write(here.join("tiny.wasm"), variant("tiny", "1")).expect("a file");
    std::fs::write(new.join("tiny.wasm"), variant("tiny", "2")).expect("a file");
    let options = portcullis::LoadOptions {
        cache: portcullis_tests::cache(),
        ..portcullis::LoadOptions::default()
    };
    let hooks = Hooks::load(&here, &options).expect("hooks");
    let (heard, _listening) = Heard::of(&hooks);
    let _watch = hooks.watch(OFTEN).expect("a watch");
    std::fs::rename(&here, dir.path().join("old")).expect("renamed");
    std::fs::rename(&new, &here).expect("renamed");
    soon("the new directory", || {
        heard
            .all()
            .into_iter()
            .find(|reload| matches!(reload, Reload::Done(done) if !done.changes.is_empty()))
    })
    .await;
}
