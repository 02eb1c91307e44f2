use std::fs;

use super::scene::Scene;
use crate::support::{bare, portcullis, run};

#[test]
fn init_writes_an_agent_that_runs() {
    let dir = tempfile::tempdir().unwrap();
    let made = run(bare(&["init"]).current_dir(dir.path()));
    assert_eq!(made.code, Some(0), "{made:?}");
    let checked = run(portcullis(&["check"]).current_dir(dir.path()));
    assert_eq!(checked.code, Some(0), "{checked:?}");
    for _ in 0..2 {
        let ran = run(portcullis(&["run", "Hello"]).current_dir(dir.path()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains("Hello! I am a script"), "{}", ran.out);
    }
    let again = run(bare(&["init"]).current_dir(dir.path()));
    assert_eq!(again.code, Some(1), "a file that exists is not changed");
    assert!(again.err.contains("agent.toml"), "{}", again.err);
}

#[test]
fn a_file_elsewhere_is_named_and_its_paths_are_relative_to_it() {
    let scene = Scene::scripted(
        "{ tool_calls = [{ name = \"list_dir\" }] }, { expect = \"inner.txt\", text = \"Seen.\" }",
        "[hooks]\nenabled = false\n",
    );
    fs::create_dir(scene.path("inner")).unwrap();
    fs::rename(scene.path("agent.toml"), scene.path("inner/mine.toml")).unwrap();
    scene.write("inner/inner.txt", "");
    let ran = scene.run(&["--agent", "inner/mine.toml", "Look."]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Seen.\n"),
        "{ran:?}"
    );
}

#[test]
fn an_option_wins_over_the_file() {
    let scene = Scene::scripted(
        "{ text = \"of the file\" }",
        "[tools]\nbuilt-in = [\"read_file\"]\n[guards]\nmax-steps = 7\n",
    );
    scene.write(
        "other.json",
        r#"{ "responses": [{ "text": "of the option" }] }"#,
    );
    assert_eq!(scene.run(&["Hi"]).out, "of the file\n");
    let ran = scene.run(&[
        "--provider",
        "scripted:other.json",
        "--allow",
        "*",
        "--json",
        "Hi",
    ]);
    let lines = ran.lines();
    assert_eq!(
        lines[0]["tools"],
        serde_json::json!(["read_file", "write_file", "list_dir", "run_command"])
    );
    assert!(ran.out.contains("of the option"), "{}", ran.out);
}

#[test]
fn the_option_for_hooks_enables_them() {
    let scene = Scene::scripted("{ text = \"x\" }", "[hooks]\nenabled = false\n").probe("");
    let armed = |options: &[&str]| {
        let ran = scene.run(&[options, &["--json", "Hi"]].concat());
        ran.lines()[0]["armed"].clone()
    };
    assert_eq!(armed(&[]), serde_json::json!([]));
    assert_eq!(armed(&["--hooks", "hooks"]).as_array().unwrap().len(), 1);
    assert_eq!(
        armed(&["--hooks", "hooks", "--no-hooks"]),
        serde_json::json!([])
    );
    let checked = run(&mut scene.command(&["check"]));
    let expected = "agent.toml without hooks: `hooks.enabled = false`";
    assert!(checked.out.contains(expected), "{checked:?}");
}

#[test]
fn without_a_file_a_provider_must_be_named() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(portcullis(&["run", "--no-hooks", "Hi"]).current_dir(dir.path()));
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("there is no provider"), "{}", ran.err);
    assert!(ran.err.contains("--provider"), "{}", ran.err);
}

#[test]
fn the_instructions_may_be_in_a_file() {
    let server = super::loopback::Loopback::new(|_| (200, super::loopback::completion("Hi.")));
    let scene = Scene::new(&format!(
        "system-prompt-file = \"prompt.md\"\n[[providers]]\nkind = \"openai\"\nmodel = \"m-1\"\n\
         base-url = \"{}\"\nkey-file = \"key\"\nstream = false\n[model]\ntemperature = 0.5\n\
         max-output-tokens = 77\n",
        server.url
    ));
    scene.write("prompt.md", "Speak like a pirate.");
    scene.write("key", "sk-of-the-file\n");
    let ran = scene.run(&["Hello"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Hi.\n"), "{ran:?}");
    let (headers, body) = server.asked().remove(0);
    assert!(headers.contains("bearer sk-of-the-file"), "{headers}");
    assert_eq!(body["model"], "m-1");
    assert_eq!(body["messages"][0]["content"], "Speak like a pirate.");
    assert_eq!(body["temperature"], 0.5);
    assert!(body.to_string().contains("77"), "{body}");
}

#[test]
fn a_password_is_never_printed() {
    let scene = Scene::scripted("{ text = \"Hi.\" }", "");
    for url in ["mysql://ann:s3cret@h/d", "postgres://h/d?pasword=s3cret"] {
        let option = scene.run(&["--store", url, "Hi"]);
        let variable = run(scene
            .uncached(&["sessions", "list"])
            .env("PORTCULLIS_STORE", url));
        for ran in [option, variable] {
            assert_eq!(ran.code, Some(1), "{ran:?}");
            assert!(ran.err.contains("--store"), "{ran:?}");
            assert!(!format!("{ran:?}").contains("s3cret"), "{ran:?}");
        }
    }
}
