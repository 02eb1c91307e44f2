//! The five minutes of each language: a project is made, gets the source that the book shows, and is
//! built; the hook then does what the book says.

use std::fs;

use portcullis::{Decision, SessionOptions};
use portcullis_project::build::Options;
use portcullis_project::{Language, NewProject, Project, Sdk};
use portcullis_tests::{HooksDir, projects, turn};

/// What the book says of the hook, and more time than a runtime takes to start on a busy machine.
const SETTINGS: &str = "[hooks.word-filter.config]\nblocked = [\"frobnicate\"]\n\
    [engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
    [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n";

async fn five_minutes(language: Language, shown: &str) {
    let place = tempfile::tempdir().expect("a directory");
    let dir = place.path().join("word-filter");
    let points = vec!["pre-turn".parse().expect("a point")];
    NewProject::new("word-filter", language, points, Sdk::Vendored)
        .expect("a project")
        .write(&dir)
        .expect("its files");
    let source = dir.join("src").join(shown);
    assert!(source.exists(), "{}", source.display());
    let shown = xtask::root().join("docs/hooks/word-filter").join(shown);
    fs::copy(shown, source).expect("the source that is shown");
    let options = Options {
        tools: projects::tools(),
        ..Options::default()
    };
    let component = Project::find(&dir)
        .expect("the project")
        .build_with(&options, &mut |_| {})
        .unwrap_or_else(|error| panic!("{language}: {error}"));
    let session = HooksDir::new()
        .with_file("word-filter.wasm", &projects::bytes(&component))
        .settings(SETTINGS)
        .load()
        .session(SessionOptions::new("book"));
    let verdict = session.run(&mut turn("please frobnicate")).await;
    match verdict.decision {
        Decision::Rejected { rejection, .. } => assert_eq!(rejection.code, "blocked-word"),
        other => panic!("{language}: {other:?}"),
    }
    let verdict = session.run(&mut turn("please help")).await;
    assert!(verdict.decision.passed(), "{language}: {verdict:?}");
}

#[tokio::test]
async fn in_c() {
    five_minutes(Language::C, "hook.c").await;
}

#[tokio::test]
async fn in_javascript() {
    five_minutes(Language::JavaScript, "hook.js").await;
}

#[tokio::test]
async fn in_typescript() {
    five_minutes(Language::TypeScript, "hook.ts").await;
}

#[tokio::test]
async fn in_python() {
    five_minutes(Language::Python, "hook.py").await;
}
