//! The guards' cases pass, and they catch no less than was recorded.

use std::path::{Path, PathBuf};

use xtask::guards::{Guard, Half, guards, halves, read};

use crate::support::{built, portcullis, run, text};

/// Returns the guards, once their components are built.
fn all() -> Vec<Guard> {
    built();
    guards(&xtask::root())
}

#[test]
fn the_cases_of_the_guards_are_as_expected() {
    for guard in all() {
        let mut command = portcullis(&[
            "test",
            "--component",
            text(&guard.component),
            "--settings",
            text(&guard.dir),
        ]);
        let ran = run(command.args(["--cases", text(&guard.dir.join("tests"))]));
        assert_eq!(ran.code, Some(0), "{}: {ran:?}", guard.name);
    }
}

#[test]
fn the_guards_catch_no_less_than_was_recorded() {
    let root = xtask::root();
    let recorded = read(&root).unwrap();
    for guard in all() {
        let name = guard.name;
        let before = recorded
            .get(name)
            .unwrap_or_else(|| panic!("`{name}` is not in guards/figures.json"));
        let now = halves(&root, Path::new(env!("CARGO_BIN_EXE_portcullis")), &guard).unwrap();
        let (figures, wrong) = (&now.figures, [&now.false_alarms, &now.missed]);
        assert_eq!(figures.dev.is_some(), before.dev.is_some(), "{name}");
        for (before, now) in [
            (before.dev, figures.dev),
            (before.held_out, figures.held_out),
        ] {
            let (before, now) = (before.unwrap_or_default(), now.unwrap_or_default());
            assert!(
                is_no_less(&now, &before),
                "{name}: {now:?}; recorded: {before:?}; {wrong:#?}"
            );
        }
    }
}

fn is_no_less(now: &Half, before: &Half) -> bool {
    now.precision() >= before.precision() && now.recall() >= before.recall()
}

#[test]
fn a_guard_that_catches_less_is_noticed() {
    let before = Half {
        caught: 9,
        missed: 1,
        false_alarms: 1,
        passed: 9,
    };
    assert!(is_no_less(&before, &before));
    let misses = Half {
        caught: 8,
        missed: 2,
        ..before
    };
    assert!(!is_no_less(&misses, &before));
    let alarms = Half {
        false_alarms: 2,
        ..before
    };
    assert!(!is_no_less(&alarms, &before));
}

#[test]
fn check_finds_configurations_that_a_guard_does_not_take() {
    let guards = all();
    for (name, config, words) in [
        (
            "shell-safety",
            "rules.destructve = \"allow\"",
            "did you mean `destructive`?",
        ),
        (
            "git-policy",
            "rules.mrge = \"ask\"",
            "did you mean `merge`?",
        ),
        (
            "secrets",
            "kinds.github-tokn = false",
            "did you mean `github-token`?",
        ),
        ("pii", "kinds.emial = false", "did you mean `email`?"),
        (
            "prompt-injection",
            "signs.secrcy = 0",
            "did you mean `secrecy`?",
        ),
        (
            "path-guard",
            "roots = [\"relative/x\"]",
            "`config.roots[0]`",
        ),
        (
            "rate-limit",
            "limits = [{ calls = 0 }]",
            "`config.limits[0].calls`",
        ),
    ] {
        let guard = guards.iter().find(|guard| guard.name == name).unwrap();
        let dir = tempfile::tempdir().unwrap();
        std::fs::copy(&guard.component, dir.path().join(format!("{name}.wasm"))).unwrap();
        let settings = format!("[hooks.{name}.config]\n{config}\n");
        std::fs::write(dir.path().join("hooks.toml"), settings).unwrap();
        let ran = run(portcullis(&["hooks", "check"]).args(["--hooks", text(dir.path())]));
        assert_eq!(ran.code, Some(1), "{name}: {ran:?}");
        let said: Vec<&str> = ran.out.split_whitespace().collect();
        assert!(said.join(" ").contains(words), "{name}: {ran:?}");
    }
}

#[test]
fn every_guard_has_a_page() {
    let root = xtask::root();
    let dirs = std::fs::read_dir(root.join("guards")).unwrap();
    let dirs: Vec<PathBuf> = dirs.map(|entry| entry.unwrap().path()).collect();
    let projects = dirs
        .iter()
        .filter(|dir| dir.join("portcullis.toml").is_file());
    for project in projects {
        let name = project.file_name().unwrap().to_str().unwrap();
        assert!(
            xtask::guards::GUARDS.contains(&name),
            "xtask::guards::GUARDS lacks `{name}`"
        );
        assert!(
            root.join("docs/guards")
                .join(format!("{name}.md"))
                .is_file(),
            "docs/guards lacks {name}.md"
        );
    }
}
