//! `portcullis promote`, and the output about a hook that takes effect in a share of sessions.

use std::fs;
use std::path::Path;

use crate::support::{Ran, bare, portcullis, run, text};

/// A script needs no build.
const SETTINGS: &str = "# Mine.\n[scripts.rules]\ncommand = [\"true\"] # always\npoints = [\"pre-turn\"]\nmode = \"audit\" # for now\n";

fn directory() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("hooks.toml"), SETTINGS).unwrap();
    dir
}

fn command(dir: &Path, arguments: &[&str]) -> Ran {
    // It loads no hook, and so has no cache.
    let mut command = match arguments.contains(&"promote") {
        true => bare(arguments),
        false => portcullis(arguments),
    };
    run(command.args(["--hooks", text(dir)]))
}

fn settings(dir: &Path) -> String {
    fs::read_to_string(dir.join("hooks.toml")).unwrap()
}

#[test]
fn a_hook_is_promoted_by_shares_and_taken_back() {
    let dir = directory();
    let dir = dir.path();
    let promoted = command(dir, &["promote", "rules", "--share", "0.1", "--yes"]);
    assert_eq!(promoted.code, Some(0), "{promoted:?}");
    for shown in [
        "- mode = \"audit\" # for now",
        "+ mode = \"enforce\" # for now",
        "+ share = 0.1",
        "takes effect in 10 % of sessions",
    ] {
        assert!(
            promoted.out.contains(shown),
            "no {shown} in\n{}",
            promoted.out
        );
    }
    let canary = SETTINGS.replace("\"audit\"", "\"enforce\"") + "share = 0.1\n";
    assert_eq!(settings(dir), canary);

    for (arguments, said) in [
        (["hooks", "list"], "in 10 % of sessions"),
        (["hooks", "check"], "takes effect in 10 % of sessions"),
    ] {
        let ran = command(dir, &arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let words: Vec<&str> = ran.out.split_whitespace().collect();
        assert!(words.join(" ").contains(said), "{arguments:?}: {}", ran.out);
    }
    let listed = command(dir, &["hooks", "list", "--json"]).json();
    let listed = listed.to_string();
    assert!(listed.contains("\"share\":0.1"), "{listed}");

    let all = command(dir, &["promote", "rules", "--yes"]);
    assert_eq!(all.code, Some(0), "{all:?}");
    assert_eq!(settings(dir), SETTINGS.replace("\"audit\"", "\"enforce\""));
    let again = command(dir, &["promote", "rules", "--share", "1"]);
    assert!(again.out.contains("nothing was written"), "{again:?}");
    let back = command(dir, &["promote", "rules", "--audit", "--yes"]);
    assert_eq!(back.code, Some(0), "{back:?}");
    assert_eq!(settings(dir), SETTINGS);
}

#[cfg(unix)]
#[test]
fn a_session_keeps_its_mode_in_every_process_and_a_larger_share_has_those_of_a_smaller_one() {
    let dir = directory();
    let dir = dir.path();
    let refuses = SETTINGS.replace("[\"true\"]", "[\"sh\", \"-c\", \"exit 2\"]");
    fs::write(dir.join("hooks.toml"), &refuses).unwrap();
    let work = tempfile::tempdir().unwrap();
    let script = work.path().join("script.json");
    fs::write(&script, r#"{ "responses": [{ "text": "Hello." }] }"#).unwrap();
    let provider = format!("scripted:{}", text(&script));
    let store = format!("sqlite:{}", text(&work.path().join("store.sqlite")));
    let is_refused = |session: &str| {
        let arguments = [
            "run",
            "--session",
            session,
            "--store",
            &store,
            "--provider",
            &provider,
            "Hi",
        ];
        let ran = command(dir, &arguments);
        let is_answered = ran.out.contains("Hello.");
        assert_eq!(is_answered, ran.code == Some(0), "{ran:?}");
        !is_answered
    };
    // The hash of `rules` and these names is 0.07, 0.49 and 0.97: see docs/operator/shadow.md.
    let sessions = ["session-7", "session-6", "session-16"];
    for (share, guarded) in [("0.1", &sessions[..1]), ("0.5", &sessions[..2])] {
        let promoted = command(dir, &["promote", "rules", "--share", share, "--yes"]);
        assert_eq!(promoted.code, Some(0), "{promoted:?}");
        let written = refuses.replace("\"audit\"", "\"enforce\"");
        assert_eq!(settings(dir), format!("{written}share = {share}\n"));
        for session in sessions {
            for _ in 0..2 {
                let expected = guarded.contains(&session);
                assert_eq!(is_refused(session), expected, "{session} of {share}");
            }
        }
    }
    let listed = ["runs", "--json", "--hook", "rules", "--store", &store];
    let listed = run(&mut bare(&listed)).json();
    let modes = |session: &str| {
        let runs = listed.as_array().unwrap().iter();
        let of_session = runs.filter(|run| run["session"] == session);
        let mut modes: Vec<&str> = of_session.filter_map(|run| run["mode"].as_str()).collect();
        modes.sort_unstable();
        modes
    };
    assert_eq!(modes("session-7"), ["enforce"; 4]);
    assert_eq!(modes("session-6"), ["audit", "audit", "enforce", "enforce"]);
    assert_eq!(modes("session-16"), ["audit"; 4]);
}

#[test]
fn nothing_is_written_without_a_yes_or_for_a_hook_that_is_not_named() {
    let dir = directory();
    let dir = dir.path();
    let unasked = command(dir, &["promote", "rules"]);
    assert_eq!(unasked.code, Some(1), "{unasked:?}");
    assert!(unasked.err.contains("--yes"), "{}", unasked.err);
    let unknown = command(dir, &["promote", "rule", "--yes"]);
    assert_eq!(unknown.code, Some(1), "{unknown:?}");
    let file = dir.join("hooks.toml");
    let said = format!(
        "there is no hook `rule` in {}; did you mean `rules`?",
        file.display()
    );
    assert!(unknown.err.contains(&said), "{}", unknown.err);
    // The sentence ends with the nearest name.
    assert!(!unknown.err.contains("?;"), "{}", unknown.err);
    let nowhere = run(&mut bare(&["promote", "rules", "--hooks", "nowhere"]));
    assert_eq!(nowhere.code, Some(1), "{nowhere:?}");
    let said = "there is no hooks directory nowhere";
    assert!(nowhere.err.contains(said), "{}", nowhere.err);
    let none = command(dir, &["promote", "rules", "--share", "0"]);
    assert_eq!(none.code, Some(2), "{none:?}");
    assert!(
        none.err.contains("more than 0 and at most 1"),
        "{}",
        none.err
    );
    assert_eq!(settings(dir), SETTINGS);
}

#[test]
fn a_share_that_is_none_or_of_an_audit_is_an_error_with_its_line() {
    for (more, fix) in [
        ("share = 0.1\n", "write `mode = \"enforce\"`"),
        ("share = 2\n", "write `mode = \"enforce\"`"),
    ] {
        let dir = directory();
        fs::write(dir.path().join("hooks.toml"), format!("{SETTINGS}{more}")).unwrap();
        let ran = command(dir.path(), &["hooks", "check"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(
            ran.err.contains("hooks.toml:6") || ran.out.contains("hooks.toml:6"),
            "{ran:?}"
        );
        assert!(ran.err.contains(fix) || ran.out.contains(fix), "{ran:?}");
    }
    let dir = directory();
    let settings = SETTINGS.replace("\"audit\"", "\"enforce\"");
    fs::write(
        dir.path().join("hooks.toml"),
        format!("{settings}share = 1.5\n"),
    )
    .unwrap();
    let ran = command(dir.path(), &["hooks", "check"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let said = "must be more than 0 and at most 1";
    assert!(ran.err.contains(said) || ran.out.contains(said), "{ran:?}");
}
