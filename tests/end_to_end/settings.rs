//! The faults of `hooks.toml`: the file, the line, the nearest right name.

use portcullis_tests::{HooksDir, probe};

fn error(toml: &str) -> String {
    HooksDir::new()
        .with("probe")
        .settings(toml)
        .try_load()
        .expect_err("an error")
        .to_string()
}

#[test]
fn every_wrong_line_is_named_with_its_fix() {
    for (toml, line, fix) in [
        (
            "[hooks.probe]\npriorty = 3\n",
            2,
            "did you mean `priority`?",
        ),
        ("\n[hoks.probe]\n", 2, "did you mean `hooks`?"),
        ("[hooks.prove.grants]\n", 1, "there is no hook `prove`"),
        (
            "[hooks.probe.limits]\ndeadline = 5\n",
            2,
            "did you mean `deadline-ms`?",
        ),
        (
            "[hooks.probe.limits]\ndeadline-ms = 0\n",
            2,
            "must be from 1",
        ),
        ("[hooks.probe.limits]\nmemory-bytes = -1\n", 2, "and is -1"),
        (
            "[hooks.probe.limits]\nwall-ms = 99999999999\n",
            2,
            "to 86400000",
        ),
        (
            "[hooks.probe.limits]\nfuel = true\n",
            2,
            "false to count none",
        ),
        ("[hooks.probe]\nrole = \"gat\"\n", 2, "did you mean `gate`?"),
        (
            "[hooks.probe]\nenabled = 1\n",
            2,
            "`true` or `false`, and is a number",
        ),
        ("[hooks.probe\n", 1, ""),
        (
            "[hooks.probe.config]\nsince = [2026-01-01]\n",
            2,
            "write it in quotes",
        ),
        ("[hooks.probe.config]\nlimit = inf\n", 2, "finite number"),
        ("[engine]\ntick-ms = 0\n", 2, "must be from 1"),
        (
            "[defaults]\nviews = [\"tool-dta\"]\n",
            2,
            "did you mean `tool-data`?",
        ),
        (
            "[hooks.probe.grants]\nshared-state = [\"\"]\n",
            2,
            "has no name",
        ),
    ] {
        let toml = match toml.contains("prove") {
            true => format!("{toml}{}", probe("")),
            false => toml.to_owned(),
        };
        let error = error(&toml);
        assert!(
            error.contains(&format!("hooks.toml:{line}:")),
            "{toml}: {error}"
        );
        assert!(error.contains(fix), "{toml}: {error}");
    }
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let error = error("[hooks.probe.limits]\nfuel = 0\nwall-ms = 0\nhandles = 0\n");
    assert_eq!(error.lines().count(), 3, "{error}");
}

#[test]
fn an_observer_cannot_fail_closed() {
    let toml = "[hooks.probe]\nrole = \"observe\"\nfailure = \"fail-closed\"\n";
    let error = error(&format!(
        "{toml}{}",
        probe("").replace("[hooks.probe]\n", "")
    ));
    assert!(error.contains("give it the role `gate`"), "{error}");
}

#[test]
fn an_unknown_hook_is_named_also_where_a_file_does_not_load() {
    let toml = format!("[hooks.prove]\n[hooks.broken]\n{}", probe(""));
    let error = HooksDir::new()
        .with("probe")
        .with_file("broken.wasm", b"nonsense")
        .settings(&toml)
        .try_load()
        .expect_err("an error")
        .to_string();
    assert!(error.contains("broken.wasm"), "{error}");
    assert!(error.contains("there is no hook `prove`"), "{error}");
    // The file's name is used as the id, which the broken file could not provide.
    assert!(!error.contains("no hook `broken`"), "{error}");
}
