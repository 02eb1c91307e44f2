//! Files that do not load: the hook keeps running as it was.

use portcullis::SessionOptions;
use portcullis::reload::{ChangeKind, Reload};
use portcullis_tests::{HooksDir, digest, probe, variant};

use super::{done, of_file, say, told};

#[tokio::test]
async fn a_file_that_is_cut_off_anywhere_leaves_the_old_one_running() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"count\""));
    let old = of_file(&dir, "probe.wasm");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    assert_eq!(say(&session).await.1, "1");
    let whole = variant("probe", "new");
    for (n, end) in [
        0,
        4,
        9,
        whole.len() / 10,
        whole.len() / 2,
        whole.len() - 200,
    ]
    .into_iter()
    .enumerate()
    {
        dir.put("probe.wasm", &whole[..end]);
        let kept = done(hooks.reload());
        assert!(
            kept.changes.is_empty() && kept.errors.len() == 1,
            "{end}: {kept:?}"
        );
        assert_eq!(
            (kept.kept[0].hook.as_str(), kept.kept[0].component),
            ("probe", old)
        );
        assert!(
            kept.errors[0].to_string().contains("probe.wasm"),
            "{kept:?}"
        );
        let (verdict, said) = say(&session).await;
        assert_eq!(
            (digest(&verdict), said),
            (old, (n + 2).to_string()),
            "{end}: with its instance"
        );
        assert_eq!(hooks.broken().len(), 1);
    }
    dir.put("probe.wasm", &whole);
    let fixed = done(hooks.reload());
    assert_eq!(
        (told(&fixed.changes), fixed.errors.len()),
        (vec![("probe", ChangeKind::Changed)], 0)
    );
    assert_eq!(digest(&say(&session).await.0), of_file(&dir, "probe.wasm"));
    assert!(hooks.broken().is_empty());
}

#[tokio::test]
async fn other_files_take_effect_beside_one_that_does_not_load() {
    let dir = HooksDir::new()
        .with("probe")
        .with("tiny")
        .settings(&probe(""));
    let hooks = dir.load();
    dir.put("probe.wasm", b"nonsense");
    dir.put("nobody.wasm", b"nonsense");
    dir.put("tiny.wasm", &variant("tiny", "new"));
    let reloaded = done(hooks.reload());
    assert_eq!(told(&reloaded.changes), [("tiny", ChangeKind::Changed)]);
    assert_eq!((reloaded.kept.len(), reloaded.errors.len()), (1, 2));
    // With its previous content, it is the same hook.
    dir.put(
        "probe.wasm",
        &std::fs::read(portcullis_tests::component("probe")).expect("a file"),
    );
    dir.take("nobody.wasm");
    let fixed = done(hooks.reload());
    assert!(fixed.changes.is_empty() && fixed.errors.is_empty());
    assert!(matches!(hooks.reload(), Reload::Unchanged));
}

#[tokio::test]
async fn a_hook_keeps_the_settings_that_it_loaded_with() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"transform one\""));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    dir.put("probe.wasm", b"nonsense");
    dir.put(
        "hooks.toml",
        probe("pre-turn = \"transform two\"").as_bytes(),
    );
    assert_eq!(done(hooks.reload()).kept.len(), 1);
    assert_eq!(say(&session).await.1, "one");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_is_not_followed_out_and_takes_effect_when_it_is_turned_within() {
    use std::os::unix::fs::symlink;
    let settings = "[integrity]\nsymlinks = true\n".to_owned() + &probe("");
    let dir = HooksDir::new().settings(&settings);
    std::fs::create_dir(dir.path().join("versions")).expect("a directory");
    dir.put("versions/1", &variant("probe", "1"));
    dir.put("versions/2", &variant("probe", "2"));
    let turn = |to: &str| {
        let (link, at) = (dir.path().join("link"), dir.path().join("probe.wasm"));
        symlink(to, &link)
            .and_then(|()| std::fs::rename(&link, &at))
            .expect("a link");
    };
    turn("versions/1");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    assert_eq!(digest(&say(&session).await.0), of_file(&dir, "versions/1"));
    turn("versions/2");
    assert_eq!(
        told(&done(hooks.reload()).changes),
        [("probe", ChangeKind::Changed)]
    );
    assert_eq!(digest(&say(&session).await.0), of_file(&dir, "versions/2"));
    let outside = HooksDir::new().with("probe");
    for to in [outside.path().join("probe.wasm"), "versions/none".into()] {
        turn(to.to_str().expect("text"));
        let kept = done(hooks.reload());
        assert_eq!((kept.kept.len(), kept.changes.len()), (1, 0), "{kept:?}");
        assert_eq!(digest(&say(&session).await.0), of_file(&dir, "versions/2"));
    }
}
