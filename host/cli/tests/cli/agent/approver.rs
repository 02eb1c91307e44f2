//! A command that answers the hooks' questions.

use super::scene::Scene;
use crate::support::run;

const WRITES: &str = r#"{ "responses": [
    { "tool_calls": [{ "id": "c-1", "name": "write_file", "arguments": { "path": "a", "content": "b" } }] },
    { "text": "Done." }
] }"#;

/// Returns an agent whose questions this approver answers.
fn scene(approvals: &str) -> Scene {
    let scene = Scene::new(&format!(
        "{approvals}\n[tools]\nbuilt-in = [\"write_file\"]\n[[providers]]\nkind = \"scripted\"\n\
         script = \"script.json\"\n"
    ))
    .probe("pre-tool-call = \"ask May it?\"");
    scene.write("script.json", WRITES);
    scene
}

fn answered(script: &str) -> (Scene, String) {
    let scene = scene("");
    scene.write("answer.sh", script);
    let ran = scene.run(&["--approvals", "command:sh answer.sh", "Write."]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Done.\n"),
        "{ran:?}"
    );
    (scene, ran.err)
}

#[test]
fn it_gets_the_question_as_json_and_approves() {
    let (scene, _) = answered("cat > question.json; echo '\"approve\"'");
    assert!(scene.path("a").exists());
    let question = std::fs::read_to_string(scene.path("question.json")).unwrap();
    let question: serde_json::Value = serde_json::from_str(&question).unwrap();
    assert_eq!(question["question"], "May it?");
    assert_eq!(question["hook"], "probe");
    assert_eq!(question["point"], "pre-tool-call");
    assert_eq!(question["value"], r#"{"path":"a","content":"b"}"#);
}

#[test]
fn it_denies_and_edits() {
    let (scene, err) = answered(r#"echo '{"deny": "not today"}'"#);
    assert!(
        !scene.path("a").exists() && err.contains("not today"),
        "{err}"
    );
    let edit = r#"echo '{"edit": "{\"path\": \"other\", \"content\": \"c\"}"}'"#;
    let (scene, _) = answered(edit);
    assert!(scene.path("other").exists() && !scene.path("a").exists());
}

#[test]
fn what_it_changed_is_explained_and_so_is_what_a_hook_added() {
    let actions = "pre-tool-call = \"ask May it?\"\nprompt-context = \"contribute context fact Water is wet.\"";
    let scene = scene("").probe(actions);
    let edit = r#"echo '{"edit": "{\"path\": \"other\", \"content\": \"b\"}"}'"#;
    scene.write("answer.sh", edit);
    let store = format!("sqlite:{}", scene.path("store.sqlite").display());
    let ran = scene.run(&[
        "--approvals",
        "command:sh answer.sh",
        "--journal-values",
        "--store",
        &store,
        "Write.",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let explain = ["explain", "--store", &store];
    let shown = run(&mut scene.uncached(&explain));
    for part in [
        "approved with a change",
        "/path",
        "- a",
        "+ other",
        "/0/context/text",
        "+ Water is wet.",
    ] {
        assert!(shown.out.contains(part), "no `{part}`: {}", shown.out);
    }
    assert!(!shown.out.contains("/content"), "{}", shown.out);
    let json = run(scene.uncached(&explain).arg("--json")).json();
    let schema = portcullis_cli::explanation_schema();
    let fits = jsonschema::validator_for(&schema).unwrap().validate(&json);
    assert!(fits.is_ok(), "{fits:?}");
    let change = r#""approval-changes":[{"path":"/path","before":"a","after":"other"}]"#;
    assert!(json.to_string().contains(change), "{json:#}");
}

#[test]
fn a_question_that_nobody_answered_is_not_explained_as_a_denial() {
    let scene = scene("");
    let store = format!("sqlite:{}", scene.path("store.sqlite").display());
    for (approvals, words, approval) in [
        ("ask", "nobody answered, so it was denied", "unanswered"),
        ("deny", "nobody answered, so it was denied", "unanswered"),
        (
            "command:false",
            "nobody answered, so it was denied",
            "unanswered",
        ),
        (r#"command:echo '{"deny":"no"}'"#, "denied", "denied"),
    ] {
        let ran = scene.run(&["--approvals", approvals, "--store", &store, "Write."]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let explain = ["explain", "--store", &store];
        let shown = run(&mut scene.uncached(&explain));
        let is_shown = shown
            .out
            .lines()
            .any(|line| line.trim_end().ends_with(words));
        assert!(is_shown, "{approvals}: {}", shown.out);
        let json = run(scene.uncached(&explain).arg("--json")).json();
        let part = format!(r#""approval":"{approval}""#);
        assert!(json.to_string().contains(&part), "{approvals}: {json:#}");
    }
}

#[test]
fn one_that_fails_approves_nothing_and_says_so() {
    for (script, why) in [
        ("echo '\"approve\"'; echo broken >&2; exit 1", "broken"),
        ("echo yes", "no decision"),
        ("", "no decision"),
    ] {
        let (scene, err) = answered(script);
        assert!(!scene.path("a").exists(), "{script}");
        assert!(
            err.contains("the approval command failed"),
            "{script}: {err}"
        );
        assert!(err.contains(why), "{script}: {err}");
    }
}

#[test]
fn one_that_does_not_end_is_stopped() {
    let scene = scene("[approvals]\ncommand = [\"sleep\", \"100000\"]\ntimeout-ms = 1\n");
    let ran = scene.run(&["Write."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!scene.path("a").exists());
    assert!(ran.err.contains("time limit of 1 ms"), "{}", ran.err);
}
