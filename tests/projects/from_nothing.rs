//! `portcullis new` and `portcullis build` from an empty directory, language by language.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use portcullis::hooks::CacheChoice;
use portcullis::{Decision, SessionOptions};
use portcullis_project::{
    BuildError, Contract, CreateError, Language, NewProject, Options, Point, Project, Sdk,
};
use portcullis_tests::{root, text, turn};

use super::{hooks_dir, in_rust};
use portcullis_workbench::{Sample, SampleOptions, Suite};

pub(super) fn make(dir: &Path, language: Language, points: Vec<Point>) -> Project {
    let new = NewProject::new("my-hook", language, points, Sdk::Vendored).expect("a project");
    new.write(dir).expect("its files");
    Project::find(dir).expect("the project")
}

pub(super) fn options() -> Options {
    Options {
        tools: root().join("target/toolchains"),
        ..Options::default()
    }
}

/// Builds a project, and returns its component. A Rust project is copied to the directory where all
/// of them are built.
pub(super) fn built(project: &Project) -> Vec<u8> {
    match project.language() {
        Language::Rust => in_rust::built_in_one_place(project, component),
        _ => component(project),
    }
}

fn component(project: &Project) -> Vec<u8> {
    let language = project.language();
    let component = project.build_with(&options(), &mut |_| {});
    let component = component.unwrap_or_else(|error| panic!("{language}: {error}"));
    fs::read(component).expect("the component")
}

/// Returns the component of a hook with these files. Hooks of the same files are built once, and
/// `first` runs before another test gets the component.
pub(super) fn built_once(
    language: Language,
    points: &[&str],
    files: &[(&str, &str)],
    first: impl FnOnce(&[u8]),
) -> Vec<u8> {
    static BUILT: Mutex<BTreeMap<String, Arc<OnceLock<Vec<u8>>>>> = Mutex::new(BTreeMap::new());
    let same = format!("{language} {points:?} {files:?}");
    let component = {
        let mut all = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(same).or_default())
    };
    let component = component.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a directory");
        let points = points.iter().copied().map(point).collect();
        let project = make(dir.path(), language, points);
        for (file, source) in files {
            fs::write(dir.path().join(file), source).expect("the source");
        }
        let component = built(&project);
        first(&component);
        component
    });
    component.clone()
}

pub(super) fn point(name: &str) -> Point {
    name.parse().expect("a point")
}

/// Checks that a new project builds unchanged, loads, and continues.
async fn builds_and_continues(language: Language) {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), language, vec![point("pre-turn")]);
    let bytes = built(&project);
    let settings = fs::read_to_string(dir.path().join("hooks.toml")).expect("the settings");
    let hooks = hooks_dir()
        .with_file("my-hook.wasm", &bytes)
        .settings(&settings)
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    assert!(matches!(verdict.decision, Decision::Passed), "{verdict:?}");
    assert_eq!(verdict.runs.len(), 1, "the hook was called");
    assert_eq!(text(&call), "hello");
}

#[tokio::test]
async fn rust() {
    builds_and_continues(Language::Rust).await;
}

#[tokio::test]
async fn c() {
    builds_and_continues(Language::C).await;
}

#[tokio::test]
async fn cpp() {
    builds_and_continues(Language::Cpp).await;
}

#[tokio::test]
async fn zig() {
    builds_and_continues(Language::Zig).await;
}

#[tokio::test]
async fn go() {
    builds_and_continues(Language::Go).await;
}

#[test]
fn every_point_has_a_stub_that_compiles_in_cpp() {
    every_point_has_a_stub_that_compiles(Language::Cpp);
}

#[test]
fn every_point_has_a_stub_that_compiles_in_zig() {
    every_point_has_a_stub_that_compiles(Language::Zig);
}

#[test]
fn every_point_has_a_stub_that_compiles_in_go() {
    every_point_has_a_stub_that_compiles(Language::Go);
}

fn every_point_has_a_stub_that_compiles(language: Language) {
    let dir = tempfile::tempdir().expect("a directory");
    built(&with_every_point(dir.path(), language));
}

fn with_every_point(dir: &Path, language: Language) -> Project {
    let all = Contract::embedded().points().iter();
    let all = all.map(|shape| point(&shape.name)).collect();
    make(dir, language, all)
}

#[test]
fn every_point_has_a_stub_that_compiles_in_c_and_a_case_that_passes() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = with_every_point(dir.path(), Language::C);
    built(&project);
    let options = SampleOptions {
        settings: Some(dir.path().to_owned()),
        cache: CacheChoice::None,
        ..SampleOptions::default()
    };
    let sample = Sample::open(&project.component(), &options).expect("the component");
    let report = Suite::new(&project.cases_dir())
        .run(&sample)
        .expect("the cases");
    let points = Contract::embedded().points().len();
    assert_eq!(
        (report.cases.len(), report.passed()),
        (points, true),
        "{report:?}"
    );
}

#[test]
fn what_does_not_compile_is_the_compilers_to_say() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::C, vec![point("pre-turn")]);
    fs::write(dir.path().join("src/hook.c"), "int nonsense = ;\n").expect("a file");
    let error = project.build_with(&options(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, BuildError::Tool { .. }), "{error}");
    assert!(error.to_string().contains("hook.c:1"), "{error}");
}

#[test]
fn offline_nothing_is_installed() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::C, vec![point("pre-turn")]);
    let options = Options {
        offline: true,
        tools: dir.path().join("tools"),
        ..Options::default()
    };
    match project.build_with(&options, &mut |_| {}) {
        // This machine has a compiler of its own.
        Ok(_) => {}
        Err(error) => assert!(matches!(error, BuildError::Offline { .. }), "{error}"),
    }
    assert!(!dir.path().join("tools/python/bin").exists());
}

#[test]
fn nothing_is_overwritten() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("mine"), "mine").expect("a file");
    let points = vec![point("pre-turn")];
    let new = NewProject::new("my-hook", Language::C, points, Sdk::Vendored).expect("a project");
    let error = new.write(dir.path()).unwrap_err();
    assert!(matches!(error, CreateError::Taken(_)), "{error}");
    assert_eq!(fs::read_dir(dir.path()).expect("it").count(), 1);
}
