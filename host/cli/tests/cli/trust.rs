//! `portcullis hooks trust`, and the other commands' output about hooks that are not named.

use std::fs;
use std::path::Path;

use crate::support::{Ran, built, capped, portcullis, run, text};
use crate::terminal::Terminal;

const SETTINGS: &str = "# Mine.\n[turn] # short\nhooks-ms = 5000\n";

fn trust(hook: &str, options: &[&str]) -> Ran {
    run(portcullis(&["hooks", "trust", hook]).args(options))
}

fn check(dir: &Path) -> Ran {
    run(&mut portcullis(&["hooks", "check", "--hooks", text(dir)]))
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap_or_default()
}

#[test]
fn without_a_terminal_and_without_yes_nothing_is_written() {
    let dir = capped(&["audit-log"], SETTINGS);
    let file = dir.path().join("audit-log.wasm");
    let ran = trust(text(&file), &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("--yes"), "{}", ran.err);
    for said in [
        "see",
        "send events to the agent's subscribers",
        "Limits",
        "deadline-ms",
        "[hooks.audit-log.grants]",
        "sha256",
    ] {
        assert!(ran.out.contains(said), "no `{said}` in:\n{}", ran.out);
    }
    assert_eq!(read(dir.path(), "hooks.toml"), SETTINGS);
    assert!(!dir.path().join("hooks.lock").exists());
    assert_eq!(check(dir.path()).code, Some(1));
}

#[test]
fn a_trusted_hook_is_named_with_what_it_imports_and_pinned() {
    let dir = capped(&["audit-log", "path-jail"], SETTINGS);
    for (hook, more) in [
        (dir.path().join("audit-log.wasm"), None),
        ("path-jail".into(), Some(["--hooks", text(dir.path())])),
    ] {
        let mut options = vec!["--yes"];
        options.extend(more.into_iter().flatten());
        let ran = trust(text(&hook), &options);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let settings = read(dir.path(), "hooks.toml");
    assert!(settings.starts_with(SETTINGS), "{settings}");
    assert!(
        settings.contains("[hooks.path-jail.grants]\nviews = [\"tool-data\"]"),
        "{settings}"
    );
    assert!(settings.contains("events = true"), "{settings}");
    let ran = check(dir.path());
    assert_eq!(
        (ran.code, ran.out.contains("note")),
        (Some(0), false),
        "{ran:?}"
    );
    // A second time changes nothing.
    let again = trust("path-jail", &["--hooks", text(dir.path())]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(read(dir.path(), "hooks.toml"), settings);
}

#[test]
fn a_file_that_changed_since_is_refused() {
    let config = "[hooks.input-guardrail.config]\npatterns = [\"x\"]\n";
    let dir = capped(&["input-guardrail", "audit-log"], config);
    for id in ["input-guardrail", "audit-log"] {
        let file = dir.path().join(format!("{id}.wasm"));
        assert_eq!(trust(text(&file), &["--yes"]).code, Some(0));
    }
    assert_eq!(check(dir.path()).code, Some(0));
    let (file, other) = ("input-guardrail.wasm", "audit-log.wasm");
    fs::copy(dir.path().join(other), dir.path().join(file)).unwrap();
    let ran = check(dir.path());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.out.contains("is not the file that hooks.lock pins"),
        "{}",
        ran.out
    );
}

#[test]
fn trust_changes_nothing_in_a_lock_but_its_own_entry() {
    let dir = capped(&["input-guardrail"], "[hooks.input-guardrail]\n");
    let lock = ["hooks", "lock", "--hooks", text(dir.path())];
    assert_eq!(run(&mut portcullis(&lock)).code, Some(0));
    let before = read(dir.path(), "hooks.lock");
    let other = capped(&["audit-log", "path-jail"], "");
    for name in ["audit-log.wasm", "path-jail.wasm"] {
        fs::copy(other.path().join(name), dir.path().join(name)).unwrap();
    }
    let file = dir.path().join("audit-log.wasm");
    assert_eq!(trust(text(&file), &["--yes"]).code, Some(0));
    let after = read(dir.path(), "hooks.lock");
    assert!(
        after.contains("audit-log") && !after.contains("path-jail"),
        "{after}"
    );
    let pinned = before.lines().filter(|line| line.starts_with("sha256"));
    assert!(pinned.clone().count() == 1 && pinned.into_iter().all(|line| after.contains(line)));
}

#[test]
fn as_json_it_says_what_would_be_granted_and_writes_nothing() {
    let dir = capped(&["audit-log"], SETTINGS);
    let file = dir.path().join("audit-log.wasm");
    let ran = trust(text(&file), &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let granted = ran.json();
    assert_eq!(granted["grants"]["events"], true, "{granted}");
    assert_eq!(granted["written"], false);
    assert_eq!(granted["capped"], false);
    assert_eq!(granted["lines"][0], "[hooks.audit-log.grants]");
    assert_eq!(read(dir.path(), "hooks.toml"), SETTINGS);
}

#[test]
fn what_no_import_names_has_to_be_named() {
    let dir = capped(&["policy-server"], "");
    let file = dir.path().join("policy-server.wasm");
    let ran = trust(text(&file), &["--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("add --http"), "{}", ran.err);
    let rule = "POST https://policy.example/v1/data";
    let ran = trust(text(&file), &["--yes", "--http", rule]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let settings = read(dir.path(), "hooks.toml");
    assert!(
        settings.contains(&format!("http = [\"{rule}\"]")),
        "{settings}"
    );
    let wrong = trust(text(&file), &["--yes", "--http", "everywhere"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn a_hook_that_asks_a_model_is_trusted_with_a_budget() {
    let dir = capped(&["llm-judge"], "");
    let file = dir.path().join("llm-judge.wasm");
    let ran = trust(text(&file), &["--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("add --model-tokens TOKENS"), "{}", ran.err);
    assert_eq!(
        trust(text(&file), &["--yes", "--model-tokens", "0"]).code,
        Some(2)
    );
    let ran = trust(text(&file), &["--yes", "--model-tokens", "500"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let needs = "requires a configuration with `tools`, `rules`";
    assert!(ran.out.contains(needs), "{}", ran.out);
    let settings = read(dir.path(), "hooks.toml");
    assert!(settings.contains("model = { tokens = 500 }"), "{settings}");

    // Another budget keeps the operator's choice of a model.
    let mut chosen = settings.replace("tokens = 500", "tokens = 500, provider = \"cheap\"");
    chosen.push_str("[hooks.llm-judge.config]\ntools = []\nrules = \"none\"\n");
    fs::write(dir.path().join("hooks.toml"), chosen).unwrap();
    let ran = trust(text(&file), &["--yes", "--model-tokens", "900"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let settings = read(dir.path(), "hooks.toml");
    let expected = "model = { tokens = 900, provider = \"cheap\" }";
    assert!(settings.contains(expected), "{settings}");
    assert_eq!(check(dir.path()).code, Some(0));
}

#[test]
fn a_hook_that_takes_the_id_of_another_is_not_trusted() {
    let dir = capped(&["path-jail"], "");
    let file = dir.path().join("path-jail.wasm");
    fs::copy(&file, dir.path().join("other.wasm")).unwrap();
    let ran = trust(text(&file), &["--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("more than one file"), "{}", ran.err);
    assert!(!dir.path().join("hooks.toml").exists());
    let ran = trust("path-jial", &["--hooks", text(dir.path())]);
    assert!(ran.err.contains("did you mean `path-jail`?"), "{}", ran.err);
}

#[test]
fn a_hook_is_unnamed_again_and_what_was_said_of_it_is_printed() {
    let dir = capped(&["input-guardrail"], SETTINGS);
    let file = dir.path().join("input-guardrail.wasm");
    assert_eq!(trust(text(&file), &["--yes"]).code, Some(0));
    let untrust = ["hooks", "untrust", "input-guardrail", "--hooks"];
    let command = || crate::support::bare(&[&untrust[..], &[text(dir.path())]].concat());
    let ran = run(&mut command());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("views = [\"content\"]"), "{}", ran.out);
    assert_eq!(read(dir.path(), "hooks.toml"), SETTINGS);
    assert_eq!(run(&mut command()).code, Some(1));
}

#[test]
fn every_command_that_shows_hooks_says_that_a_hook_is_capped() {
    // Every example hook needs a configuration, or may do more than a hook without a table.
    let dir = capped(&[], "");
    let guest = built().with_file_name("test-hooks").join("sleeper.wasm");
    fs::copy(guest, dir.path().join("sleeper.wasm")).unwrap();
    let at = ["--hooks", text(dir.path())];
    let file = dir.path().join("sleeper.wasm");
    let script = dir.path().join("script.json");
    fs::write(&script, r#"{ "responses": [{ "text": "Hello." }] }"#).unwrap();
    let provider = format!("scripted:{}", text(&script));
    for arguments in [
        vec!["hooks", "list", at[0], at[1]],
        vec!["hooks", "check", at[0], at[1]],
        vec!["hooks", "inspect", text(&file)],
        vec!["run", "--provider", &provider, at[0], at[1], "Hello"],
    ] {
        let ran = run(&mut portcullis(&arguments));
        let said = format!("{}{}", ran.out, ran.err).replace(['\n', ' '], "");
        let fix = format!("portcullishookstrust{}", text(&file));
        assert!(
            said.contains("unnamed:capped") && said.contains(&fix),
            "{ran:?}"
        );
    }
    let ran = run(portcullis(&["hooks", "order"]).args(at));
    assert!(ran.out.contains("behind all named hooks"), "{}", ran.out);
}

#[test]
fn at_a_terminal_a_no_writes_nothing_and_a_yes_does() {
    for (answers, written) in [(["what", "no"], false), (["", "yes"], true)] {
        let dir = capped(&["input-guardrail"], SETTINGS);
        let file = dir.path().join("input-guardrail.wasm");
        let mut terminal = Terminal::of(portcullis(&["hooks", "trust", text(&file)]));
        for answer in answers {
            let shown = terminal.wait("yes or no? ");
            assert!(!shown.contains("\\u{1b}"), "{shown}");
            terminal.answer(answer);
        }
        assert_eq!(terminal.ends_well(), written);
        assert_eq!(read(dir.path(), "hooks.toml") != SETTINGS, written);
        assert_eq!(dir.path().join("hooks.lock").exists(), written);
    }
}

/// The shown file is pinned, even if another file has replaced it by then.
#[test]
fn a_file_that_is_exchanged_before_the_yes_is_not_trusted() {
    let dir = capped(&["input-guardrail"], SETTINGS);
    let other = capped(&["audit-log"], "");
    let file = dir.path().join("input-guardrail.wasm");
    let shown = portcullis::verdict::Digest::of(&fs::read(&file).unwrap());
    let mut terminal = Terminal::of(portcullis(&["hooks", "trust", text(&file)]));
    terminal.wait("yes or no? ");
    fs::copy(other.path().join("audit-log.wasm"), &file).unwrap();
    terminal.answer("yes");
    assert!(terminal.ends_well());
    let lock = read(dir.path(), "hooks.lock");
    assert!(lock.contains(&shown.to_string()), "{lock}");
    let ran = check(dir.path());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.out.contains("is not the file that hooks.lock pins"),
        "{}",
        ran.out
    );
}

#[test]
fn settings_that_were_edited_meanwhile_are_not_overwritten() {
    let dir = capped(&["input-guardrail"], SETTINGS);
    let file = dir.path().join("input-guardrail.wasm");
    let mut terminal = Terminal::of(portcullis(&["hooks", "trust", text(&file)]));
    terminal.wait("yes or no? ");
    let edited = format!("{SETTINGS}fuel = 7\n");
    fs::write(dir.path().join("hooks.toml"), &edited).unwrap();
    terminal.answer("yes");
    terminal.wait("was changed meanwhile");
    assert!(!terminal.ends_well());
    assert_eq!(read(dir.path(), "hooks.toml"), edited);
    assert!(!dir.path().join("hooks.lock").exists());
}

#[test]
fn what_an_added_hook_needs_is_told_of_the_file_that_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let (from, hooks) = (built().join("llm-judge.wasm"), dir.path().join("hooks"));
    let mut add = portcullis(&["add", text(&from), "--hooks", text(&hooks)]);
    let ran = run(add.args(["--yes", "--model-tokens", "500"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let file = hooks.join("llm-judge.wasm");
    let needs = format!("{}: requires a configuration with", file.display());
    assert!(ran.out.contains(&needs), "{}", ran.out);
}

#[test]
fn what_a_hook_may_cost_is_told_before_it_is_trusted() {
    let settings = "[defaults.limits]\nwall-ms = 700\n[turn]\nfuel = 2_000_000\n";
    let own = "[hooks.policy-server.limits]\nfuel = false\nhttp-requests = 2\n";
    let time = "the agent waits: at most 100 ms of computing a call, 700 ms with waiting";
    let turn = "with all other hooks at most 10,000 ms and 2,000,000 units of fuel a turn";
    let fuel = "at most 50,000,000 units of fuel a call, and at most 64 MiB of memory";
    let state = "at most 1 MiB in 1,000 keys of each namespace of state";
    for (hook, options, costs) in [
        ("path-jail", &[][..], &[time, fuel, turn][..]),
        (
            "llm-judge",
            &["--model-tokens", "1500"],
            &[
                time,
                fuel,
                "at most 1,500 tokens of the agent's model a turn",
                turn,
            ],
        ),
        (
            "policy-server",
            &["--http", "POST http://localhost:8181/v1"],
            &[
                time,
                "fuel without a limit, and at most 64 MiB of memory",
                "at most 2 requests a call, 1 MiB sent and 4 MiB received",
                turn,
            ],
        ),
        (
            "cost-tracker",
            &["--shared-state", "costs"],
            &[time, fuel, state, turn],
        ),
    ] {
        let own = if hook == "policy-server" { own } else { "" };
        let dir = capped(&[hook], &format!("{settings}{own}"));
        let file = dir.path().join(format!("{hook}.wasm"));
        let report = trust(text(&file), &[options, &["--json"]].concat()).json();
        assert_eq!(report["cost"], serde_json::json!(costs), "{hook}");
        let shown = trust(text(&file), options).out;
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in costs {
            assert!(shown.contains(said), "{hook}: no `{said}` in:\n{shown}");
        }
    }
}
