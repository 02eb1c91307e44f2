//! `portcullis hooks`.

mod check;
mod grants;
mod lock;
mod paths;
mod settings;

use std::fs;

use portcullis::points::PointId;
use serde_json::json;

use crate::support::{all, built, capped, directory, ids, portcullis, run, text};

/// The required configuration of the hook `flaky`.
const FLAKY: &str = "[hooks.flaky.config]\nfail_on = 1\nhow = \"error\"\n";

#[test]
fn inspect_shows_points_and_imports_of_every_example() {
    let dir = all();
    for id in ids() {
        let file = dir.path().join(format!("{id}.wasm"));
        let ran = run(&mut portcullis(&[
            "hooks",
            "inspect",
            text(&file),
            "--json",
        ]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report = ran.json();
        assert_eq!(report["id"], id.as_str());
        assert!(!report["points"].as_array().unwrap().is_empty(), "{report}");
        assert!(
            !report["imports"].as_array().unwrap().is_empty(),
            "{report}"
        );
        assert_eq!(report["not-granted"], json!([]), "{id}");
        assert!(report["limits"]["fuel"].is_u64(), "{report}");
        assert_eq!(
            report["shared"]["compile-memory-bytes"],
            2_u64 << 30,
            "{report}"
        );
        let people = run(&mut portcullis(&["hooks", "inspect", text(&file)]));
        for said in [
            id.as_str(),
            "Serves",
            "Can",
            "Imports",
            "Limits",
            "50,000,000",
            "60,000 ms and 2 GiB of memory a component, which has at most 64 MiB",
        ] {
            assert!(people.out.contains(said), "no `{said}` in:\n{}", people.out);
        }
    }
}

#[test]
fn inspect_names_what_a_lone_file_was_not_granted() {
    let dir = directory(&["audit-log"], "");
    let file = dir.path().join("audit-log.wasm");
    let ran = run(&mut portcullis(&[
        "hooks",
        "inspect",
        text(&file),
        "--json",
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let missing = ran.json()["not-granted"].to_string();
    assert!(
        missing.contains("[hooks.audit-log.grants] events = true"),
        "{missing}"
    );
    // In the directory of the file, its name alone must do.
    let ran = run(portcullis(&["hooks", "inspect", "audit-log.wasm"]).current_dir(dir.path()));
    assert!(ran.out.contains("Not granted"), "{ran:?}");
}

#[test]
fn inspect_says_that_an_unnamed_hook_that_asks_for_too_much_does_not_load() {
    let refuse = "[unnamed]\nload = \"refuse\"\n";
    for (settings, named) in [("", "capped by"), (refuse, "refused by")] {
        let dir = capped(&["path-jail"], settings);
        let file = dir.path().join("path-jail.wasm");
        let ran = run(&mut portcullis(&["hooks", "inspect", text(&file)]));
        let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        let named = format!("named unnamed: {named} [unnamed] in hooks.toml");
        for said in [
            "runs no: it does not load",
            "once it is granted what it imports",
            named.as_str(),
        ] {
            assert!(words.contains(said), "no `{said}` in:\n{words}");
        }
        let answers = "! portcullis:hooks/pre-tool-call-answer@";
        assert!(words.contains(answers), "{words}");
    }
}

#[test]
fn inspect_shows_what_the_settings_of_a_project_say() {
    let dir = project("[hooks.audit-log]\npriority = 7\ngrants.events = true\n");
    let at = |name: &str| dir.path().join(name);
    let inspect = |more: &[&str]| {
        let mut command = portcullis(&["hooks", "inspect", "dist/audit-log.wasm"]);
        run(command.args(more).current_dir(dir.path()))
    };
    let said = inspect(&[]).out;
    for part in ["hooks.toml", "priority = 7", "events = true"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    let report = inspect(&["--json"]).json();
    assert_eq!(report["priority"], 7);
    assert_eq!(report["table"]["grants"]["events"], true);
    let settings = report["settings"].as_str().unwrap();
    assert_eq!(
        std::path::Path::new(settings),
        at("hooks.toml").canonicalize().unwrap()
    );
    // Another directory has its own settings, and a copy in a directory without settings has none.
    let other = directory(&[], "[hooks.audit-log]\npriority = 9\n");
    let report = inspect(&["--settings", text(other.path()), "--json"]).json();
    assert_eq!(report["priority"], 9);
    let copy = at("copies/audit-log.wasm");
    fs::create_dir(at("copies")).unwrap();
    fs::copy(at("dist/audit-log.wasm"), &copy).unwrap();
    let said = run(&mut portcullis(&["hooks", "inspect", text(&copy)])).out;
    assert!(said.contains("--settings DIR names others"), "{said}");
}

/// Returns a hook's project with these settings, in which the component is built.
fn project(settings: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("dist")).unwrap();
    fs::copy(built().join("audit-log.wasm"), at("dist/audit-log.wasm")).unwrap();
    let version = portcullis_project::Contract::embedded().version();
    let manifest = format!(
        "name = \"audit-log\"\nlanguage = \"rust\"\npoints = [\"pre-turn\"]\ncontract = \"{version}\"\n"
    );
    fs::write(at("portcullis.toml"), manifest).unwrap();
    fs::write(at("hooks.toml"), settings).unwrap();
    dir
}

#[test]
fn a_misspelt_table_of_a_project_is_named_with_the_id_that_is_meant() {
    let dir = project("[hooks.audit-lgo]\ngrants.events = true\n");
    let inspect =
        |what: &str| run(portcullis(&["hooks", "inspect", what]).current_dir(dir.path())).out;
    let said = inspect("dist/audit-log.wasm");
    let joined = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["if [hooks.audit-lgo] in", "write [hooks.audit-log] there"] {
        assert!(joined.contains(part), "no `{part}` in:\n{said}");
    }
    assert!(!said.contains("hooks trust"), "{said}");
    // If no table has a similar name, the file to write is named.
    fs::write(dir.path().join("hooks.toml"), "").unwrap();
    let said = inspect("dist/audit-log.wasm");
    let joined = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined.contains("hooks.toml: [hooks.audit-log]"), "{said}");
    assert!(!said.contains("hooks trust"), "{said}");
}

#[test]
fn a_project_has_no_table_of_another_hook() {
    let dir = project(
        "[hooks.audit-log]\nenabled = true\n\n[hooks.audit-lgo.grants]\nevents = true\n\n[hooks.other]\n",
    );
    fs::create_dir(dir.path().join("tests")).unwrap();
    fs::write(
        dir.path().join("tests/first.toml"),
        "point = \"pre-turn\"\n",
    )
    .unwrap();
    for command in ["test", "bench", "conform"] {
        let mut command = portcullis(&[command, "--component", "dist/audit-log.wasm"]);
        let ran = run(command.current_dir(dir.path()));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        for told in [
            "hooks.toml:4 ",
            "there is no hook `audit-lgo`",
            "did you mean `audit-log`?",
            "hooks.toml:7 ",
            "there is no hook `other`",
            "the project has only the hook `audit-log`",
        ] {
            assert!(ran.err.contains(told), "no `{told}` in:\n{}", ran.err);
        }
    }
}

#[test]
fn no_settings_are_written_where_a_project_is_built() {
    let dir = project("");
    let other = built().join("path-jail.wasm");
    let other = text(&other);
    for command in [
        &["hooks", "trust", "dist/audit-log.wasm", "--yes"][..],
        &["hooks", "trust", "audit-log", "--hooks", "dist", "--yes"],
        &["add", other, "--hooks", "dist", "--yes"],
        &["hooks", "lock", "--hooks", "dist"],
    ] {
        let ran = run(portcullis(command).current_dir(dir.path()));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        for part in ["is built", "portcullis add", "hooks.toml"] {
            assert!(ran.err.contains(part), "no `{part}` in:\n{}", ran.err);
        }
    }
    let import = [
        "import",
        "claude",
        "--from",
        "settings.json",
        "--hooks",
        "dist",
        "--yes",
    ];
    let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    fs::write(dir.path().join("settings.json"), hooks).unwrap();
    let ran = run(crate::support::bare(&import).current_dir(dir.path()));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let made = fs::read_dir(dir.path().join("dist")).unwrap().count();
    assert_eq!(made, 1);
}

#[test]
fn inspect_takes_the_id_of_a_hook_in_the_directory() {
    let dir = directory(&["path-jail"], "");
    fs::rename(
        dir.path().join("path-jail.wasm"),
        dir.path().join("renamed.wasm"),
    )
    .unwrap();
    let inspect = |id: &str| {
        let mut command = portcullis(&["hooks", "inspect", id, "--json"]);
        run(command.args(["--hooks", text(dir.path())]))
    };
    let report = inspect("path-jail").json();
    assert_eq!(report["id"], "path-jail");
    assert!(report["file"].as_str().unwrap().ends_with("renamed.wasm"));
    let wrong = inspect("path-jial");
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(
        wrong.err.contains("did you mean `path-jail`?"),
        "{}",
        wrong.err
    );
}

#[test]
fn list_shows_every_hook() {
    let dir = all();
    let ran = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let listed: Vec<String> = ran
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|report| report["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(listed, ids());
    let people = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
    ]));
    assert!(
        ids().iter().all(|id| people.out.contains(id.as_str())),
        "{}",
        people.out
    );
}

#[test]
fn order_is_that_of_the_priorities_with_observers_last() {
    let dir = all();
    let ran = run(&mut portcullis(&[
        "hooks",
        "order",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let orders = ran.json();
    let at = |point: &str| -> Vec<&str> {
        let order = orders
            .as_array()
            .unwrap()
            .iter()
            .find(|order| order["point"] == point);
        let hooks = order.unwrap()["hooks"].as_array().unwrap();
        hooks
            .iter()
            .map(|place| place["hook"].as_str().unwrap())
            .collect()
    };
    assert_eq!(
        at("pre-tool-call"),
        ["human-approval", "path-jail", "memory-tools", "audit-log"]
    );
    assert_eq!(
        at("pre-turn"),
        ["input-guardrail", "canned-answer", "audit-log"]
    );
    // Post points run in reverse: the redactor sees the others' result.
    assert_eq!(
        at("post-llm-call"),
        ["cost-tracker", "flaky", "output-guardrail", "audit-log"]
    );
    assert_eq!(orders.as_array().unwrap().len(), PointId::ALL.len());
}

#[test]
fn a_usage_error_has_a_code_of_its_own() {
    let ran = run(&mut portcullis(&["hooks", "inspct"]));
    assert_eq!(ran.code, Some(2));
}

#[test]
fn the_settings_to_start_from_are_right() {
    let settings = fs::read_to_string(xtask::root().join("example-hooks/hooks.toml")).unwrap();
    let ids = ids();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let dir = directory(&ids, &settings);
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(ran.code, Some(0), "{}", ran.out);
}

#[test]
fn the_schema_takes_what_a_new_project_says_and_nothing_wrong() {
    let dir = directory(&["audit-log", "output-guardrail"], "");
    let arguments = ["hooks", "schema", "--hooks", text(dir.path())];
    let ran = run(&mut portcullis(&arguments));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let schema = jsonschema::validator_for(&ran.json()).unwrap();
    let is_valid = |settings: &str| {
        let settings: toml::Table = toml::from_str(settings).unwrap();
        schema.is_valid(&serde_json::to_value(settings).unwrap())
    };
    let new = ["new", "audit-log", "--lang", "c", "--points", "pre-turn"];
    let project = dir.path().join("project");
    let ran = run(crate::support::bare(&new).args(["--dir", text(&project)]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let made = fs::read_to_string(project.join("hooks.toml")).unwrap();
    assert!(is_valid(&made), "{made}");
    // The commented lines of a project's settings are valid too.
    let lines = made.lines();
    let lines = lines.map(|line| match line.strip_prefix("# ") {
        Some(setting) if setting.contains(['[', '=']) => setting,
        _ => line,
    });
    let all = lines.collect::<Vec<_>>().join("\n");
    assert!(all.contains("\nstate = true"), "{all}");
    for (settings, expected) in [
        (all.as_str(), true),
        ("[hooks.audit-log.grants]\nevents = true\n", true),
        ("[hooks.audit-log.grants]\nevents = \"yes\"\n", false),
        ("[hooks.audit-log]\nenabled = \"yes\"\n", false),
        ("[defaults.limits]\nwall-ms = -1\n", false),
        // Unknown keys.
        ("[hooks.audit-log.grants]\nevnts = true\n", false),
        ("[hooks.audit-log]\nenabld = true\n", false),
        ("[hoks.audit-log]\n", false),
        // A key of a hook's own configuration that the hook does not have.
        ("[hooks.output-guardrail.config]\nkinds = {}\n", true),
        ("[hooks.output-guardrail.config]\nkins = {}\n", false),
    ] {
        assert_eq!(is_valid(settings), expected, "{settings}");
    }
}
