//! The reloads that change nothing.

use portcullis::SessionOptions;
use portcullis::reload::Reload;
use portcullis_tests::{HooksDir, digest, hook, renamed, variant};

use super::{done, of_file, refused, say};

/// Returns the settings of two probes, of which `bravo` runs behind `alpha`.
fn two(more: &str) -> String {
    hook("alpha", "", "pre-turn = \"append -a\"")
        + &hook("bravo", "after = [\"alpha\"]", "pre-turn = \"append -b\"")
        + more
}

#[tokio::test]
async fn what_is_wrong_with_the_whole_leaves_the_whole_as_it_was() {
    type Action = fn(&HooksDir);
    let actions: [(&str, Action, &str); 9] = [
        (
            "settings that are none",
            |d| d.put("hooks.toml", b"[hooks.alpha"),
            "hooks.toml",
        ),
        (
            "a setting that is misspelt",
            |d| d.put("hooks.toml", two("[trun]\n").as_bytes()),
            "`turn`",
        ),
        (
            "a hook that never was",
            |d| d.put("hooks.toml", two("[hooks.alpa]\n").as_bytes()),
            "there is no hook `alpa`",
        ),
        (
            "another engine",
            |d| d.put("hooks.toml", two("[engine]\nfuel = false\n").as_bytes()),
            "restart it",
        ),
        (
            "a cycle",
            |d| {
                let cycle =
                    two("").replace("[hooks.alpha]\n", "[hooks.alpha]\nafter = [\"bravo\"]\n");
                d.put("hooks.toml", cycle.as_bytes());
            },
            "waits for itself",
        ),
        (
            "a dependency that is gone",
            |d| d.take("alpha.wasm"),
            "runs after `alpha`",
        ),
        (
            "an id that is there twice",
            |d| d.put("zulu.wasm", &renamed("probe", "alpha")),
            "has the id `alpha`",
        ),
        (
            "a lock that is none",
            |d| d.put("hooks.lock", b"version = 9\n"),
            "hooks.lock",
        ),
        (
            "a lock that must be there",
            |d| {
                d.put(
                    "hooks.toml",
                    two("[integrity]\nlock = \"required\"\n").as_bytes(),
                )
            },
            "has no hooks.lock",
        ),
    ];
    for (name, action, said) in actions {
        let dir = HooksDir::new()
            .with_renamed("probe", "alpha")
            .with_renamed("probe", "bravo")
            .settings(&two(""));
        let bravo = of_file(&dir, "bravo.wasm");
        let hooks = dir.load();
        let session = hooks.session(SessionOptions::new("test"));
        // A hook that would load is not applied either.
        let mut new = renamed("probe", "bravo");
        new.extend(b"\0\x02\x01n");
        dir.put("bravo.wasm", &new);
        action(&dir);
        let text = refused(hooks.reload());
        assert!(text.contains(said), "{name}: {text}");
        let (verdict, said) = say(&session).await;
        assert_eq!(said, "hello-a-b", "{name}");
        assert_eq!(verdict.runs[1].component, Some(bravo), "{name}");
        assert_eq!(
            digest(&verdict),
            of_file(&dir_with_alpha(), "alpha.wasm"),
            "{name}"
        );
    }
}

fn dir_with_alpha() -> HooksDir {
    HooksDir::new().with_renamed("probe", "alpha")
}

#[tokio::test]
async fn a_directory_that_is_gone_leaves_all_as_it_was() {
    let dir = HooksDir::new().with("tiny");
    let hooks = dir.load();
    let away = dir.path().with_extension("away");
    std::fs::rename(dir.path(), &away).expect("renamed");
    let text = refused(hooks.reload());
    assert!(text.contains("cannot be read"), "{text}");
    assert_eq!(hooks.reports().len(), 1);
    std::fs::rename(&away, dir.path()).expect("renamed");
    let back = done(hooks.reload());
    assert!(
        back.changes.is_empty() && back.errors.is_empty(),
        "told that all is well"
    );
    assert!(matches!(hooks.reload(), Reload::Unchanged));
}

#[tokio::test]
async fn what_was_not_loaded_from_a_directory_stays_as_it_is() {
    let hooks = portcullis::Hooks::none();
    assert!(matches!(hooks.reload(), Reload::Unchanged));
    assert!(
        hooks
            .watch(portcullis::reload::WatchOptions::default())
            .is_err()
    );
}

#[tokio::test]
async fn an_id_that_moves_to_another_file_is_the_same_hook_in_another_place() {
    let dir = HooksDir::new()
        .with_renamed("probe", "alpha")
        .with_renamed("probe", "bravo")
        .settings(&two(""));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    // The two files swap their hooks.
    let (alpha, bravo) = (renamed("probe", "alpha"), renamed("probe", "bravo"));
    dir.put("alpha.wasm", &bravo);
    dir.put("bravo.wasm", &alpha);
    assert!(matches!(hooks.reload(), Reload::Unchanged));
    assert_eq!(say(&session).await.1, "hello-a-b");
    // The broken file keeps an id that a new file has: neither hook is doubled.
    dir.put("bravo.wasm", &variant("tiny", "x")[..100]);
    dir.put("third.wasm", &alpha);
    assert!(refused(hooks.reload()).contains("has the id `alpha`"));
    assert_eq!(say(&session).await.1, "hello-a-b");
}
