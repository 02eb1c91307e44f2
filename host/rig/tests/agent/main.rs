//! Tests of the hook in rig's own agent, with a scripted model.

#[path = "../../examples/agent.rs"]
mod example;
mod script;
mod structured;
mod tools;

use std::process::Command;
use std::sync::Arc;

use futures::StreamExt as _;
use parking_lot::Mutex;
use portcullis::LoadOptions;
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_rig::PortcullisHook;
use portcullis_tests::{HooksDir, cache, component, root};
use rig_agent::AgentBuilder;
use rig_agent::tool::{DynamicTool, ToolOutput};
use serde_json::json;

use script::Script;

/// An agent with a tool that records its paths, with the probe as its hook.
struct Case {
    script: Script,
    paths: Arc<Mutex<Vec<String>>>,
    hook: PortcullisHook,
    _dir: HooksDir,
}

fn tool(paths: &Arc<Mutex<Vec<String>>>) -> DynamicTool {
    let paths = paths.clone();
    let schema =
        json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let name = "write".try_into().expect("a name");
    DynamicTool::new(name, "Writes a file.", schema, move |arguments| {
        let paths = paths.clone();
        Box::pin(async move {
            let path = arguments["path"].as_str().unwrap_or_default().to_owned();
            paths.lock().push(path.clone());
            Ok(ToolOutput::text(format!("wrote {path}")))
        })
    })
}

/// Returns the probe as a hook, with these settings.
fn hooks(settings: &str) -> HooksDir {
    let grants = r#"state = true
        events = true
        contribute = ["policy", "context", "section", "tools", "note", "job"]"#;
    let settings = format!("[hooks.probe.grants]\n{grants}\n[hooks.probe.config]\n{settings}\n");
    HooksDir::new().with("probe").settings(&settings)
}

fn bridge(dir: &HooksDir) -> Arc<Bridge> {
    let load = LoadOptions {
        cache: cache(),
        ..LoadOptions::default()
    };
    Arc::new(Bridge::load(dir.path(), load, BridgeOptions::default()).expect("hooks"))
}

impl Case {
    async fn new(settings: &str) -> Self {
        Self::of(hooks(settings)).await
    }

    async fn of(dir: HooksDir) -> Self {
        Self {
            script: Script::calling("write", "a"),
            paths: Arc::default(),
            hook: PortcullisHook::start(bridge(&dir), "s")
                .await
                .expect("a session"),
            _dir: dir,
        }
    }

    fn agent(&self) -> rig_agent::Agent {
        let builder = AgentBuilder::new(self.script.model()).dynamic_tool(tool(&self.paths));
        builder.add_hook(self.hook.clone()).build()
    }

    async fn run(&self) -> Result<String, String> {
        let answer = self.agent().prompt("Hello").max_turns(4).await;
        answer
            .map(|answer| answer.to_string())
            .map_err(|error| error.to_string())
    }

    fn paths(&self) -> Vec<String> {
        self.paths.lock().clone()
    }

    fn calls(&self) -> usize {
        self.script.asked.lock().len()
    }
}

/// The book's example, in a process and a directory of its own.
#[test]
fn the_example_runs() {
    let place = tempfile::tempdir().expect("a directory");
    let dir = place.path().join("hooks");
    std::fs::create_dir(&dir).expect("a directory");
    std::fs::copy(component("path-jail"), dir.join("path-jail.wasm")).expect("a hook");
    std::fs::write(dir.join("hooks.toml"), "[hooks.path-jail]\n").expect("the settings");
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "example_in_this_directory", "--ignored"])
        .current_dir(place.path())
        .env(
            "XDG_CACHE_HOME",
            root()
                .canonicalize()
                .expect("the workspace")
                .join("target/test-cache"),
        )
        .status();
    assert!(status.expect("it starts").success());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it is run by `the_example_runs`"]
async fn example_in_this_directory() {
    let script = Script::calling("write", "../notes.md");
    let paths = Arc::default();
    let answer = example::run(script.model(), tool(&paths))
        .await
        .expect("an answer");
    assert_eq!(answer, "done");
    assert!(paths.lock().is_empty());
    let output = script.output();
    assert!(output.contains("hook `path-jail` refused"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_changes_the_arguments() {
    let case = Case::new(r#"pre-tool-call = 'transform {"path":"b"}'"#).await;
    assert_eq!(case.run().await.unwrap(), "done");
    assert_eq!(case.paths(), ["b"]);
    assert!(case.script.output().contains("wrote b"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_tool_does_not_run() {
    let case = Case::new("pre-tool-call = \"reject \\u001b[31m\"").await;
    assert_eq!(case.run().await.unwrap(), "done");
    assert!(case.paths().is_empty());
    let output = case.script.output();
    assert!(
        output.contains("The tool was not run: hook `probe` refused"),
        "{output}"
    );
    assert!(!output.contains("u001b"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guard_that_traps_blocks() {
    let case = Case::new("pre-tool-call = \"panic\"").await;
    case.run().await.unwrap();
    assert!(case.paths().is_empty());
    assert!(case.script.output().contains("failed (trap)"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_nobody_answers_blocks() {
    let case = Case::new("pre-tool-call = \"ask May it?\"").await;
    case.run().await.unwrap();
    assert!(case.paths().is_empty());
    assert!(
        case.script
            .output()
            .contains("nobody has answered: May it?")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_answers_in_place_of_the_tool() {
    let case = Case::new("pre-tool-call = \"answer from the hook\"").await;
    case.run().await.unwrap();
    assert!(case.paths().is_empty());
    let output = case.script.output();
    assert!(
        output.contains("from the hook") && !output.contains("is_error"),
        "{output}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_redacts_the_output() {
    let case = Case::new("post-tool-call = \"transform redacted\"").await;
    case.run().await.unwrap();
    let output = case.script.output();
    assert!(
        output.contains("redacted") && !output.contains("wrote a"),
        "{output}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_output_is_withheld() {
    for action in ["reject", "panic"] {
        let case = Case::new(&format!("post-tool-call = \"{action}\"")).await;
        case.run().await.unwrap();
        assert_eq!(case.paths(), ["a"]);
        let output = case.script.output();
        assert!(
            output.contains("The tool's output was withheld") && !output.contains("wrote a"),
            "{output}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_change_both_ends_of_a_turn() {
    let case = Case::new("pre-turn = \"append , you\"\npost-turn = \"append !\"").await;
    assert_eq!(case.run().await.unwrap(), "done!");
    let asked = serde_json::to_string(&case.script.asked.lock()[0].chat_history).unwrap();
    assert!(asked.contains("Hello, you"), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_calls_no_model() {
    for (point, text) in [
        (
            "pre-turn = \"reject\"",
            "The turn was not started: hook `probe` refused",
        ),
        (
            "pre-turn = \"answer from the hook\"",
            "which rig has no form for",
        ),
        (
            "pre-llm-call = \"reject\"",
            "The model was not called: hook `probe` refused",
        ),
        ("pre-llm-call = \"panic\"", "failed (trap)"),
        (
            "pre-llm-call = \"answer from the hook\"",
            "which rig has no form for",
        ),
    ] {
        let case = Case::new(point).await;
        let error = case.run().await.unwrap_err();
        assert!(error.contains(text), "{point}: {error}");
        assert_eq!(case.calls(), 0, "{point}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_withheld() {
    for (point, text, paths) in [
        ("post-llm-call", "The model's answer was withheld", &[][..]),
        ("post-turn", "The answer was withheld", &["a"][..]),
    ] {
        let case = Case::new(&format!("{point} = \"reject\"")).await;
        let error = case.run().await.unwrap_err();
        assert!(error.contains(text), "{point}: {error}");
        assert_eq!(case.paths(), paths, "{point}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_changes_what_the_model_says() {
    let mut case = Case::new("post-llm-call = \"append !\"").await;
    case.script = Script::default();
    assert_eq!(case.run().await.unwrap(), "and no more!");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_answer_with_a_tool_call_is_refused() {
    let case = Case::new("post-llm-call = \"transform other\"").await;
    let error = case.run().await.unwrap_err();
    assert!(error.contains("which rig cannot change"), "{error}");
    assert!(case.paths().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_changes_the_request() {
    let bye = json!({"role": "user", "content": [{"text": "Bye"}]});
    let edit = json!({
        "model": "small", "temperature": 0.5, "max-output-tokens": 7, "tools": [],
        "messages": [{"set": [0, bye]}],
    });
    let dir = HooksDir::new()
        .with_file("outcome.json", json!({"transform": edit}).to_string().as_bytes())
        .settings(
            "[scripts.told]\ncommand = [\"cat\", \"outcome.json\"]\npoints = [\"pre-llm-call\"]\nrole = \"transform\"\n",
        );
    let case = Case::of(dir).await;
    case.run().await.ok();
    let asked = case.script.asked.lock();
    let asked = asked.first().expect("a call of the model");
    let settings = (asked.model.as_deref(), asked.temperature, asked.max_tokens);
    assert_eq!(settings, (Some("small"), Some(0.5), Some(7)));
    assert!(asked.tools.is_empty());
    let history = serde_json::to_string(&asked.chat_history).unwrap();
    assert!(
        history.contains("Bye") && !history.contains("Hello"),
        "{history}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_run_passes_the_same_hooks() {
    let case = Case::new(r#"pre-tool-call = 'transform {"path":"b"}'"#).await;
    let mut stream = case.agent().prompt("Hello").max_turns(4).stream();
    while let Some(item) = stream.next().await {
        item.unwrap();
    }
    assert_eq!(case.paths(), ["b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_refused_at_its_start() {
    let dir = hooks("session-start = \"reject\"");
    let bridge = bridge(&dir);
    let error = PortcullisHook::start(bridge.clone(), "s")
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("The session was not started: hook `probe` refused"),
        "{error}"
    );
    assert_eq!(bridge.open_sessions(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_session_ends() {
    let dir = hooks("");
    let bridge = bridge(&dir);
    let hook = PortcullisHook::start(bridge.clone(), "s").await.unwrap();
    assert_eq!(bridge.open_sessions(), 1);
    hook.end().await.unwrap();
    assert_eq!(bridge.open_sessions(), 0);
}
