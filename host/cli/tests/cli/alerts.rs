//! `[[alerts]]` of an agent.toml, from the command.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, directory, portcullis, run, text};

/// A guard that fails on every call, and an agent that reports the failure to a program.
const HOOKS: &str = "[scripts.broken]\ncommand = [\"sh\", \"-c\", \"exit 77\"]\npoints = [\"pre-turn\"]\nfailure = \"fail-open\"\n";
const AGENT: &str = r#"
[[providers]]
kind = "scripted"
responses = [{ text = "Hello." }]

[[alerts]]
name = "guards"
when = "not-run"
command = ["sh", "-c", "cat >> alerts"]
"#;

fn chat(dir: &Path, agent: &str) -> Ran {
    let at = |name: &str| dir.join(name);
    fs::create_dir_all(at("hooks")).unwrap();
    fs::write(at("hooks/hooks.toml"), HOOKS).unwrap();
    fs::write(at("agent.toml"), agent).unwrap();
    let store = format!("sqlite:{}", text(&at("store.sqlite")));
    let mut command = portcullis(&["run", "--agent", text(&at("agent.toml"))]);
    command.args(["--hooks", text(&at("hooks")), "--store", &store, "Hi"]);
    run(command.current_dir(dir))
}

#[test]
fn a_guard_that_did_not_run_is_told_to_a_command() {
    let dir = tempfile::tempdir().unwrap();
    let ran = chat(dir.path(), AGENT);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Hello.\n"),
        "{ran:?}"
    );
    let told = fs::read_to_string(dir.path().join("alerts")).unwrap();
    let told: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [alert] = told.as_slice() else {
        panic!("{told:#?}");
    };
    assert_eq!(
        (&alert["alert"], &alert["hook"]),
        (&"guards".into(), &"broken".into())
    );
    assert_eq!(
        (&alert["firing"], &alert["place"]["turn"]),
        (&true.into(), &1.into())
    );
    assert_eq!(alert["causes"]["exit"], 1);
}

#[test]
fn what_a_hook_uses_is_told_although_it_does_its_work() {
    let hooks = directory(&["audit-log"], "[hooks.audit-log.grants]\nevents = true\n");
    let at = |name: &str| hooks.path().join(name);
    let alert = |name: &str, over: u64| {
        format!(
            "\n[[alerts]]\nname = \"{name}\"\nwhen = \"{name}\"\nover = {over}\nat-least = 1\ncommand = [\"sh\", \"-c\", \"cat >> {name}\"]\n"
        )
    };
    let provider = "[[providers]]\nkind = \"scripted\"\nresponses = [{ text = \"Hello.\" }]\n";
    let alerts = alert("p99-fuel", 1) + &alert("p99-memory-bytes", 1 << 40);
    fs::write(at("agent.toml"), format!("{provider}{alerts}")).unwrap();
    let mut command = portcullis(&["run", "--agent", text(&at("agent.toml"))]);
    command.args(["--hooks", text(hooks.path()), "Hi"]);
    let ran = run(command.current_dir(hooks.path()));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told = fs::read_to_string(at("p99-fuel")).unwrap();
    let told: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert_eq!(told["hook"], "audit-log");
    assert!(told["value"].as_f64().unwrap() > 1.0, "{told}");
    assert!(told["message"].as_str().unwrap().contains("fuel"), "{told}");
    assert!(!at("p99-memory-bytes").exists(), "no hook uses so much");
}

#[test]
fn an_alert_of_a_hook_that_is_not_there_is_a_warning_with_the_nearest_name() {
    let dir = tempfile::tempdir().unwrap();
    let agent = format!("{AGENT}hook = \"brokn\"\n[hooks]\ndir = \"hooks\"\n");
    let ran = chat(dir.path(), &agent);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let warning = "`guards` never fires";
    let nearest = "did you mean `broken`?";
    assert!(
        ran.err.contains(warning) && ran.err.contains(nearest),
        "{}",
        ran.err
    );
    let mut check = portcullis(&[
        "check",
        "--json",
        "--agent",
        text(&dir.path().join("agent.toml")),
    ]);
    let checked = run(check.current_dir(dir.path()));
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let problems = checked.json();
    let problem = &problems[0];
    assert_eq!(problem["level"], "warning", "{problems:#}");
    assert!(
        problem["cause"].as_str().unwrap().contains(warning),
        "{problem}"
    );
    assert_eq!(problem["fix"], nearest);
    // Commands without an agent take the file from hooks.toml.
    let hooks = dir.path().join("hooks");
    let settings = format!("{HOOKS}[alerts]\nfile = \"../agent.toml\"\n");
    fs::write(hooks.join("hooks.toml"), settings).unwrap();
    let checked = run(&mut portcullis(&[
        "hooks",
        "check",
        "--json",
        "--hooks",
        text(&hooks),
    ]));
    assert_eq!(checked.json()[0]["fix"], nearest, "{checked:?}");
}

#[test]
fn every_fault_of_an_alert_is_named_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    for (table, fault) in [
        ("when = \"not-run\"\n", "`name` is missing"),
        ("name = \"a\"\n", "say what is measured: not-run,"),
        ("name = \"a\"\nwhen = \"not-rnu\"\n", "not-run"),
        (
            "name = \"a\"\nwhen = \"p99-ms\"\nover = -1.0\n",
            "must be 0 or more",
        ),
        (
            "name = \"a\"\nwhen = \"failure-rate\"\nover = 5.0\n",
            "0.05 is 5 %",
        ),
        (
            "name = \"a\"\nwhen = \"p99-ms\"\npoint = \"pre-trun\"\n",
            "did you mean `pre-turn`?",
        ),
        (
            "name = \"a\"\nwhen = \"p99-ms\"\nwebhook = \"ftp://x\"\n",
            "begins with `https://`",
        ),
        (
            "name = \"a\"\nwhen = \"p99-ms\"\nwebhook-env = \"NO_SUCH_VARIABLE\"\n",
            "is not set",
        ),
        (
            "name = \"a\"\nwhen = \"p99-ms\"\ntoken-env = \"PATH\"\n",
            "is for a webhook",
        ),
        (
            "name = \"a\"\nwhen = \"p99-ms\"\ninherit-env = [\"PATH\"]\n",
            "`inherit-env` is for a command",
        ),
        (
            "name = \"a\"\nwhen = \"p99-ms\"\ntimeout-ms = 5\n",
            "is for a webhook or a command",
        ),
        (
            "name = \"a\"\nwhen = \"p99-ms\"\ncommand = [\"no-such-program\"]\n",
            "there is no program",
        ),
    ] {
        let agent =
            format!("[[providers]]\nkind = \"scripted\"\nresponses = []\n[[alerts]]\n{table}");
        let ran = chat(dir.path(), &agent);
        assert_eq!(ran.code, Some(1), "{table}: {ran:?}");
        assert!(
            ran.err.contains("agent.toml:") && ran.err.contains(fault),
            "{table}: {}",
            ran.err
        );
        // The same file, for commands without an agent.
        let hooks = dir.path().join("hooks");
        let settings = "[alerts]\nfile = \"../agent.toml\"\n";
        fs::create_dir_all(&hooks).unwrap();
        fs::write(hooks.join("hooks.toml"), settings).unwrap();
        for command in [&["hooks", "check"][..], &["serve", "--no-store"]] {
            let ran = run(portcullis(command).arg("--hooks").arg(&hooks));
            assert_eq!(ran.code, Some(1), "{table}: {ran:?}");
            assert!(
                ran.out.contains(fault) || ran.err.contains(fault),
                "{command:?} {table}: {ran:?}"
            );
            assert!(!ran.err.contains("the agent does not start"), "{ran:?}");
        }
    }
}
