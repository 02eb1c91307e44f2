//! Servers, secrets and the model as cases give them: nothing real is reached.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Ran, built, portcullis, run, text};

const ASKS: &str = "point = \"pre-tool-call\"
input.name = \"write_file\"
views.tool-data.input = { path = \"a\" }
config.url = \"http://localhost:8181/v1/data/agent/tool\"
";

const ALLOWS: &str = "
[[http]]
method = \"POST\"
url = \"http://localhost:8181/v1/data/agent/*\"
sent.headers.content-type = \"application/json*\"
sent.json.input.arguments = { path = \"a\" }
json = { result = { allow = true } }
";

const CONTINUES: &str = "
[expect]
outcome = \"continue\"
";

/// Runs one case of the example hook that asks a policy server.
fn policy(case: &str, settings: Option<&str>, more: &[&str]) -> (Ran, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let cases = dir.path().join("tests");
    fs::create_dir(&cases).unwrap();
    fs::write(cases.join("case.toml"), case).unwrap();
    if let Some(settings) = settings {
        fs::write(dir.path().join("hooks.toml"), settings).unwrap();
    }
    let ran = test("policy-server", dir.path(), &cases, more);
    (ran, dir)
}

fn test(hook: &str, settings: &Path, cases: &Path, more: &[&str]) -> Ran {
    let component = built().join(format!("{hook}.wasm"));
    let mut command = portcullis(&["test", "--component", text(&component)]);
    command.args(["--cases", text(cases), "--settings", text(settings)]);
    run(command.args(more))
}

/// Returns the report of the only case.
fn report(ran: &Ran) -> Value {
    ran.json()["cases"][0].clone()
}

/// Returns the case's errors, as one text.
fn errors(ran: &Ran) -> String {
    let errors = report(ran)["errors"].clone();
    let errors = errors.as_array().unwrap().iter();
    errors
        .map(|error| format!("{}\n", error.as_str().unwrap()))
        .collect()
}

#[test]
fn a_request_is_answered_by_the_entry_that_fits() {
    let expect =
        "\n[[expect.http]]\nmethod = \"POST\"\nstatus = 200\njson.input.tool = \"write_file\"\n";
    let (ran, _dir) = policy(&format!("{ASKS}{ALLOWS}{CONTINUES}{expect}"), None, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let denies = ALLOWS.replace("allow = true", "allow = false, reason = \"Not today.\"");
    let expect = "[expect]\noutcome = \"reject\"\nrejection.reason = \"Not today.\"\n";
    let (ran, _dir) = policy(&format!("{ASKS}{denies}{expect}"), None, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_server_can_fail() {
    for (answer, message) in [
        ("error = \"connection-refused\"", "ConnectionRefused"),
        ("error = \"dns-error\"", "Dns"),
        ("status = 503\nbody = \"later\"", "503"),
    ] {
        let http = ALLOWS.replace("json = { result = { allow = true } }", answer);
        let case =
            format!("{ASKS}{http}\n[expect]\noutcome = \"failed\"\ncause = \"guest-error\"\n");
        let (ran, _dir) = policy(&case, None, &["--json"]);
        assert_eq!(ran.code, Some(0), "{answer} {message}: {ran:?}");
    }
}

#[test]
fn no_request_leaves_the_machine() {
    // A server that would answer, if it were asked.
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let port = server.local_addr().unwrap().port();
    let case = ASKS.replace("localhost:8181", &format!("127.0.0.1:{port}"));
    let settings =
        format!("[hooks.policy-server.grants]\nhttp = [\"POST http://127.0.0.1:{port}\"]\n");
    for settings in [None, Some(settings.as_str())] {
        let (ran, _dir) = policy(&case, settings, &["--json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let errors = errors(&ran);
        let write = format!(
            "write [[http]], method = \"POST\", url = \"http://127.0.0.1:{port}/v1/data/agent/tool\""
        );
        assert!(errors.contains(&write), "{errors}");
    }
    assert!(server.accept().is_err(), "it was connected to");
}

#[test]
fn a_request_that_nothing_answers_is_named_with_the_nearest_entry() {
    for (from, to, said) in [
        (
            "agent/*",
            "robot/*",
            "its `url` is http://localhost:8181/v1/data/robot/*",
        ),
        ("POST", "GET", "its `method` is GET"),
        (
            "json*",
            "xml",
            "its `sent.headers.content-type` is `application/xml`",
        ),
        ("{ path = \"a\" }", "{ path = \"b\" }", "its `sent.json` is"),
    ] {
        let other = "\n[[http]]\nmethod = \"PUT\"\nurl = \"http://localhost:8181/other\"\n";
        let case = format!("{ASKS}{other}{}{CONTINUES}", ALLOWS.replace(from, to));
        let (ran, dir) = policy(&case, None, &["--json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let errors = errors(&ran);
        let nearest = format!("the nearest is entry 2 of `[[http]]` in line 10: {said}");
        assert!(errors.contains(&nearest), "no {nearest} in:\n{errors}");
        // `--update` does not record an error as expected.
        let file = dir.path().join("tests/case.toml");
        let cases = file.parent().unwrap();
        let ran = test("policy-server", dir.path(), cases, &["--update"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert_eq!(fs::read_to_string(file).unwrap(), case);
    }
}

#[test]
fn an_entry_that_is_not_used_as_often_as_it_says_fails_the_case() {
    for (times, said) in [
        ("", "was to be requested, and was requested never"),
        (
            "times = 2",
            "was to be requested 2 times, and was requested never",
        ),
    ] {
        let unused = format!("\n[[http]]\nurl = \"http://localhost:8181/never\"\n{times}\n");
        let case = format!("{ASKS}{ALLOWS}{unused}{CONTINUES}");
        let (ran, _dir) = policy(&case, None, &["--json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(errors(&ran).contains(said), "{}", errors(&ran));
    }
    let never = "\n[[http]]\nurl = \"http://localhost:8181/never\"\ntimes = 0\n";
    let (ran, _dir) = policy(&format!("{ASKS}{ALLOWS}{never}{CONTINUES}"), None, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // The first entry is used up, so the second answers.
    let case = format!(
        "{ASKS}{}{ALLOWS}{CONTINUES}",
        ALLOWS.replace("json = {", "times = 0\njson = {")
    );
    let (ran, _dir) = policy(&case, None, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn requests_come_in_the_order_of_the_entries_if_the_case_says_so() {
    let first = "\n[[http]]\nurl = \"http://localhost:8181/login\"\n";
    let case = format!("http-in-order = true\n{ASKS}{first}{ALLOWS}{CONTINUES}");
    let (ran, _dir) = policy(&case, None, &["--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let said = "`http-in-order` is set, and entry 1 of `[[http]]` in line 7 is due";
    assert!(errors(&ran).contains(said), "{}", errors(&ran));
    // The first entry that was not requested is due. An entry with `times = 0` is not.
    let done = "\n[[http]]\nurl = \"http://localhost:8181/none\"\ntimes = 0\n";
    let case = format!("http-in-order = true\n{ASKS}{done}{first}{ALLOWS}{CONTINUES}");
    let (ran, _dir) = policy(&case, None, &["--json"]);
    let said = "entry 2 of `[[http]]` in line 11 is due";
    assert!(errors(&ran).contains(said), "{}", errors(&ran));
}

#[test]
fn what_was_requested_is_compared_and_recorded() {
    let case = format!("{ASKS}{ALLOWS}{CONTINUES}");
    let (ran, _dir) = policy(&format!("{case}http = []\n"), None, &["--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let difference = report(&ran)["differences"][0].clone();
    assert_eq!(difference["path"], "http", "{difference}");
    let (ran, dir) = policy(&format!("{ASKS}{ALLOWS}"), None, &["--update"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let written = fs::read_to_string(dir.path().join("tests/case.toml")).unwrap();
    assert!(
        written.contains("[[expect.http]]\nmethod = \"POST\""),
        "{written}"
    );
    assert!(!written.contains("user-agent"), "{written}");
    let (ran, other) = policy(&format!("{case}http = []\n"), None, &["--update"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let updated = fs::read_to_string(other.path().join("tests/case.toml")).unwrap();
    assert!(updated.contains("POST"), "{updated}");
    assert!(!updated.contains("user-agent"), "{updated}");
    let again = test("policy-server", dir.path(), &dir.path().join("tests"), &[]);
    assert_eq!(again.code, Some(0), "{again:?}\n{written}");
}

#[test]
fn what_the_operator_did_not_grant_is_refused() {
    let settings = "[hooks.policy-server.grants]\nhttp = [\"GET http://localhost:8181\"]\n";
    let (ran, _dir) = policy(
        &format!("{ASKS}{ALLOWS}{CONTINUES}"),
        Some(settings),
        &["--json"],
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let fix = "add it to its grants: http = [\"POST http://localhost:8181\"]";
    assert!(errors(&ran).contains(fix), "{}", errors(&ran));
}

#[test]
fn errors_in_entries_have_a_line_and_a_fix() {
    for (entry, line, said) in [
        ("url = 3", 3, "must name a URL"),
        (
            "url = \"https://*.example.com\"",
            3,
            "must begin with the server in full",
        ),
        (
            "url = \"https://a\"\nstats = 200",
            4,
            "did you mean `status`?",
        ),
        ("url = \"https://a\"\nstatus = 99", 4, "from 200 to 599"),
        (
            "url = \"https://a\"\nmethod = \"get\"",
            4,
            "such as \"GET\"",
        ),
        (
            "url = \"https://a\"\nerror = \"conection-refused\"",
            4,
            "did you mean `connection-refused`?",
        ),
        (
            "url = \"https://a\"\nerror = \"dns-error\"\nbody = \"x\"",
            5,
            "cannot stand beside `error`",
        ),
        (
            "url = \"https://a\"\njson = {}\nbody = \"x\"",
            4,
            "cannot stand beside `body`",
        ),
        (
            "url = \"https://a\"\nsent.bdy = \"x\"",
            4,
            "did you mean `body`?",
        ),
        ("url = \"https://a\"\ntimes = -1", 4, "write times = 1"),
    ] {
        let (ran, _dir) = policy(
            &format!("point = \"pre-tool-call\"\n[[http]]\n{entry}\n"),
            None,
            &["--json"],
        );
        assert_eq!(report(&ran)["status"], json!("broken"), "{ran:?}");
        let errors = errors(&ran);
        assert!(
            errors.contains(&format!("case.toml:{line}: `http.0.")),
            "{entry}: {errors}"
        );
        assert!(errors.contains(said), "no {said} in: {errors}");
    }
}

/// Returns the probe's answer to an action, in a case with these keys.
fn answered(action: &str, keys: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let case = format!(
        "point = \"pre-turn\"\nviews.content = \"\"\n{keys}\nconfig.pre-turn = \"{action}\"\n\
         [expect]\noutcome = \"transform\"\nvalue = []\n"
    );
    fs::write(dir.path().join("case.toml"), case).unwrap();
    let ran = test("../test-hooks/probe", dir.path(), dir.path(), &["--json"]);
    let got = report(&ran)["differences"][0]["got"].clone();
    let text = got[0]["text"].as_str();
    text.unwrap_or_else(|| panic!("{ran:?}")).to_owned()
}

#[test]
fn a_hook_sees_the_time_and_the_random_numbers_of_its_case() {
    for (keys, now) in [
        ("", "1767225600000"),
        ("now = 2001-09-09T01:46:40Z", "1000000000000"),
        ("now = 2001-09-09T03:46:40.25+02:00", "1000000000250"),
    ] {
        assert_eq!(answered("now", keys), now, "{keys}");
    }
    let random = |keys| answered("random", keys);
    assert_eq!(random(""), random("seed = 0"));
    assert_eq!(random("seed = 1"), random("seed = 1"));
    assert_ne!(random("seed = 1"), random("seed = 0"));
    // Random numbers do not depend on the clock.
    assert_eq!(
        random("seed = 1"),
        random("seed = 1\nnow = 2001-09-09T01:46:40Z")
    );
}
