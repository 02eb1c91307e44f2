//! Jobs, memory and stores.

use super::scene::{Scene, first};

#[cfg(unix)]
#[test]
fn a_command_runs_the_jobs_of_hooks() {
    let scene = Scene::scripted(
        "{ text = \"Hi.\" }",
        "[jobs.tidy]\ncommand = [\"sh\", \"-c\", \"cat > job.json\"]\n",
    )
    .probe("post-turn = \"contribute job tidy\"");
    let events = scene.events("Hi");
    assert!(first(&events, "job-done")["error"].is_null(), "{events:#?}");
    let job = std::fs::read_to_string(scene.path("job.json")).unwrap();
    let job: serde_json::Value = serde_json::from_str(&job).unwrap();
    assert_eq!(
        (&job["name"], &job["hook"]),
        (&"tidy".into(), &"probe".into()),
        "{job}"
    );
}

#[cfg(unix)]
#[test]
fn a_command_is_relative_to_the_file_and_runs_in_the_working_directory() {
    use std::os::unix::fs::PermissionsExt as _;
    let scene = Scene::scripted(
        "{ text = \"Hi.\" }",
        "[hooks]\ndir = \"../hooks\"\n[jobs.tidy]\ncommand = [\"./tidy.sh\"]\n",
    )
    .probe("post-turn = \"contribute job tidy\"");
    for dir in ["inner", "work"] {
        std::fs::create_dir(scene.path(dir)).unwrap();
    }
    std::fs::rename(scene.path("agent.toml"), scene.path("inner/agent.toml")).unwrap();
    scene.write("inner/tidy.sh", "#!/bin/sh\ntouch tidied\n");
    let script = scene.path("inner/tidy.sh");
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ran = scene.run(&["--agent", "inner/agent.toml", "--workdir", "work", "Hi"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(scene.path("work/tidied").exists(), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_job_fails_with_the_words_of_its_command() {
    let scene = Scene::scripted(
        "{ text = \"Hi.\" }",
        "[jobs.tidy]\ncommand = [\"sh\", \"-c\", \"echo broken >&2; exit 4\"]\n",
    )
    .probe("post-turn = \"contribute job tidy\"");
    let events = scene.events("Hi");
    let error = first(&events, "job-done")["error"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(error.contains("4") && error.contains("broken"), "{error}");
}

#[test]
fn a_tool_runs_the_jobs_of_hooks_and_the_policy_decides() {
    let done = |policy: &str| {
        let scene = Scene::scripted(
            "{ text = \"Hi.\" }",
            &format!("[jobs.tidy]\ntool = \"list_dir\"\n{policy}"),
        )
        .probe("post-turn = \"contribute job tidy\"");
        first(&scene.events("Hi"), "job-done")["error"].clone()
    };
    assert!(done("").is_null());
    let denied = done("[policy]\ndeny = [\"list_dir\"]\n");
    assert!(denied.as_str().unwrap().contains("deny list"), "{denied}");
}

#[test]
fn memory_recalls_in_a_later_session() {
    let scene = Scene::scripted(
        "{ text = \"Noted.\" }",
        "[memory]\n[stores]\nurl = \"sqlite:kept/store.sqlite\"\n",
    );
    assert_eq!(scene.run(&["My cat is called Mia."]).out, "Noted.\n");
    scene.write(
        "next.json",
        r#"{ "responses": [{ "expect_absent": "Mia", "text": "nothing was recalled" }] }"#,
    );
    let ran = scene.run(&["--provider", "scripted:next.json", "What is my cat called?"]);
    assert!(
        ran.err.contains("expects `Mia` in no message, but it is"),
        "{ran:?}"
    );
}

#[test]
fn memory_recalls_what_was_said_in_another_directory_only_if_the_file_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store.sqlite");
    let scene = |scope: &str| {
        let store = store.display();
        Scene::scripted(
            "{ text = \"Noted.\" }",
            &format!("[memory]\n{scope}\n[stores]\nurl = 'sqlite:{store}'\n"),
        )
    };
    assert_eq!(scene("").run(&["My cat is called Mia."]).out, "Noted.\n");
    let asked = |scope: &str| {
        let scene = scene(scope);
        scene.write(
            "next.json",
            r#"{ "responses": [{ "expect_absent": "Mia", "text": "nothing was recalled" }] }"#,
        );
        scene.run(&["--provider", "scripted:next.json", "What is my cat called?"])
    };
    assert_eq!(asked("").out, "nothing was recalled\n");
    assert_eq!(asked("scope = \"directory\"").out, "nothing was recalled\n");
    let ran = asked("scope = \"agent\"");
    assert!(
        ran.err.contains("expects `Mia` in no message, but it is"),
        "{ran:?}"
    );
}

#[test]
fn the_store_is_where_the_file_says() {
    let run = |stores: &str| {
        let scene = Scene::scripted("{ text = \"Hi.\" }", stores).probe("");
        let mut command = scene.command(&["run", "Hi"]);
        let ran = crate::support::run(
            command
                .env_remove("XDG_STATE_HOME")
                .env("HOME", scene.path("")),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        scene
    };
    assert!(
        run("[stores]\nurl = \"sqlite:of/mine.sqlite\"\n")
            .path("of/mine.sqlite")
            .exists()
    );
    let users = run("");
    assert!(users.path(".local/state/portcullis/store.sqlite").exists());
}
