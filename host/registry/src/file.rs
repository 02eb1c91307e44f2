//! Components in files, and the files beside them.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use portcullis::verdict::Digest;

use crate::error::Error;
use crate::layout::{self, MOST_BYTES, MOST_METADATA};
use crate::signature::MOST_BUNDLE;

/// The files beside a component that its signature needs without a network.
#[derive(Debug, Clone)]
pub struct Beside {
    /// The sigstore bundle: `FILE.sigstore.json`.
    pub bundle: PathBuf,
    /// The manifest that the bundle is for, if it is not for the component: `FILE.manifest.json`.
    pub manifest: PathBuf,
}

impl Beside {
    /// Returns the files beside a component.
    pub fn of(component: &Path) -> Self {
        let with = |ending: &str| {
            let mut name = component.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        Self {
            bundle: with(".sigstore.json"),
            manifest: with(".manifest.json"),
        }
    }
}

/// A component in a file, with the files beside it.
pub(crate) struct Local {
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: Digest,
    pub(crate) manifest: Option<Vec<u8>>,
    pub(crate) bundle: Option<Vec<u8>>,
}

/// Returns the digest of a file of at most [`MOST_BYTES`]. Files beside it do not matter.
///
/// # Errors
///
/// The file does not exist, or it is too large.
pub fn digest_of(path: &Path) -> Result<Digest, Error> {
    Ok(Digest::of(&read(path, MOST_BYTES)?))
}

pub(crate) fn local(path: &Path) -> Result<Local, Error> {
    let bytes = read(path, MOST_BYTES)?;
    let digest = Digest::of(&bytes);
    let beside = Beside::of(path);
    let optional = |path: &Path, most: u64| match path.exists() {
        true => read(path, most).map(Some),
        false => Ok(None),
    };
    let manifest = optional(&beside.manifest, MOST_METADATA)?;
    if let Some(manifest) = &manifest {
        let what = path.display().to_string();
        let (_, expected) = layout::component(manifest, &what)?;
        if expected != digest {
            return Err(Error::Digest {
                what,
                found: digest,
                expected,
            });
        }
    }
    Ok(Local {
        bytes,
        digest,
        manifest,
        bundle: optional(&beside.bundle, MOST_BUNDLE)?,
    })
}

/// Reads a regular file of at most `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let unreadable = |error: io::Error| Error::unreadable(path, &error);
    let found = std::fs::metadata(path).map_err(unreadable)?;
    if !found.is_file() {
        return Err(Error::File {
            path: path.to_owned(),
            why: "it is not a regular file; name one that is".into(),
        });
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let length = file.take(most + 1).read_to_end(&mut bytes);
    match length.map_err(unreadable)? as u64 > most {
        true => Err(Error::TooLarge {
            what: path.display().to_string(),
            most,
        }),
        false => Ok(bytes),
    }
}
