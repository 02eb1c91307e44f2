//! Builds hooks that run, from an empty directory, in each scripting language.

use std::fs;
use std::path::Path;

use portcullis::points::SessionEnd;
use portcullis::verdict::Cause;
use portcullis::{Session, SessionOptions, Verdict};
use portcullis_project::build::Options;
use portcullis_project::{Language, NewProject, Project, Sdk};
use portcullis_tests::{Sample, projects, tool_call, turn};

use crate::hooks_dir;
use crate::speech::PATIENT;

/// Opens a session with the hook of a new project, after this change to its source.
async fn start(language: Language, change: impl FnOnce(&Path)) -> Session {
    let place = tempfile::tempdir().expect("a directory");
    let points = ["pre-turn", "pre-tool-call", "session-end"]
        .map(|point| point.parse().expect("a point"))
        .to_vec();
    let dir = place.path().join("first-steps");
    NewProject::new("first-steps", language, points, Sdk::Vendored)
        .expect("a project")
        .write(&dir)
        .expect("its files");
    change(&dir);
    let options = Options {
        tools: projects::tools(),
        ..Options::default()
    };
    let component = Project::find(&dir)
        .expect("the project")
        .build_with(&options, &mut |_| {})
        .unwrap_or_else(|error| panic!("{language}: {error}"));
    let session = hooks_dir()
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
    session
}

/// Runs the session's end.
async fn end(session: &Session) -> Verdict<SessionEnd> {
    session.run(&mut SessionEnd::sample()).await
}

#[tokio::test]
async fn in_javascript() {
    let session = start(Language::JavaScript, |_| {}).await;
    assert_eq!(end(&session).await.runs[0].cause(), None);
}

#[tokio::test]
async fn in_typescript() {
    let session = start(Language::TypeScript, |_| {}).await;
    assert_eq!(end(&session).await.runs[0].cause(), None);
}

#[tokio::test]
async fn in_go() {
    let session = start(Language::Go, |_| {}).await;
    assert_eq!(end(&session).await.runs[0].cause(), None);
}

/// A call that would end a process only ends the call, as any other exception does. (In the same
/// component: a Python runtime takes long to compile.)
#[tokio::test]
async fn in_python_where_leaving_is_a_failure() {
    let session = start(Language::Python, |dir| {
        let path = dir.join("src/hook.py");
        let source = fs::read_to_string(&path).expect("the hook");
        let says = "log.info(\"session-end\", turn=context.turn)";
        let changed = source.replace(says, "raise SystemExit(3)");
        assert_ne!(source, changed, "the template has changed");
        fs::write(&path, changed).expect("the hook");
    })
    .await;
    let verdict = end(&session).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError));
    assert!(format!("{verdict:?}").contains("SystemExit"), "{verdict:?}");
    let verdict = session.run(&mut turn("hello")).await;
    assert!(verdict.decision.passed(), "{verdict:?}");
}
