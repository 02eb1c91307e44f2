//! `hooks.lock`: the components that the operator has approved, by file name, id and digest.
//!
//! If the hooks directory contains a lock, loading detects a component that is not in it, differs
//! from it or is gone, before compiling anything of it. `hooks.toml` and the commands of scripts
//! are not pinned, since the operator writes them.

mod changes;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::contract::text::sanitize_for_terminal;
use crate::load::{LoadError, LoadFault, Stage, read_small};
use crate::model::hook::HookId;
use crate::model::verdict::Digest;

pub use changes::{LockChange, LockChangeKind};

/// The name of the lock.
pub const LOCK_NAME: &str = "hooks.lock";

/// The version of the file's format.
const VERSION: u32 = 1;

const HEAD: &str = "# Written by `portcullis hooks lock`: the components that may be loaded from this directory.\n\
                    # hooks.toml and the commands of scripts are not pinned.\n";

/// The components that may be loaded from a directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lock {
    /// The pinned components, by file name.
    pub components: BTreeMap<String, Pinned>,
}

/// A component that may be loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// The hook's id.
    pub id: String,
    /// The digest of the file.
    pub sha256: Digest,
    /// The origin of the file, if it was fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

impl Pinned {
    /// Creates the pin of a file without an origin.
    pub fn new(id: impl Into<String>, sha256: Digest) -> Self {
        Self {
            id: id.into(),
            sha256,
            origin: None,
        }
    }
}

/// The origin of a fetched component. Loading checks only the digest of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The source, as given to `portcullis add`.
    pub source: String,
    /// The digest of the manifest, for a source in a registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Digest>,
    /// The signer whose signature counted, by the name in `hooks.toml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
    /// The credential of the signature, since the name may refer to another key now. `None`
    /// without a signature, and in locks from before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<Credential>,
}

/// The credential of a signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Credential {
    /// A key, by the SHA-256 of its public part as DER.
    Key(Digest),
    /// A certificate.
    Identity {
        /// The OpenID provider that confirmed the identity.
        issuer: String,
        /// The subject: an address, or the URL of a workflow.
        subject: String,
    },
}

impl fmt::Display for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(digest) => write!(f, "key sha256:{digest}"),
            Self::Identity { issuer, subject } => {
                write!(f, "certificate of {issuer} for {subject}")
            }
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    components: BTreeMap<String, Pinned>,
}

/// Converts the fault of a lock that cannot be read, since faults of components suggest other
/// fixes.
fn of_lock(fault: LoadFault) -> LoadFault {
    match fault {
        LoadFault::Symlink => LoadFault::BadLock("it is a symbolic link, and no file".into()),
        LoadFault::NotAFile => LoadFault::BadLock("it is not a regular file".into()),
        LoadFault::TooLarge { size, most } => LoadFault::BadLock(format!(
            "it has {size} bytes, and a lock has {most} at most"
        )),
        other => other,
    }
}

impl Lock {
    /// Reads the lock of a directory, if it has one.
    ///
    /// # Errors
    ///
    /// Returns an error if the lock cannot be read or is not a lock.
    pub fn of_dir(dir: &Path) -> Result<Option<Self>, LoadError> {
        let path = dir.join(LOCK_NAME);
        let wrong = |fault| LoadError::new(&path, Stage::Lock, fault);
        match std::fs::symlink_metadata(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            _ => {}
        }
        let bytes = read_small(&path).map_err(|fault| wrong(of_lock(fault)))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| wrong(LoadFault::BadLock("it is not UTF-8 text".into())))?;
        Self::parse(&text).map(Some).map_err(wrong)
    }

    fn parse(text: &str) -> Result<Self, LoadFault> {
        let bad = |why: String| LoadFault::BadLock(sanitize_for_terminal(&why));
        let file: File = toml::from_str(text).map_err(|e| bad(e.message().to_owned()))?;
        if file.version != VERSION {
            return Err(bad(format!(
                "it has version {}, and this host reads version {VERSION}",
                file.version
            )));
        }
        if let Some(name) = file.components.keys().find(|name| !is_file_name(name)) {
            return Err(bad(format!(
                "`{name}` is not the name of a component file in the hooks directory, which ends with .wasm and \
                 has no `/`, `\\` or `:`"
            )));
        }
        // Errors suggest commands that contain the id.
        let mut ids = file.components.values().map(|pinned| &pinned.id);
        if let Some(id) = ids.find(|id| !HookId::fits(id)) {
            return Err(bad(format!(
                "`{id}` is not the id of a hook, which has lower-case letters, digits and dashes; remove its entry"
            )));
        }
        Ok(Self {
            components: file.components,
        })
    }

    /// Writes the lock of a directory atomically.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be written to.
    pub fn write(&self, dir: &Path) -> io::Result<()> {
        let file = File {
            version: VERSION,
            components: self.components.clone(),
        };
        let text = toml::to_string(&file).map_err(io::Error::other)?;
        let mut temporary = tempfile::NamedTempFile::new_in(dir)?;
        write!(temporary, "{HEAD}{text}")?;
        make_readable(temporary.as_file())?;
        temporary.persist(dir.join(LOCK_NAME))?;
        Ok(())
    }

    /// Copies the origins of unchanged files from an older lock.
    pub fn keep_origins(&mut self, older: &Lock) {
        for (name, pinned) in &mut self.components {
            if let Some(old) = older.components.get(name)
                && (&old.id, old.sha256) == (&pinned.id, pinned.sha256)
            {
                pinned.origin.clone_from(&old.origin);
            }
        }
    }

    /// Returns the reason why a file with this digest is not the pinned one.
    pub(crate) fn differs(&self, file: &Path, found: &Digest) -> Option<LoadFault> {
        match self.pinned(file) {
            None => Some(LoadFault::NotLocked { found: *found }),
            Some(pinned) if pinned.sha256 != *found => Some(LoadFault::OtherDigest {
                found: *found,
                pinned: pinned.sha256,
                other_id: None,
            }),
            Some(_) => None,
        }
    }

    /// Returns the reason why a hook with this id is not the pinned one. A component may report
    /// another id each time.
    pub(crate) fn differs_in_id(&self, file: &Path, found: &str) -> Option<LoadFault> {
        let pinned = self.pinned(file)?;
        (pinned.id != found).then(|| LoadFault::OtherId {
            found: sanitize_for_terminal(found),
            pinned: sanitize_for_terminal(&pinned.id),
        })
    }

    /// Returns whether a component with this id is pinned.
    pub(crate) fn names(&self, id: &str) -> bool {
        self.components.values().any(|pinned| pinned.id == id)
    }

    /// Returns the pinned components that are not among these files.
    pub(crate) fn gone<'a>(
        &'a self,
        files: &'a [std::path::PathBuf],
    ) -> impl Iterator<Item = (&'a str, LoadFault)> {
        let there = |name: &str| files.iter().any(|file| name_of(file) == Some(name));
        let gone = self.components.iter().filter(move |(name, _)| !there(name));
        gone.map(|(name, pinned)| {
            let fault = LoadFault::Gone {
                id: sanitize_for_terminal(&pinned.id),
                pinned: pinned.sha256,
            };
            (name.as_str(), fault)
        })
    }

    fn pinned(&self, file: &Path) -> Option<&Pinned> {
        self.components.get(name_of(file)?)
    }
}

/// Returns whether a name in a lock is a plain file name. Commands write and remove these files,
/// and the lock may be untrusted.
pub(crate) fn is_file_name(name: &str) -> bool {
    name.ends_with(".wasm")
        && !name.contains(['/', '\\', ':'])
        && name_of(Path::new(name)) == Some(name)
}

pub(crate) fn name_of(file: &Path) -> Option<&str> {
    file.file_name()?.to_str()
}

/// Makes the lock readable like any other file, since a temporary file is private to its user.
#[cfg(unix)]
fn make_readable(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &std::fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(name: &str, id: &str, bytes: &[u8]) -> Lock {
        let pinned = Pinned::new(id, Digest::of(bytes));
        Lock {
            components: BTreeMap::from([(name.to_owned(), pinned)]),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Lock::of_dir(dir.path()).unwrap(), None);
        let written = lock("a b.wasm", "a", b"one");
        written.write(dir.path()).unwrap();
        assert_eq!(Lock::of_dir(dir.path()).unwrap(), Some(written));
    }

    #[test]
    fn an_origin_is_kept_with_the_file_that_came_from_there() {
        let dir = tempfile::tempdir().unwrap();
        let mut fetched = lock("a.wasm", "a", b"one");
        let origin = Origin {
            source: "oci://example.com/a:1".into(),
            manifest: Some(Digest::of(b"manifest")),
            signer: Some("ci".into()),
            credential: Some(Credential::Identity {
                issuer: "https://issuer.example".into(),
                subject: "https://example.com/release.yml@refs/tags/v1".into(),
            }),
        };
        fetched.components.get_mut("a.wasm").unwrap().origin = Some(origin.clone());
        fetched.write(dir.path()).unwrap();
        assert_eq!(Lock::of_dir(dir.path()).unwrap().as_ref(), Some(&fetched));
        for (bytes, kept) in [(b"one", Some(origin)), (b"two", None)] {
            let mut new = lock("a.wasm", "a", bytes);
            new.keep_origins(&fetched);
            assert_eq!(new.components["a.wasm"].origin, kept);
        }
    }

    #[test]
    fn what_is_no_lock_is_told() {
        for (text, why) in [
            ("", "version"),
            ("version = 2\n", "version 2"),
            ("version = 1\nsigned = true\n", "signed"),
            (
                "version = 1\n[components.\"a.wasm\"]\nid = \"a\"\nsha256 = \"+f\"\n",
                "64",
            ),
            (
                "version = 1\n[components.\"a.wasm\"]\nid = \"a\"\n",
                "sha256",
            ),
        ] {
            let error = Lock::parse(text).expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
            assert!(error.contains("hooks lock --update"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_is_no_lock_wherever_it_leads() {
        let other = tempfile::tempdir().unwrap();
        lock("a.wasm", "a", b"one").write(other.path()).unwrap();
        let outside = other.path().join(LOCK_NAME);
        for to in [outside.as_path(), Path::new("beside"), Path::new("nowhere")] {
            let dir = tempfile::tempdir().unwrap();
            std::fs::copy(&outside, dir.path().join("beside")).unwrap();
            std::os::unix::fs::symlink(to, dir.path().join(LOCK_NAME)).unwrap();
            let error = Lock::of_dir(dir.path()).expect_err("a link");
            let fault = LoadFault::BadLock("it is a symbolic link, and no file".into());
            assert_eq!(
                (error.stage, error.fault),
                (Stage::Lock, fault),
                "{}",
                to.display()
            );
        }
    }

    #[test]
    fn a_lock_names_files_of_its_directory_only() {
        let lock = |name: &str| {
            let pinned = format!("id = \"a\"\nsha256 = \"{}\"\n", Digest::of(b"one"));
            Lock::parse(&format!("version = 1\n[components.'{name}']\n{pinned}"))
        };
        for name in [
            "/a.wasm",
            "../a.wasm",
            "a/b.wasm",
            "./a.wasm",
            "a.wasm/",
            "..",
            "",
            "a",
            ".git/hooks/x",
            "a\\b.wasm",
            "C:a.wasm",
        ] {
            let error = lock(name).expect_err(name).to_string();
            assert!(error.contains("is not the name"), "{name}: {error}");
        }
        assert!(lock("a b.wasm").is_ok());
        let pinned = format!("id = \"x; true\"\nsha256 = \"{}\"\n", Digest::of(b"one"));
        let text = format!("version = 1\n[components.'a.wasm']\n{pinned}");
        let error = Lock::parse(&text).expect_err("no id").to_string();
        assert!(error.contains("is not the id of a hook"), "{error}");
    }

    #[test]
    fn a_file_is_the_pinned_one_by_name_digest_and_id() {
        let lock = lock("a.wasm", "a", b"one");
        let (one, two) = (Digest::of(b"one"), Digest::of(b"two"));
        let a = Path::new("hooks/a.wasm");
        assert_eq!(lock.differs(a, &one), None);
        assert_eq!(
            lock.differs(a, &two),
            Some(LoadFault::OtherDigest {
                found: two,
                pinned: one,
                other_id: None,
            })
        );
        assert_eq!(
            lock.differs(Path::new("hooks/b.wasm"), &one),
            Some(LoadFault::NotLocked { found: one })
        );
        assert_eq!(lock.differs_in_id(a, "a"), None);
        assert!(lock.differs_in_id(a, "b").is_some());
        assert_eq!(lock.gone(&[a.to_owned()]).count(), 0);
        assert_eq!(lock.gone(&[]).count(), 1);
    }
}
