//! The hooks in `bench/hooks`: the same guard in five languages, built with Portcullis's own tools.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use portcullis_project::build::Options;
use portcullis_project::{Language, Progress, Project};

/// The languages that the guard is written in.
pub const LANGUAGES: [Language; 5] = [
    Language::Rust,
    Language::C,
    Language::JavaScript,
    Language::Python,
    Language::Go,
];

/// Returns the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Builds the guard's component in one language, in the directory `to`. An unchanged component is
/// not built again.
///
/// # Errors
///
/// The component does not build, or its language's tools are missing.
pub fn build(language: Language, to: &Path) -> anyhow::Result<PathBuf> {
    let root = root().canonicalize()?;
    let dir = root.join("bench/hooks").join(language.name());
    let project = Project::read(&dir)?;
    fs::create_dir_all(to)?;
    let component = to.join(format!("{}.wasm", project.name()));
    let stamp = component.with_extension("digest");
    let digest = project.digest()?;
    if component.is_file() && fs::read_to_string(&stamp).is_ok_and(|built| built == digest) {
        return Ok(component);
    }
    eprintln!("hooks: building {}", project.name());
    let options = Options {
        tools: root.join("target/toolchains"),
        output: Some(component.clone()),
        ..Options::default()
    };
    let built = project.build_with(&options, &mut |progress| {
        if let Progress::Installing { what, .. } = progress {
            eprintln!("hooks: installing {what}");
        }
    });
    built.with_context(|| format!("{} does not build", dir.display()))?;
    fs::write(stamp, digest)?;
    Ok(component)
}
