use super::scene::{Scene, first};

const DEFERRED: &str = "questions = \"defer\"\n[stores]\nurl = \"sqlite:waiting.sqlite\"\n[tools]\n\
                        built-in = [\"write_file\"]\n";
const WRITES: &str = r#"{ "responses": [
    { "tool_calls": [{ "id": "c-1", "name": "write_file", "arguments": { "path": "a", "content": "b" } }] },
    { "text": "unused" }
] }"#;

fn scene() -> (Scene, String) {
    let provider = "\n[[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n";
    let scene =
        Scene::new(&format!("{DEFERRED}{provider}")).probe("pre-tool-call = \"ask May it?\"");
    scene.write("script.json", WRITES);
    let ran = scene.run(&["--json", "Write."]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let lines = ran.lines();
    let suspension = first(&lines, "turn-suspended");
    assert_eq!(suspension["pending"][0], "c-1");
    scene.write(
        "script.json",
        r#"{ "responses": [{ "text": "Resumed." }] }"#,
    );
    let id = suspension["checkpoint"].as_str().unwrap().to_owned();
    (scene, id)
}

#[test]
fn a_deferred_question_is_answered_in_another_process() {
    let (scene, id) = scene();
    assert!(!scene.path("a").exists());
    let ran = scene.run(&["--resume", &id, "--approve", "c-1"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Resumed.\n"),
        "{ran:?}"
    );
    assert!(scene.path("a").exists());
    let again = scene.run(&["--resume", &id, "--approve", "c-1"]);
    assert_eq!(again.code, Some(1), "it is resumed once");
}

#[test]
fn a_refused_call_does_not_run() {
    let (scene, id) = scene();
    let ran = scene.run(&["--json", "--resume", &id, "--refuse", "c-1=not today"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("not today"), "{}", ran.out);
    assert!(!scene.path("a").exists());
}

#[test]
fn what_a_turn_waits_for_is_shown_with_how_to_resume_it() {
    let (scene, id) = scene();
    let ran = scene.run(&["--resume", &id]);
    assert_eq!(ran.code, Some(3), "it waits on: {ran:?}");
    assert!(ran.err.contains("probe asks: May it?"), "{}", ran.err);
    assert!(ran.err.contains("--approve c-1"), "{}", ran.err);
    assert!(ran.err.contains("portcullis run --resume"), "{}", ran.err);
}

#[test]
fn questions_may_all_be_denied() {
    let file = "questions = \"deny\"\n[tools]\nbuilt-in = [\"write_file\"]\n[[providers]]\nkind = \"scripted\"\n\
                script = \"script.json\"\n";
    let scene = Scene::new(file).probe("pre-tool-call = \"ask May it?\"");
    scene.write("script.json", WRITES);
    let ran = scene.run(&["Write."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!scene.path("a").exists());
    assert!(
        !ran.err.contains("terminal"),
        "nobody is asked: {}",
        ran.err
    );
}
