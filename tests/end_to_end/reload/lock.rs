//! Directories whose components are pinned.

use portcullis::hooks::LoadFault;
use portcullis::reload::ChangeKind;
use portcullis::settings::Settings;
use portcullis::{LoadOptions, SessionOptions};
use portcullis_tests::{HooksDir, cache, digest, probe, variant};

use super::{done, of_file, say, told};

/// Pins the present components.
fn pin(dir: &HooksDir) {
    let settings = Settings::of_dir(dir.path()).expect("settings");
    let options = LoadOptions {
        cache: cache(),
        ..LoadOptions::default()
    };
    let lock = portcullis::lock::lock(dir.path(), &settings, &options).expect("a lock");
    lock.write(dir.path()).expect("written");
}

#[tokio::test]
async fn a_changed_file_takes_effect_once_it_is_pinned() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"count\""));
    let old = of_file(&dir, "probe.wasm");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    say(&session).await;
    pin(&dir);
    assert!(matches!(
        hooks.reload(),
        portcullis::reload::Reload::Unchanged
    ));
    assert_eq!(hooks.reports()[0].pin, portcullis::hooks::Pin::Pinned);
    dir.put("probe.wasm", &variant("probe", "new"));
    dir.put("tiny.wasm", &variant("tiny", "new"));
    let kept = done(hooks.reload());
    assert!(kept.changes.is_empty(), "{kept:?}");
    let faults: Vec<_> = kept.errors.iter().map(|error| &error.fault).collect();
    assert!(
        matches!(
            faults[..],
            [LoadFault::OtherDigest { .. }, LoadFault::NotLocked { .. }]
        ),
        "{faults:?}"
    );
    let (verdict, said) = say(&session).await;
    assert_eq!((digest(&verdict), said.as_str()), (old, "2"));
    pin(&dir);
    let reloaded = done(hooks.reload());
    let both = [("probe", ChangeKind::Changed), ("tiny", ChangeKind::Added)];
    assert_eq!(
        (told(&reloaded.changes), reloaded.errors.len()),
        (both.to_vec(), 0)
    );
    assert_eq!(digest(&say(&session).await.0), of_file(&dir, "probe.wasm"));
}

#[tokio::test]
async fn a_pinned_file_that_is_taken_away_goes_on_until_the_lock_lets_it_go() {
    let dir = HooksDir::new().with("tiny").with("sleeper");
    pin(&dir);
    let hooks = dir.load();
    dir.take("sleeper.wasm");
    let kept = done(hooks.reload());
    assert_eq!((kept.changes.len(), kept.kept.len()), (0, 1));
    assert!(
        matches!(kept.errors[0].fault, LoadFault::Gone { .. }),
        "{kept:?}"
    );
    assert_eq!(hooks.reports().len(), 2);
    pin(&dir);
    let removed = done(hooks.reload());
    assert_eq!(told(&removed.changes), [("sleeper", ChangeKind::Removed)]);
    assert_eq!(removed.disarmed().count(), 1);
}
