//! Making a project.

mod render;

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::write;
use crate::manifest::{BadName, Name};
use crate::{Contract, FileError, Language, Point};

/// Where a new project gets its SDK from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sdk {
    /// From this program: its sources and the WIT are written into the project.
    Vendored,
    /// From a checkout of Portcullis, which the project then needs.
    Checkout(PathBuf),
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
        /// What it does not have.
        what: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A template is wrong, which is a bug in this program.
    #[error("the template {file} cannot be rendered: {cause}")]
    Template {
        /// The template.
        file: String,
        /// Why.
        cause: Box<minijinja::Error>,
    },
}

impl NewProject {
    /// A project for a hook of that name, which serves these points.
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
        };
        Ok(Self {
            name,
            language,
            points,
            sdk,
        })
    }

    /// Writes it into `dir`, which is created or must be empty. Returns the files, relative to it.
    ///
    /// # Errors
    ///
    /// The directory is not empty, or a file cannot be written.
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
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }

    /// All its files.
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

    /// Where the SDKs are, as the project's files say it.
    fn sdk_dir(&self) -> PathBuf {
        match &self.sdk {
            Sdk::Vendored => PathBuf::from("sdk"),
            Sdk::Checkout(dir) => dir.join("guest-sdk"),
        }
    }
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
