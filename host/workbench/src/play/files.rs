//! The directories of a case, in place of the granted ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use portcullis::settings::Grants;
use tempfile::TempDir;

use crate::sample::SampleError;

/// The largest file whose content is compared, in bytes.
const MOST: u64 = 1 << 20;

/// A temporary directory for each granted one.
pub(super) struct Files {
    /// The parent directory of all of them.
    _dir: TempDir,
    granted: Vec<Granted>,
}

struct Granted {
    /// The name in the grant.
    guest: String,
    place: PathBuf,
    writable: bool,
}

impl Files {
    /// Creates the directories, with these files, which are given by their paths.
    pub(super) fn new(
        grants: &Grants,
        files: &BTreeMap<String, Vec<u8>>,
    ) -> Result<Self, SampleError> {
        let dir = tempfile::tempdir()?;
        let written = grants.write.iter().map(|guest| (guest, true));
        let only_read = grants
            .read
            .iter()
            .filter(|path| !grants.write.contains(path));
        let all = written.chain(only_read.map(|guest| (guest, false)));
        let mut granted = Vec::new();
        for (number, (guest, writable)) in all.enumerate() {
            let place = dir.path().join(number.to_string());
            fs::create_dir(&place)?;
            granted.push(Granted {
                guest: guest.clone(),
                place,
                writable,
            });
        }
        let made = Self { _dir: dir, granted };
        for (path, content) in files {
            let place = made
                .place(path)
                .ok_or_else(|| SampleError::File(path.clone()))?;
            if let Some(above) = place.parent() {
                fs::create_dir_all(above)?;
            }
            fs::write(place, content)?;
        }
        Ok(made)
    }

    /// Returns the path of a file: in the innermost granted directory.
    fn place(&self, path: &str) -> Option<PathBuf> {
        let holding = self.granted.iter().filter_map(|granted| {
            let below = Path::new(path).strip_prefix(&granted.guest).ok()?;
            Some((granted, below))
        });
        let (granted, below) = holding.min_by_key(|(_, below)| below.as_os_str().len())?;
        let is_plain = |part| matches!(part, Component::Normal(_));
        let is_file = below.file_name().is_some() && below.components().all(is_plain);
        is_file.then(|| granted.place.join(below))
    }

    /// Returns the path of each directory.
    pub(super) fn directories(&self) -> BTreeMap<String, PathBuf> {
        let granted = self.granted.iter();
        granted
            .map(|granted| (granted.guest.clone(), granted.place.clone()))
            .collect()
    }

    /// Returns the files of the writable directories, by their paths. Of a large file, returns the
    /// size.
    pub(super) fn written(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        for granted in self.granted.iter().filter(|granted| granted.writable) {
            // A file that is removed meanwhile is skipped.
            let _ = add(Path::new(&granted.guest), &granted.place, &mut files);
        }
        files
    }
}

fn add(guest: &Path, place: &Path, files: &mut BTreeMap<String, Vec<u8>>) -> std::io::Result<()> {
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let (guest, kind) = (guest.join(entry.file_name()), entry.file_type()?);
        if kind.is_dir() {
            add(&guest, &entry.path(), files)?;
        } else if kind.is_file() {
            let bytes = entry.metadata()?.len();
            let content = match bytes > MOST {
                true => format!("{bytes} bytes").into_bytes(),
                false => fs::read(entry.path())?,
            };
            files.insert(guest.display().to_string(), content);
        }
    }
    Ok(())
}

/// Returns the directories of files: the grants of a hook without grants in `hooks.toml`.
pub(super) fn above<'a>(files: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for path in files {
        let mut parts = Path::new(path).components();
        let mut top = PathBuf::new();
        for part in parts.by_ref() {
            top.push(part);
            if matches!(part, Component::Normal(_)) {
                break;
            }
        }
        let top = top.display().to_string();
        if parts.next().is_some() && !found.contains(&top) {
            found.push(top);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_the_innermost_directory() {
        let grants = Grants {
            read: vec!["in".into(), "/data/rules".into()],
            write: vec!["in/cache".into()],
            ..Grants::default()
        };
        let files = [
            ("in/a.txt", "a"),
            ("in/cache/b/c.txt", "c"),
            ("/data/rules/d", "d"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let made = Files::new(&grants, &files.into()).unwrap();
        let written = made.written();
        let paths: Vec<&str> = written.keys().map(String::as_str).collect();
        assert_eq!(paths, ["in/cache/b/c.txt"]);
        let directories = made.directories();
        let read = |guest: &str, below: &str| fs::read_to_string(directories[guest].join(below));
        assert_eq!(read("in", "a.txt").unwrap(), "a");
        assert_eq!(read("/data/rules", "d").unwrap(), "d");
        for path in [
            "a.txt",
            "inner/a",
            "in/../b",
            "in/cache/../../b",
            "in",
            "/a",
        ] {
            let files = [(path.to_owned(), Vec::new())].into();
            let made = Files::new(&grants, &files);
            assert!(matches!(made, Err(SampleError::File(_))), "{path}");
        }
    }

    #[test]
    fn the_first_name_is_granted() {
        let files = ["in/a/b", "in/c", "/data/d", "e"].map(str::to_owned);
        assert_eq!(above(files.iter()), ["in", "/data"]);
    }
}
