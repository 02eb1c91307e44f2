//! `portcullis test`: cases, on the example hooks.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, built, ids, portcullis, run, text};

const REFUSES: &str = "# A comment that stays.
point = \"pre-turn\"
views.content = \"please frobnicate it\"   # and one behind a value

[config]
patterns = ['frobnicate']
reason = \"No.\"
";

/// Returns a directory with these cases.
fn cases(cases: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in cases {
        fs::write(dir.path().join(format!("{name}.toml")), text).unwrap();
    }
    dir
}

fn test(hook: &str, cases: &Path, more: &[&str]) -> Ran {
    let component = built().join(format!("{hook}.wasm"));
    let mut command = portcullis(&["test", "--component", text(&component)]);
    // The demo's settings for the hook do not apply to the case.
    let empty = tempfile::tempdir().unwrap();
    command.args(["--cases", text(cases)]);
    if !more.contains(&"--settings") {
        command.args(["--settings", text(empty.path())]);
    }
    run(command.args(more))
}

#[test]
fn a_failure_is_told_to_its_end() {
    let pattern = format!("({}", "x".repeat(400));
    let case =
        format!("point = \"pre-turn\"\n[config]\npatterns = [\"{pattern}\"]\nreason = \"No.\"\n");
    let dir = cases(&[("wrong", &case)]);
    let ran = test("input-guardrail", dir.path(), &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.out.contains(&pattern) && !ran.out.contains('…'),
        "{}",
        ran.out
    );
}

#[test]
fn an_error_of_the_settings_is_told_once() {
    let dir = cases(&[
        ("first", "point = \"pre-turn\"\n"),
        ("own", REFUSES),
        ("second", "point = \"pre-turn\"\n"),
    ]);
    let settings = "[hooks.input-guardrail.config]\npaterns = []\nreason = \"No.\"\n";
    let beside = tempfile::tempdir().unwrap();
    fs::write(beside.path().join("hooks.toml"), settings).unwrap();
    let ran = test(
        "input-guardrail",
        dir.path(),
        &["--settings", text(beside.path())],
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.out.matches("hooks.toml:2").count(), 1, "{}", ran.out);
    assert!(ran.out.contains("as `first` cannot"), "{}", ran.out);
    // This case has its own configuration, and lacks only an expectation.
    assert!(ran.out.contains("3 of 3 cases"), "{}", ran.out);
    assert!(ran.out.contains("blocked-input"), "{}", ran.out);
}

#[test]
fn an_error_in_a_case_has_the_line_of_its_key() {
    let case = "point = \"pre-turn\"\n[grants]\nstate = true\nstat = true\n\n[limits]\nwall-ms = 1\nfuel = \"x\"\n\n\
        [input]\ntext-bytes = 1\ntxt-bytes = 2\n";
    let views = "point = \"pre-turn\"\n[views]\ncontent = \"a\"\nconvrsation = []\n";
    let config = "point = \"pre-turn\"\n[config]\npatterns = []\nreson = \"No.\"\n";
    let dir = cases(&[("case", case), ("views", views), ("config", config)]);
    let ran = test("input-guardrail", dir.path(), &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for line in [
        "case.toml:4: `grants.stat`",
        "case.toml:8: `limits.fuel`",
        "case.toml:12: `input.txt-bytes`",
        "views.toml:4: `views.convrsation`",
        "config.toml:4: `config.reson`",
    ] {
        assert!(ran.out.contains(line), "no `{line}` in:\n{}", ran.out);
    }
    assert!(!ran.out.contains("hooks.toml"), "{}", ran.out);
}

#[test]
fn an_error_that_a_table_of_the_case_causes_names_the_case() {
    for (hook, table, told) in [
        (
            "audit-log",
            "grants = {}",
            &[
                "a.toml:3: `grants`: the hook imports `portcullis:hooks/events@",
                "write here: events = true",
            ][..],
        ),
        (
            "audit-log",
            "[grants]\nevents = false",
            &["a.toml:3: `grants`", "write here: events = true"],
        ),
        (
            "audit-log",
            "[grants]\nevents = true\nviews = [\"content\"]",
            &[
                "a.toml:3: `grants`: the hook imports `portcullis:hooks/verdict@",
                "write here: views = [\"content\", \"verdict\"]",
            ],
        ),
        (
            "audit-log",
            "[limits]\nfuel = \"x\"",
            &["a.toml:4: `limits.fuel`: a number of units"],
        ),
        (
            "input-guardrail",
            "[config]\npatterns = \"x\"",
            &["a.toml:4: `config.patterns`: value is not of type \"array\", and is a string"],
        ),
        (
            "cost-tracker",
            "config = {}",
            &["a.toml:3: `config`: the hook requires a configuration with `prices`"],
        ),
    ] {
        let point = match hook {
            "cost-tracker" => "pre-llm-call",
            _ => "pre-turn",
        };
        let dir = cases(&[("a", &format!("point = \"{point}\"\n\n{table}\n"))]);
        let ran = test(hook, dir.path(), &[]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        for told in told {
            assert!(ran.out.contains(told), "no `{told}` in:\n{}", ran.out);
        }
        let component = format!("{hook}.wasm");
        for other in [component.as_str(), "write in hooks.toml"] {
            assert!(!ran.out.contains(other), "`{other}` in:\n{}", ran.out);
        }
    }
}

#[test]
fn a_case_passes_fails_and_is_updated() {
    let expected = "\n[expect]\noutcome = \"reject\"\nrejection.code = \"blocked-input\"\n";
    let wrong = "\n[expect]\noutcome = \"continue\"\n";
    let dir = cases(&[
        ("right", &format!("{REFUSES}{expected}")),
        ("wrong", &format!("{REFUSES}{wrong}")),
        ("new", REFUSES),
    ]);
    let ran = test("input-guardrail", dir.path(), &["--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report = ran.json();
    for (name, status) in [("right", "passed"), ("wrong", "failed"), ("new", "failed")] {
        let cases = report["cases"].as_array().unwrap();
        let case = cases.iter().find(|case| case["name"] == name).unwrap();
        assert_eq!(case["status"], status, "{case}");
        let logs = case["logs"].to_string();
        assert!(logs.contains("warn: blocked a turn"), "{case}");
    }
    // The values that differ are shown to people.
    let shown = test("input-guardrail", dir.path(), &["--filter", "wrong"]);
    assert_eq!(shown.code, Some(1), "{shown:?}");
    for said in [
        "- \"continue\"",
        "+ \"reject\"",
        "blocked-input",
        "warn: blocked a turn",
        "1 of 1 case",
    ] {
        assert!(shown.out.contains(said), "no {said} in:\n{}", shown.out);
    }
    let before = fs::read_to_string(dir.path().join("right.toml")).unwrap();
    let updated = test("input-guardrail", dir.path(), &["--update"]);
    assert_eq!(updated.code, Some(0), "{updated:?}");
    assert!(updated.out.contains("2 updated"), "{}", updated.out);
    assert_eq!(
        fs::read_to_string(dir.path().join("right.toml")).unwrap(),
        before
    );
    for name in ["wrong", "new"] {
        let text = fs::read_to_string(dir.path().join(format!("{name}.toml"))).unwrap();
        assert!(text.starts_with(REFUSES), "{text}");
        assert!(text.contains("outcome = \"reject\""), "{text}");
        assert!(text.contains("logs = [\"warn: blocked a turn"), "{text}");
    }
    assert_eq!(test("input-guardrail", dir.path(), &[]).code, Some(0));
}

#[test]
fn an_update_keeps_to_what_a_case_speaks_of() {
    let dir = cases(&[(
        "a",
        &format!("{REFUSES}\n[expect]\noutcome = \"reject\"\nrejection.reason = \"Yes.\"\n"),
    )]);
    assert_eq!(
        test("input-guardrail", dir.path(), &["--update"]).code,
        Some(0)
    );
    let text = fs::read_to_string(dir.path().join("a.toml")).unwrap();
    assert!(
        text.contains("\"No.\"") && !text.contains("\"Yes.\""),
        "{text}"
    );
    assert!(!text.contains("logs") && !text.contains("code"), "{text}");
}

#[test]
fn values_state_and_contributions_are_compared() {
    let rewrites = "point = \"pre-tool-call\"
input.grant.working-dir = \"/work\"
views.tool-data.input = { path = \"/etc/passwd\" }
config.mode = \"rewrite\"
[expect]
outcome = \"transform\"
value = '{\"path\":\"/work/etc/passwd\"}'
";
    let dir = cases(&[("rewrites", rewrites)]);
    let ran = test("path-jail", dir.path(), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");

    let counts = "point = \"post-llm-call\"
input = { provider = \"p\", model = \"m\", usage = { input-tokens = 1_000_000, output-tokens = 0 } }
[config]
budget_usd = 5.0
prices.default = { input = 3.0, output = 15.0 }
[grants]
shared-state = [\"costs\"]
";
    let dir = cases(&[("counts", counts)]);
    let ran = test("cost-tracker", dir.path(), &["--update"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = fs::read_to_string(dir.path().join("counts.toml")).unwrap();
    assert!(text.contains("[expect.shared.costs]"), "{text}");
    fs::write(
        dir.path().join("counts.toml"),
        text.replace(
            "[expect.shared.costs]",
            "[expect.shared.costs]\nmore = \"1\"",
        ),
    )
    .unwrap();
    let ran = test("cost-tracker", dir.path(), &["--json"]);
    let differences = ran.json()["cases"][0]["differences"].clone();
    assert_eq!(differences[0]["path"], "shared.costs.more", "{differences}");
}

#[test]
fn a_failure_is_a_cause_and_never_a_refusal() {
    let fails = "point = \"pre-turn\"
views.content = \"hello\"
config.patterns = [\"x\"]
[limits]
fuel = 1
[expect]
outcome = \"failed\"
cause = \"fuel\"
continues = false
";
    let unconfigured = "point = \"pre-turn\"
config.patterns = ['[']
[expect]
outcome = \"failed\"
cause = \"guest-error\"
";
    let dir = cases(&[("fails", fails), ("unconfigured", unconfigured)]);
    let ran = test("input-guardrail", dir.path(), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn an_observer_sees_what_another_has_answered() {
    let sees = "point = \"pre-turn\"
views.content = \"hello\"
before = { reject = { code = \"no\", reason = \"not today\" } }
";
    let dir = cases(&[("sees", sees)]);
    let ran = test("audit-log", dir.path(), &["--update"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = fs::read_to_string(dir.path().join("sees.toml")).unwrap();
    assert!(text.contains("outcome = \"continue\""), "{text}");
    assert!(text.contains("rejected"), "{text}");
}

#[test]
fn errors_in_cases_have_a_place_and_a_fix() {
    for (case, line, said) in [
        ("point = \"pre-trun\"\n", 1, "did you mean `pre-turn`?"),
        ("about = \"x\"\n", 0, "write point = \"POINT\""),
        (
            "point = \"pre-turn\"\nconfg = {}\n",
            2,
            "did you mean `config`?",
        ),
        (
            "point = \"pre-turn\"\n[input]\ntext-byts = 1\n",
            3,
            "did you mean `text-bytes`?",
        ),
        (
            "point = \"pre-turn\"\n[input]\nparts = \"x\"\n",
            3,
            "`input.parts`: expected a whole number",
        ),
        (
            "point = \"pre-turn\"\n[views]\ncontnt = \"x\"\n",
            3,
            "did you mean `content`?",
        ),
        (
            "point = \"pre-turn\"\n[views]\nverdict = {}\n",
            3,
            "before = ",
        ),
        (
            "point = \"pre-turn\"\n[grants]\nstat = true\n",
            3,
            "did you mean `state`?",
        ),
        (
            "point = \"pre-turn\"\n[limits]\nfuel = -1\n",
            3,
            "must be from 1",
        ),
        (
            "point = \"pre-turn\"\nnow = 3\n",
            2,
            "write now = 2026-01-01T00:00:00Z",
        ),
        ("point = \"pre-turn\"\nseed = \"x\"\n", 2, "write seed = 1"),
        (
            "point = \"pre-turn\"\nbefore = \"rejct\"\n",
            2,
            "did you mean `reject`?",
        ),
        (
            "point = \"pre-turn\"\n[expect]\n",
            2,
            "must name the outcome",
        ),
        (
            "point = \"pre-turn\"\n[expect]\noutcome = \"ask\"\n",
            3,
            "is not an outcome at `pre-turn`",
        ),
        (
            "point = \"pre-turn\"\n[expect]\noutcome = \"continue\"\nlog = []\n",
            4,
            "did you mean `logs`?",
        ),
        (
            "point = \"pre-turn\"\n[expect]\noutcome = \"continue\"\ncause = \"trap\"\n",
            4,
            "has no `cause`",
        ),
        (
            "point = \"pre-turn\"\n[expect]\noutcome = \"continue\"\nlogs = \"x\"\n",
            4,
            "must be a list of texts, and is a text",
        ),
        (
            "point = \"pre-turn\"\n[expect]\noutcome = \"failed\"\ncause = \"trp\"\n",
            4,
            "did you mean `trap`?",
        ),
        ("point = \n", 1, "is not TOML"),
        ("point = \"post-turn\"\n", 1, "it serves: pre-turn"),
    ] {
        let dir = cases(&[("wrong", case)]);
        let ran = test("input-guardrail", dir.path(), &["--json"]);
        assert_eq!(ran.code, Some(1), "{case}: {ran:?}");
        let report = ran.json();
        let case_report = &report["cases"][0];
        assert_eq!(case_report["status"], "broken", "{case}: {report}");
        let error = case_report["errors"][0].as_str().unwrap().to_owned();
        assert!(error.contains(said), "{case}: {error}");
        let place = match line {
            0 => "wrong.toml: ".to_owned(),
            line => format!("wrong.toml:{line}: "),
        };
        assert!(error.contains(&place), "{case}: {error}");
    }
}

#[test]
fn a_misspelt_expected_key_is_answered_with_the_nearest() {
    let expect = "\n[expect]\noutcome = \"reject\"\nrejection.cod = \"blocked-input\"\n";
    let dir = cases(&[("a", &format!("{REFUSES}{expect}"))]);
    let ran = test("input-guardrail", dir.path(), &[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("did you mean `code`?"), "{}", ran.out);
}

#[test]
fn no_cases_and_no_component_are_named() {
    let dir = cases(&[]);
    let ran = test("flaky", dir.path(), &[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("there are no cases"), "{}", ran.err);
    let dir = cases(&[("one", "point = \"pre-turn\"\n")]);
    let ran = test("flaky", dir.path(), &["--filter", "two"]);
    assert!(ran.err.contains("the cases are: one"), "{}", ran.err);
    let nowhere = run(portcullis(&["test"]).current_dir(dir.path()));
    assert_eq!(nowhere.code, Some(1));
    assert!(nowhere.err.contains("--component"), "{}", nowhere.err);
    // A project with errors is not a missing project.
    fs::write(dir.path().join("portcullis.toml"), "nonsense").unwrap();
    let wrong = run(portcullis(&["test"]).current_dir(dir.path()));
    assert!(wrong.err.contains("portcullis.toml:1: "), "{}", wrong.err);
    assert!(!wrong.err.contains("--component"), "{}", wrong.err);
}

/// A case's omitted input is generated, at every point that the probe serves.
#[test]
fn every_point_can_be_the_point_of_a_case() {
    use portcullis::points::PointId;
    let probe = xtask::root().join("target/test-hooks/probe.wasm");
    built();
    let dir = tempfile::tempdir().unwrap();
    for point in PointId::ALL {
        let file = dir.path().join(format!("{point}.toml"));
        fs::write(file, format!("point = \"{point}\"\nconfig = {{}}\n")).unwrap();
    }
    let mut command = portcullis(&["test", "--component", text(&probe), "--update", "--json"]);
    let ran = run(command.args(["--cases", text(dir.path())]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    let updated = |case: &&Value| case["status"] == "updated" && case["outcome"] == "continue";
    let cases = report["cases"].as_array().unwrap();
    assert_eq!(
        cases.iter().filter(updated).count(),
        PointId::ALL.len(),
        "{report:#}"
    );
}

#[test]
fn the_cases_of_the_example_hooks_are_as_expected() {
    let mut tested = Vec::new();
    for id in ids() {
        let cases = xtask::root().join("example-hooks").join(&id).join("tests");
        if !cases.is_dir() {
            continue;
        }
        let ran = test(&id, &cases, &[]);
        assert_eq!(ran.code, Some(0), "{id}: {ran:?}");
        tested.push(id);
    }
    assert_eq!(tested, ["llm-judge", "untrusted-content"]);
}
