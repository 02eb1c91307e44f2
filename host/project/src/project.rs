//! A project on disk.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::error::read;
use crate::languages::SdkPackage;
use crate::manifest::{self, ManifestFault, SdkPlace};
use crate::{Contract, FileError, Language, Manifest, Point, Sdk};

/// The file that makes a directory a project.
pub const MANIFEST: &str = "portcullis.toml";

/// The directory of a project's component.
pub(crate) const OUTPUT: &str = "dist";

/// The directories of a project that contain build outputs.
const MADE: &[&str] = &[OUTPUT, "build", "target"];

/// The directories that contain tool outputs, at any depth.
const TOOLS: &[&str] = &["node_modules", "__pycache__"];

/// The directory of a project's cases.
pub(crate) const CASES: &str = "tests";

/// A directory with a `portcullis.toml`.
#[derive(Debug, Clone)]
pub struct Project {
    dir: PathBuf,
    manifest: Manifest,
}

/// There is no project, or its manifest is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// Neither the directory nor one above it has a `portcullis.toml`.
    #[error(
        "there is no {MANIFEST} in {} or above; `portcullis new NAME --lang LANGUAGE --points POINT` \
         makes a project",
        .0.display()
    )]
    NotFound(PathBuf),
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The manifest is not valid.
    #[error("{}", of_manifest(path, faults))]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The faults, with their places.
        faults: Vec<ManifestFault>,
    },
    /// The SDK of its language is no package.
    #[error(
        "{} says `sdk = \"{}\"`, and the SDK for {language} is no package: name the directory that it is in",
        path.display(),
        Sdk::PACKAGE
    )]
    NoPackage {
        /// The manifest.
        path: PathBuf,
        /// The language.
        language: Language,
    },
    /// The project is written for another contract than this host's.
    #[error(
        "{} is written for the contract {theirs}, this command has {ours}: {fix}, and set `contract = \"{ours}\"`",
        path.display()
    )]
    Contract {
        /// The manifest.
        path: PathBuf,
        /// The version that it names.
        theirs: String,
        /// The version there is.
        ours: String,
        /// The fix.
        fix: String,
    },
}

/// Returns a manifest's faults, one a line.
fn of_manifest(path: &Path, faults: &[ManifestFault]) -> String {
    let path = path.display();
    let lines = faults
        .iter()
        .map(|ManifestFault { line, problem }| match line {
            Some(line) => format!("{path}:{line}: {problem}"),
            None => format!("{path}: {problem}"),
        });
    lines.collect::<Vec<_>>().join("\n")
}

impl Project {
    /// Returns the project that `dir` is in: of it and the directories above it, the first that has a
    /// `portcullis.toml`.
    ///
    /// # Errors
    ///
    /// No project is found, or its manifest is wrong.
    pub fn find(dir: &Path) -> Result<Self, ProjectError> {
        let fault = |cause| FileError::new("find", dir, cause);
        let start = fs::canonicalize(dir).map_err(fault)?;
        let found = start.ancestors().find(|dir| dir.join(MANIFEST).is_file());
        match found {
            Some(dir) => Self::read(dir),
            None => Err(ProjectError::NotFound(dir.to_owned())),
        }
    }

    /// Returns the project in `dir`, which must contain its manifest.
    ///
    /// # Errors
    ///
    /// The manifest cannot be read, or is wrong.
    pub fn read(dir: &Path) -> Result<Self, ProjectError> {
        let dir = fs::canonicalize(dir).map_err(|cause| FileError::new("find", dir, cause))?;
        let path = dir.join(MANIFEST);
        let text =
            fs::read_to_string(&path).map_err(|cause| FileError::new("read", &path, cause))?;
        let manifest = match manifest::read(&text) {
            Ok(manifest) => manifest,
            Err(faults) => return Err(ProjectError::Manifest { path, faults }),
        };
        let ours = Contract::embedded().version();
        if manifest.contract != ours {
            let theirs = manifest.contract;
            let fix = match manifest.sdk {
                SdkPlace::Package => format!("use the SDK's package {}", SdkPackage::VERSION),
                SdkPlace::Dir(_) => {
                    "make a new project beside it with `portcullis new`, take its `sdk` and `wit`"
                        .to_owned()
                }
            };
            return Err(ProjectError::Contract {
                path,
                theirs,
                ours,
                fix,
            });
        }
        let language = manifest.language;
        if manifest.sdk == SdkPlace::Package && language.toolchain().package().is_none() {
            return Err(ProjectError::NoPackage { path, language });
        }
        Ok(Self { dir, manifest })
    }

    /// Returns its name, which is its hook's id.
    pub fn name(&self) -> &str {
        self.manifest.name.as_str()
    }

    /// Returns the hook's language.
    pub fn language(&self) -> Language {
        self.manifest.language
    }

    /// Returns the points its hook serves.
    pub fn points(&self) -> &[Point] {
        &self.manifest.points
    }

    /// Returns the project's directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns its manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the path of its manifest.
    pub(crate) fn manifest_file(&self) -> PathBuf {
        self.dir.join(MANIFEST)
    }

    /// Returns the directory of its cases; it may be missing.
    pub fn cases_dir(&self) -> PathBuf {
        self.dir.join(CASES)
    }

    /// Returns the path of its component.
    pub fn component(&self) -> PathBuf {
        self.dir.join(OUTPUT).join(format!("{}.wasm", self.name()))
    }

    /// Returns the directory of the project whose component goes into `output`, which need not
    /// exist; `None` if it is no project's.
    pub fn dir_of_output(output: &Path) -> Option<PathBuf> {
        let output = fs::canonicalize(output).or_else(|_| std::path::absolute(output));
        let output = output.ok().filter(|dir| dir.ends_with(OUTPUT))?;
        let dir = output.parent()?;
        dir.join(MANIFEST).is_file().then(|| dir.to_owned())
    }

    /// Returns whether its SDK is a package, and not in a directory.
    pub fn has_package(&self) -> bool {
        self.manifest.sdk == SdkPlace::Package
    }

    /// Returns the directory of the SDKs, one directory for each language. It is missing if the SDK
    /// is a package.
    pub fn sdk_dir(&self) -> PathBuf {
        let dir = match &self.manifest.sdk {
            SdkPlace::Dir(dir) => self.dir.join(dir),
            SdkPlace::Package => self.dir.join("sdk"),
        };
        // Tools show the path in errors, and `..` would make it hard to read.
        fs::canonicalize(&dir).unwrap_or(dir)
    }

    /// Returns the directory of the WIT. It is missing if the SDK is a package, which contains it.
    pub fn wit_dir(&self) -> PathBuf {
        let sdk = self.sdk_dir();
        sdk.parent().unwrap_or(&sdk).join("wit")
    }

    /// Returns the files that the component is made from, in order: all but cases, build outputs,
    /// and names that begin with a dot.
    pub fn sources(&self) -> Vec<PathBuf> {
        let mut sources = Vec::new();
        let cases = self.cases_dir();
        let made = MADE.iter().map(|name| self.dir.join(name));
        let left_out: Vec<PathBuf> = made.chain([cases]).collect();
        gather(&self.dir, &mut |dir| !left_out.contains(dir), &mut sources);
        sources.sort();
        sources
    }

    /// Returns a digest of the [sources](Self::sources), the same in any directory: the SHA-256 of
    /// the lines that `sha256sum` writes of them, in order, by their paths in the project.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn sources_digest(&self) -> Result<String, FileError> {
        let mut digest = Sha256::new();
        for file in self.sources() {
            let of_file = Sha256::digest(read(&file)?);
            let path = file.strip_prefix(&self.dir).unwrap_or(&file);
            let path = path.to_string_lossy().replace('\\', "/");
            digest.update(format!("{}  {path}\n", hex(&of_file)));
        }
        Ok(hex(&digest.finalize()))
    }

    /// Returns a digest of all that a build depends on in files: the sources, the SDK and the WIT.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn digest(&self) -> Result<String, FileError> {
        let mut files = self.sources();
        let sdk = self.sdk_dir();
        if !sdk.starts_with(&self.dir) {
            let folder = sdk.join(self.language().sdk_folder());
            gather(&folder, &mut |_| true, &mut files);
            gather(&self.wit_dir(), &mut |_| true, &mut files);
        }
        let mut digest = Sha256::new();
        for file in files {
            let bytes = read(&file)?;
            digest.update(file.to_string_lossy().as_bytes());
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(&bytes);
        }
        Ok(hex(&digest.finalize()))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Adds the files under `dir`. A directory that cannot be read has none.
fn gather(dir: &Path, enters: &mut dyn FnMut(&PathBuf) -> bool, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let path = entry.path();
        if name.starts_with('.') || TOOLS.contains(&name.as_ref()) {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && enters(&path) => gather(&path, enters, into),
            Ok(kind) if kind.is_file() => into.push(path),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn project(dir: &Path, contract: &str) {
        let manifest = format!(
            "name = \"a\"\nlanguage = \"c\"\npoints = [\"pre-turn\"]\ncontract = \"{contract}\"\n"
        );
        fs::write(dir.join(MANIFEST), manifest).unwrap();
    }

    #[test]
    fn a_project_is_found_from_within() {
        let dir = tempfile::tempdir().unwrap();
        project(dir.path(), "0.2.0");
        let within = dir.path().join("src/deep");
        fs::create_dir_all(&within).unwrap();
        assert_eq!(Project::find(&within).unwrap().name(), "a");
    }

    #[test]
    fn a_project_is_found_by_where_it_is_built() {
        let dir = tempfile::tempdir().unwrap();
        let output = dir.path().join("dist");
        assert_eq!(Project::dir_of_output(&output), None);
        project(dir.path(), "0.2.0");
        assert!(Project::dir_of_output(&output).is_some());
        fs::create_dir(&output).unwrap();
        let found = Project::dir_of_output(&dir.path().join("dist/../dist"));
        assert_eq!(found, Some(dir.path().canonicalize().unwrap()));
        assert_eq!(Project::dir_of_output(dir.path()), None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let error = Project::find(dir.path()).unwrap_err();
        assert!(matches!(error, ProjectError::NotFound(_)), "{error}");
        project(dir.path(), "0.0.9");
        let error = Project::find(dir.path()).unwrap_err();
        assert!(matches!(error, ProjectError::Contract { .. }), "{error}");
    }

    #[test]
    fn an_sdk_that_is_no_package_is_none() {
        let dir = tempfile::tempdir().unwrap();
        project(dir.path(), &Contract::embedded().version());
        let mut manifest = fs::OpenOptions::new();
        let mut manifest = manifest
            .append(true)
            .open(dir.path().join(MANIFEST))
            .unwrap();
        std::io::Write::write_all(&mut manifest, b"sdk = \"package\"\n").unwrap();
        let error = Project::read(dir.path()).unwrap_err();
        assert!(matches!(error, ProjectError::NoPackage { .. }), "{error}");
    }

    #[test]
    fn sources_are_what_a_person_wrote() {
        let dir = tempfile::tempdir().unwrap();
        project(dir.path(), "0.2.0");
        for file in [
            "src/hook.c",
            "dist/a.wasm",
            "tests/a.toml",
            ".git/x",
            "src/.x",
        ] {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        let project = Project::find(dir.path()).unwrap();
        let sources = project.sources();
        let names: Vec<_> = sources
            .iter()
            .map(|path| path.strip_prefix(project.dir()).unwrap())
            .collect();
        assert_eq!(names, [Path::new(MANIFEST), Path::new("src/hook.c")]);
        let digests = || (project.digest().unwrap(), project.sources_digest().unwrap());
        let before = digests();
        let elsewhere = tempfile::tempdir().unwrap();
        for file in [MANIFEST, "src/hook.c"] {
            let to = elsewhere.path().join(file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(dir.path().join(file), to).unwrap();
        }
        let copy = Project::find(elsewhere.path()).unwrap();
        assert_eq!(before.1, copy.sources_digest().unwrap());
        fs::write(project.dir().join("src/hook.c"), "y").unwrap();
        let after = digests();
        assert_ne!(before.0, after.0);
        assert_ne!(before.1, after.1);
    }

    #[test]
    fn an_sdk_outside_of_the_project_counts() {
        let dir = tempfile::tempdir().unwrap();
        let (within, sdk) = (dir.path().join("project"), dir.path().join("sdk/c"));
        for dir in [&within, &sdk] {
            fs::create_dir_all(dir).unwrap();
        }
        project(&within, &Contract::embedded().version());
        let mut manifest = fs::OpenOptions::new();
        let mut manifest = manifest.append(true).open(within.join(MANIFEST)).unwrap();
        std::io::Write::write_all(&mut manifest, b"sdk = \"../sdk\"\n").unwrap();
        let project = Project::read(&within).unwrap();
        let before = project.digest().unwrap();
        fs::write(sdk.join("portcullis.h"), "x").unwrap();
        assert_ne!(before, project.digest().unwrap());
    }
}
