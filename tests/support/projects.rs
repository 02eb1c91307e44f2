//! Components of the hook projects in this repository, built once for each state of their sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use portcullis_project::build::Options;
use portcullis_project::{Progress, Project};

use crate::root;

/// Returns the directory of the tests' build tools, which are installed once.
pub fn tools() -> PathBuf {
    root().join("target").join("toolchains")
}

/// Returns the component of the project in this directory of the repository.
pub fn project(dir: &str) -> PathBuf {
    static BUILT: OnceLock<Mutex<BTreeMap<String, PathBuf>>> = OnceLock::new();
    let built = BUILT.get_or_init(Mutex::default);
    let mut built = built.lock().unwrap_or_else(PoisonError::into_inner);
    built
        .entry(dir.to_owned())
        .or_insert_with(|| build(dir).unwrap_or_else(|error| panic!("{dir}: {error:#}")))
        .clone()
}

fn build(dir: &str) -> anyhow::Result<PathBuf> {
    let project = Project::read(&fs::canonicalize(root().join(dir))?)?;
    let place = root().join("target").join("projects");
    fs::create_dir_all(&place)?;
    let lock = fs::File::create(place.join(".lock"))?;
    lock.lock()?;
    let component = place
        .join(dir.replace(['/', '\\'], "-"))
        .with_extension("wasm");
    let key = component.with_extension("key");
    let state = format!(
        "{}\n{}\n",
        project.digest()?,
        project.language().packages().join("\n")
    );
    if component.is_file() && fs::read_to_string(&key).is_ok_and(|there| there == state) {
        return Ok(component);
    }
    let options = Options {
        tools: tools(),
        output: Some(component.clone()),
        ..Options::default()
    };
    project.build_with(&options, &mut |progress| match progress {
        Progress::Step(step) => eprintln!("{dir}: {step}"),
        Progress::Installing { what, .. } => eprintln!("{dir}: installing {what}"),
        _ => {}
    })?;
    fs::write(&key, state)?;
    Ok(component)
}

/// Returns the bytes of a component.
pub fn bytes(component: &Path) -> Vec<u8> {
    fs::read(component).expect("a component")
}
