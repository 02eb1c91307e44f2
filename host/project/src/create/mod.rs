//! Making a project.

mod render;

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::BuildError;
use crate::error::write;
use crate::languages::SdkPackage;
use crate::manifest::{BadName, Name};
use crate::{Contract, FileError, Language, Point, Project, ProjectError};

/// The source of a new project's SDK.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sdk {
    /// The sources in this program: they and the WIT are written into the project.
    Vendored,
    /// A checkout of Portcullis, which the project then needs.
    Checkout(PathBuf),
    /// The package of this version, from the registry of the language.
    Package,
    /// A packed SDK on this machine, which the project then needs.
    Packed(PathBuf),
}

impl Sdk {
    /// The word for [`Package`](Self::Package), here and in `portcullis.toml`.
    pub const PACKAGE: &'static str = "package";

    /// Returns the SDK at a path that a person named: `package`, a checkout, or a packed SDK.
    pub fn named(path: PathBuf) -> Self {
        let is_crate = || path.join("Cargo.toml").is_file() && !path.join("guest-sdk").is_dir();
        if path == Path::new(Self::PACKAGE) {
            Self::Package
        } else if path.is_dir() && !is_crate() {
            Self::Checkout(path)
        } else {
            Self::Packed(path)
        }
    }
}

/// A project that is not written yet.
#[derive(Debug, Clone)]
pub struct NewProject {
    name: Name,
    language: Language,
    points: Vec<Point>,
    sdk: Sdk,
}

/// A project could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// The name is not valid.
    #[error(transparent)]
    Name(#[from] BadName),
    /// A hook that serves no point is never called.
    #[error("a hook serves at least one point; `portcullis points` lists them")]
    NoPoints,
    /// The directory is not empty.
    #[error("{} exists and is not empty; nothing was written", .0.display())]
    Taken(PathBuf),
    /// The directory is not a checkout.
    #[error("{} is not a checkout of Portcullis: it has no {what}", dir.display())]
    NoCheckout {
        /// The directory.
        dir: PathBuf,
        /// The missing part.
        what: String,
    },
    /// The SDK of the language is no package.
    #[error(
        "there is no package of the SDK for {language}; {} have one. Without --sdk the project gets a copy of the SDK",
        with_packages()
    )]
    NoPackage {
        /// The language.
        language: Language,
    },
    /// The path is not a packed SDK of the language.
    #[error("{} is not the packed SDK for {language}, which is {what}", path.display())]
    NotPacked {
        /// The path that was named.
        path: PathBuf,
        /// The language.
        language: Language,
        /// The expected kind.
        what: &'static str,
    },
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The written project cannot be read back.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The generated files that its sources include could not be made.
    #[error(transparent)]
    Generate(#[from] BuildError),
    /// A template is wrong, which is a bug in this program.
    #[error("the template {file} cannot be rendered: {cause}")]
    Template {
        /// The template.
        file: String,
        /// The cause.
        cause: Box<minijinja::Error>,
    },
}

impl NewProject {
    /// Returns a project for a hook of that name, which serves these points.
    ///
    /// # Errors
    ///
    /// The name or the checkout is not valid, or there is no point.
    pub fn new(
        name: &str,
        language: Language,
        mut points: Vec<Point>,
        sdk: Sdk,
    ) -> Result<Self, CreateError> {
        let name = Name::try_from(name.to_owned())?;
        if points.is_empty() {
            return Err(CreateError::NoPoints);
        }
        let order = |point: &Point| {
            let known = Contract::embedded().points();
            known.iter().position(|known| known.name == point.name())
        };
        points.sort_by_key(order);
        points.dedup();
        let sdk = match sdk {
            Sdk::Vendored => Sdk::Vendored,
            Sdk::Checkout(dir) => Sdk::Checkout(checkout(&dir, language)?),
            Sdk::Package => {
                package(language)?;
                Sdk::Package
            }
            Sdk::Packed(path) => Sdk::Packed(packed(&path, language)?),
        };
        Ok(Self {
            name,
            language,
            points,
            sdk,
        })
    }

    /// Writes the project into `dir`, which is created or must be empty, with the generated files
    /// that its sources include, so that editors understand the sources before a build. Returns the
    /// files, relative to `dir`, without those in `build`.
    ///
    /// # Errors
    ///
    /// The directory is not empty; then nothing is written. A file cannot be written, or the
    /// generated files cannot be made; then the directory contains a part of the project.
    pub fn write(&self, dir: &Path) -> Result<Vec<PathBuf>, CreateError> {
        let is_free = match fs::read_dir(dir) {
            Ok(mut entries) => entries.next().is_none(),
            Err(cause) => cause.kind() == std::io::ErrorKind::NotFound,
        };
        if !is_free {
            return Err(CreateError::Taken(dir.to_owned()));
        }
        let files = self.files()?;
        for (path, bytes) in &files {
            write(&dir.join(path), bytes)?;
        }
        self.language.toolchain().generate(&Project::read(dir)?)?;
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }

    /// Returns all its files.
    fn files(&self) -> Result<Vec<(PathBuf, Vec<u8>)>, CreateError> {
        let mut files = render::files(self)?;
        if self.sdk == Sdk::Vendored {
            let sdk = self.language.toolchain().sdk().into_iter();
            files.extend(sdk.map(|(path, bytes)| (Path::new("sdk").join(path), bytes)));
            let wit = Contract::files().into_iter();
            files.extend(wit.map(|(path, text)| (Path::new("wit").join(path), text.into())));
        }
        Ok(files)
    }

    /// Returns the directory of the SDKs, as the project's files name it; `None` if the SDK is a
    /// package.
    fn sdk_dir(&self) -> Option<PathBuf> {
        match &self.sdk {
            Sdk::Vendored => Some(PathBuf::from("sdk")),
            Sdk::Checkout(dir) => Some(dir.join("guest-sdk")),
            Sdk::Package | Sdk::Packed(_) => None,
        }
    }
}

fn package(language: Language) -> Result<SdkPackage, CreateError> {
    let package = language.toolchain().package();
    package.ok_or(CreateError::NoPackage { language })
}

/// Returns the languages whose SDK is a package.
fn with_packages() -> String {
    let all = Language::ALL.iter();
    let names = all.filter(|language| language.toolchain().package().is_some());
    let names: Vec<&str> = names.map(|language| language.name()).collect();
    names.join(", ")
}

fn packed(path: &Path, language: Language) -> Result<PathBuf, CreateError> {
    let package = package(language)?;
    let found = fs::canonicalize(path).ok().filter(|path| package.is(path));
    found.ok_or_else(|| CreateError::NotPacked {
        path: path.to_owned(),
        language,
        what: package.packed.what(),
    })
}

fn checkout(dir: &Path, language: Language) -> Result<PathBuf, CreateError> {
    let missing = |what: &str| CreateError::NoCheckout {
        dir: dir.to_owned(),
        what: what.to_owned(),
    };
    let sdk = Path::new("guest-sdk").join(language.sdk_folder());
    let root = fs::canonicalize(dir).map_err(|_| missing("such directory"))?;
    match root.join(&sdk).is_dir() {
        true => Ok(root),
        false => Err(missing(&sdk.display().to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(language: Language, sdk: Sdk) -> Result<NewProject, CreateError> {
        let points = vec!["pre-turn".parse().unwrap()];
        NewProject::new("a", language, points, sdk)
    }

    #[test]
    fn what_is_named_is_a_package_a_checkout_or_a_packed_file() {
        let dir = tempfile::tempdir().unwrap();
        let (checkout, unpacked) = (dir.path().join("checkout"), dir.path().join("unpacked"));
        fs::create_dir_all(checkout.join("guest-sdk")).unwrap();
        fs::create_dir(&unpacked).unwrap();
        for dir in [&checkout, &unpacked] {
            fs::write(dir.join("Cargo.toml"), "").unwrap();
        }
        assert_eq!(Sdk::named("package".into()), Sdk::Package);
        assert_eq!(Sdk::named(checkout.clone()), Sdk::Checkout(checkout));
        assert_eq!(Sdk::named(unpacked.clone()), Sdk::Packed(unpacked));
        assert_eq!(Sdk::named("a.whl".into()), Sdk::Packed("a.whl".into()));
    }

    #[test]
    fn a_project_with_a_package_has_no_copy_of_the_sdk() {
        for &language in Language::ALL {
            match (new(language, Sdk::Package), language.toolchain().package()) {
                (Ok(project), Some(package)) => {
                    let files = project.files().unwrap();
                    let mut texts = files
                        .iter()
                        .map(|(_, bytes)| String::from_utf8_lossy(bytes));
                    let names = |text: &str| {
                        text.contains(package.name) && text.contains(SdkPackage::VERSION)
                    };
                    assert!(texts.any(|text| names(&text)), "{language}");
                    let copied =
                        |path: &PathBuf| path.starts_with("sdk") || path.starts_with("wit");
                    assert!(!files.iter().any(|(path, _)| copied(path)), "{language}");
                    for (path, bytes) in &files {
                        let text = String::from_utf8_lossy(bytes);
                        assert!(!text.contains("sdk/"), "{language}: {}", path.display());
                    }
                }
                (Err(error), None) => {
                    let error = error.to_string();
                    assert!(
                        error.contains("rust, javascript, typescript, python"),
                        "{error}"
                    );
                }
                (made, package) => panic!("{language}: {made:?}, {package:?}"),
            }
        }
    }

    #[test]
    fn another_file_is_not_the_packed_sdk() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.zip");
        fs::write(&file, "").unwrap();
        for sdk in [file, dir.path().join("missing.whl")] {
            let error = new(Language::Python, Sdk::Packed(sdk))
                .unwrap_err()
                .to_string();
            assert!(error.contains("the wheel"), "{error}");
        }
    }
}
