//! From an empty directory to a hook that runs, in each scripting language.

use portcullis::SessionOptions;
use portcullis_project::build::Options;
use portcullis_project::{Language, NewProject, Project, Sdk};
use portcullis_tests::{HooksDir, projects, tool_call, turn};

use crate::speech::PATIENT;

async fn start(language: Language) {
    let place = tempfile::tempdir().expect("a directory");
    let points = ["pre-turn", "pre-tool-call", "session-end"]
        .map(|point| point.parse().expect("a point"))
        .to_vec();
    let dir = place.path().join("first-steps");
    NewProject::new("first-steps", language, points, Sdk::Vendored)
        .expect("a project")
        .write(&dir)
        .expect("its files");
    let options = Options {
        tools: projects::tools(),
        ..Options::default()
    };
    let component = Project::find(&dir)
        .expect("the project")
        .build_with(&options, &mut |_| {})
        .unwrap_or_else(|error| panic!("{language}: {error}"));
    let session = HooksDir::new()
        .with_file("first-steps.wasm", &projects::bytes(&component))
        .settings(PATIENT)
        .load()
        .session(SessionOptions::new("test"));
    let verdict = session.run(&mut turn("hello")).await;
    assert!(verdict.decision.passed(), "{language}: {verdict:?}");
    assert_eq!(verdict.runs.len(), 1, "{language}");
    assert_eq!(verdict.runs[0].cause(), None, "{language}: {verdict:?}");
    let verdict = session.run(&mut tool_call(r#"{"path":"a"}"#)).await;
    assert!(verdict.decision.passed(), "{language}: {verdict:?}");
}

#[tokio::test]
async fn in_javascript() {
    start(Language::JavaScript).await;
}

#[tokio::test]
async fn in_typescript() {
    start(Language::TypeScript).await;
}

#[tokio::test]
async fn in_python() {
    start(Language::Python).await;
}
