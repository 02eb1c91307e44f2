//! Builds the example hooks that are not in Rust: each is a project with a `portcullis.toml`.

use std::fs;
use std::path::{Path, PathBuf};

use portcullis_project::{BuildError, Language, Options, Progress, Project};

use xtask::{Error, Result};

/// The directory of the projects.
const SOURCES: &str = "example-hooks";

/// The directory of their components. It is apart from that of the Rust components, so that
/// programs that need only Rust, such as the demonstration, are the same on every machine.
const COMPONENTS: &str = "target/project-hooks";

/// The treatment of a hook whose language's tools are missing and cannot be installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Leave it out, with a line that states how to get the tools.
    Skipped,
    /// Fail.
    Fails,
}

/// Builds all projects. A project whose sources, SDK and contract have not changed is not built
/// again. Tools are installed into `target/toolchains`.
///
/// # Errors
///
/// A project does not build, or its tools are missing.
pub fn build(root: &Path, missing: Missing) -> Result<()> {
    let to = root.join(COMPONENTS);
    fs::create_dir_all(&to).map_err(|cause| Error::file("make", &to, &cause))?;
    let mut wanted = Vec::new();
    for project in projects(root)? {
        wanted.push(format!("{}.wasm", project.name()));
        one(root, &project, &to, missing)?;
    }
    remove_stale(&to, &wanted)
}

fn one(root: &Path, project: &Project, to: &Path, missing: Missing) -> Result<()> {
    let name = project.name();
    let component = to.join(format!("{name}.wasm"));
    let stamp = to.join(format!("{name}.digest"));
    let digest = project
        .digest()
        .map_err(|cause| Error::new(cause.to_string()))?;
    let is_current = fs::read_to_string(&stamp).is_ok_and(|built| built == digest);
    if is_current && component.is_file() {
        return Ok(());
    }
    eprintln!("hooks: building {name}, in {}", project.language());
    let mut options = options(root);
    options.output = Some(component.clone());
    match project.build_with(&options, &mut tell) {
        Ok(_) => {}
        Err(cause @ BuildError::Missing { .. }) if missing == Missing::Skipped => {
            eprintln!("hooks: {name} is left out: {cause}");
            return Ok(());
        }
        Err(cause) => {
            return Err(Error::new(format!(
                "the hook `{name}` does not build: {cause}"
            )));
        }
    }
    let bytes = fs::metadata(&component).map_or(0, |made| made.len());
    eprintln!("hooks: {name}, {} kB", bytes.div_ceil(1000));
    fs::write(&stamp, digest).map_err(|cause| Error::file("write", &stamp, &cause))
}

/// Returns the build options for projects of this repository.
pub(crate) fn options(root: &Path) -> Options {
    Options {
        tools: root.join("target/toolchains"),
        ..Options::default()
    }
}

/// Reports what is installed.
pub(crate) fn tell(progress: Progress<'_>) {
    if let Progress::Installing { what, .. } = progress {
        eprintln!("hooks: installing {what}");
    }
}

fn projects(root: &Path) -> Result<Vec<Project>> {
    let dir = root.join(SOURCES);
    let fault = |cause: &std::io::Error| Error::file("read", &dir, cause);
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&dir).map_err(|cause| fault(&cause))? {
        let path = entry.map_err(|cause| fault(&cause))?.path();
        if path.join("portcullis.toml").is_file() {
            found.push(path);
        }
    }
    found.sort();
    let read = found.iter().map(|dir| Project::read(dir));
    let all: std::result::Result<Vec<_>, _> = read.collect();
    let all = all.map_err(|cause| Error::new(cause.to_string()))?;
    let others = all.into_iter();
    Ok(others
        .filter(|project| project.language() != Language::Rust)
        .collect())
}

fn remove_stale(dir: &Path, wanted: &[String]) -> Result<()> {
    let fault = |cause: &std::io::Error| Error::file("read", dir, cause);
    for entry in fs::read_dir(dir).map_err(|cause| fault(&cause))? {
        let path = entry.map_err(|cause| fault(&cause))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".wasm") && !wanted.iter().any(|wanted| *wanted == name) {
            fs::remove_file(&path).map_err(|cause| Error::file("remove", &path, &cause))?;
        }
    }
    Ok(())
}
