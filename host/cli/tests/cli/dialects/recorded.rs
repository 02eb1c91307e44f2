//! The recordings and the alerts of `portcullis serve` and `portcullis hook`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use portcullis_store::Identities;
use serde_json::Value;

use super::daemon::Daemon;
use super::{Place, tool_call};
use crate::support::{Ran, run, run_with_input, text};

/// A word that only the arguments of a call have.
const WORD: &str = "qzjxkvwp-7391";

fn hook(place: &Place, more: &[&str]) -> Ran {
    let hooks = text(place.hooks.path());
    let mut arguments = vec!["hook", "--dialect", "claude", "--hooks", hooks];
    arguments.extend(more);
    run_with_input(&mut place.command(&arguments), &tool_call(WORD).to_string())
}

/// Replays the recorded calls of the probe.
fn replay(place: &Place, more: &[&str]) -> Ran {
    let probe = place.hooks.path().join("probe.wasm");
    let mut arguments = vec!["replay", "--hook", text(&probe), "--json"];
    arguments.extend(more);
    run(&mut place.command(&arguments))
}

fn identical(place: &Place, more: &[&str], calls: u64) {
    let ran = replay(place, more);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    assert_eq!(report["calls"], calls, "{report:#}");
    assert_eq!(report["identical"], calls, "{report:#}");
}

/// Returns whether a file of the state contains these words.
fn has(dir: &Path, words: &str) -> bool {
    fs::read_dir(dir).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        match fs::read(&path) {
            Ok(bytes) => bytes
                .windows(words.len())
                .any(|part| part == words.as_bytes()),
            Err(_) => path.is_dir() && has(&path, words),
        }
    })
}

fn key(name: &str) -> PathBuf {
    xtask::root().join("host/recording/tests/frozen").join(name)
}

/// Returns a place whose settings record, encrypted for this key.
fn encrypting(file: &Path) -> Place {
    let place = Place::new("pre-tool-call = 'reject no'");
    let mut identities = Identities::default();
    identities.read(file).unwrap();
    let recipient = identities.recipients().next().unwrap().to_string();
    prepend(
        &place,
        &format!("[recording]\nrecipients = [\"{recipient}\"]\n"),
    );
    place
}

fn prepend(place: &Place, settings: &str) {
    let file = place.hooks.path().join("hooks.toml");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{settings}{before}")).unwrap();
}

#[test]
fn calls_of_hook_and_serve_are_recorded_with_the_option() {
    let place = Place::new("pre-tool-call = 'reject no'");
    let never = ["--daemon", "never"];
    hook(&place, &never);
    let ran = replay(&place, &[]);
    assert_ne!(ran.code, Some(0), "{ran:?}");
    hook(&place, &[&never[..], &["--record"]].concat());
    assert!(has(place.state(), WORD));
    identical(&place, &[], 1);
    let daemon = Daemon::start(&place, &["--record"]);
    let ran = hook(&place, &["--record", "--verbose"]);
    assert!(ran.err.contains("in the daemon"), "{ran:?}");
    daemon.signal(rustix::process::Signal::TERM);
    assert_eq!(daemon.ended(), Some(0));
    identical(&place, &[], 2);
}

#[test]
fn encrypted_calls_are_read_with_the_identity_alone() {
    let mine = key("age.identity");
    let place = encrypting(&mine);
    let ran = hook(&place, &["--daemon", "never"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(has(place.state(), "age-encryption.org/v1"));
    assert!(!has(place.state(), WORD));

    let run = replay(&place, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("--identity FILE"), "{run:?}");
    let other = replay(&place, &["--identity", text(&key("second.identity"))]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(other.err.contains("for other keys"), "{other:?}");
    let public = place.state().join("public");
    fs::write(&public, "age1yubikey1").unwrap();
    let wrong = replay(&place, &["--identity", text(&public)]);
    assert!(wrong.err.contains("line 1 is no"), "{wrong:?}");
    identical(&place, &["--identity", text(&mine)], 1);
    // One of several keys is enough.
    let both = [
        "--identity",
        text(&key("second.identity")),
        "--identity",
        text(&mine),
    ]
    .map(str::to_owned);
    let both: Vec<&str> = both.iter().map(String::as_str).collect();
    identical(&place, &both, 1);
    let runs = crate::support::run(&mut place.bare(&["runs", "--json", "--hook", "probe"]));
    let listed = runs.json();
    let guarded = format!("{}.{}", listed[0]["host"], listed[0]["id"]);
    let mut case = place.bare(&["case", "from", &guarded]);
    let refused = crate::support::run(&mut case);
    assert!(refused.err.contains("--identity FILE"), "{refused:?}");
    let written = crate::support::run(case.env("PORTCULLIS_IDENTITY", &mine));
    assert!(written.out.contains(WORD), "{written:?}");
}

#[test]
fn a_recipient_that_is_none_is_named_with_its_line() {
    let place = Place::new("");
    prepend(&place, "[recording]\nrecipients = [\"age1nobody\"]\n");
    let ran = hook(&place, &["--daemon", "never"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("hooks.toml:2") && ran.err.contains("`age1nobody` is no recipient"),
        "{ran:?}"
    );
}

#[test]
fn a_guard_that_did_not_run_in_the_daemon_is_told_to_a_command() {
    let place = Place::new("pre-tool-call = 'panic'");
    let told = place.state().join("told");
    let alerts = format!(
        "[[alerts]]\nname = \"guards\"\nwhen = \"not-run\"\ncommand = [\"sh\", \"-c\", \"cat >> {}\"]\n",
        text(&told)
    );
    fs::write(place.hooks.path().join("alerts.toml"), &alerts).unwrap();
    let named = place.state().join("alerts.toml");
    fs::write(&named, alerts.replace("guards", "named")).unwrap();
    prepend(&place, "[alerts]\nfile = \"alerts.toml\"\n");
    for (more, name) in [
        (&[][..], "guards"),
        // An option overrides the settings.
        (&["--alerts", text(&named)], "named"),
    ] {
        let _ = fs::remove_file(&told);
        let daemon = Daemon::start(&place, more);
        let ran = hook(&place, &["--verbose"]);
        assert!(ran.err.contains("in the daemon"), "{ran:?}");
        let alert: Value = serde_json::from_str(&line(&told)).unwrap();
        assert_eq!(
            (&alert["alert"], &alert["hook"]),
            (&name.into(), &"probe".into())
        );
        assert_eq!(alert["causes"]["trap"], 1, "{alert:#}");
        drop(daemon);
    }
}

/// Returns the first line of a file, once it is there.
fn line(file: &Path) -> String {
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        if let Some((line, _)) = text.split_once('\n') {
            return line.to_owned();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody was told");
        std::thread::sleep(Duration::from_millis(20));
    }
}
