//! Whether a build would make the component that is there.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::Project;

/// What a component is made of, as a digest, and the file beside the component that says so.
pub(super) struct Inputs {
    digest: String,
    record: PathBuf,
}

impl Inputs {
    /// Those of a project; `None` if its language does not say all of them, or if one cannot be read.
    pub(super) fn of(project: &Project) -> Option<Self> {
        let toolchain = project.language().toolchain();
        let mut files = vec![project.manifest_file()];
        for dir in toolchain.reads(project)? {
            below(&dir, &mut files)?;
        }
        files.sort();
        let mut digest = Sha256::new();
        digest.update(env!("CARGO_PKG_VERSION"));
        for package in toolchain.packages() {
            digest.update(package);
        }
        for file in files {
            let bytes = fs::read(&file).ok()?;
            digest.update(file.to_string_lossy().as_bytes());
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(&bytes);
        }
        let component = project.component();
        let name = format!(".{}.built", project.name());
        Some(Self {
            digest: hex(digest),
            record: component.with_file_name(name),
        })
    }

    /// Whether these are what the component in this file was made of.
    pub(super) fn are_of(&self, component: &Path) -> bool {
        let recorded = fs::read_to_string(&self.record);
        let component = fs::read(component);
        recorded.is_ok_and(|recorded| component.is_ok_and(|there| self.with(&there) == recorded))
    }

    /// Keeps that this component was made of these. If the record cannot be written, the next build builds.
    pub(super) fn keep(&self, component: &[u8]) {
        let _ = fs::write(&self.record, self.with(component));
    }

    fn with(&self, component: &[u8]) -> String {
        let component = Sha256::new_with_prefix(component);
        format!("{} {}\n", self.digest, hex(component))
    }
}

/// Adds the files under `dir`. `None` if it has a link, which may lead anywhere, or cannot be read.
fn below(dir: &Path, files: &mut Vec<PathBuf>) -> Option<()> {
    for entry in fs::read_dir(dir).ok()? {
        let entry = entry.ok()?;
        let kind = entry.file_type().ok()?;
        if kind.is_dir() && entry.file_name() != "__pycache__" {
            below(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        } else if kind.is_symlink() {
            return None;
        }
    }
    Some(())
}

fn hex(digest: Sha256) -> String {
    let digest = digest.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, NewProject, Sdk};

    fn project(dir: &Path, language: Language) -> Project {
        let points = vec!["pre-turn".parse().unwrap()];
        let new = NewProject::new("a", language, points, Sdk::Vendored).unwrap();
        new.write(dir).unwrap();
        Project::find(dir).unwrap()
    }

    #[test]
    fn a_component_is_kept_until_one_of_its_files_is_another_one() {
        let dir = tempfile::tempdir().unwrap();
        let project = project(dir.path(), Language::Python);
        let component = project.component();
        fs::create_dir_all(component.parent().unwrap()).unwrap();
        fs::write(&component, "built").unwrap();
        let is_kept = || Inputs::of(&project).unwrap().are_of(&component);
        assert!(!is_kept());
        Inputs::of(&project).unwrap().keep(b"built");
        assert!(is_kept());
        // Of what the build does not read, nothing counts.
        fs::write(dir.path().join("README.md"), "another").unwrap();
        assert!(is_kept());
        for file in [
            "src/helper.py",
            "sdk/python/src/portcullis/log.py",
            "dist/a.wasm",
        ] {
            Inputs::of(&project)
                .unwrap()
                .keep(&fs::read(&component).unwrap());
            assert!(is_kept(), "{file}");
            fs::write(dir.path().join(file), "another").unwrap();
            assert!(!is_kept(), "{file}");
        }
    }

    #[test]
    fn other_tools_know_what_has_changed() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Inputs::of(&project(dir.path(), Language::Rust)).is_none());
    }
}
