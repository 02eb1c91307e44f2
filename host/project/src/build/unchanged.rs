//! Checks whether a build would make the existing component again.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use crate::Project;

/// More than the time that a file's time stamp may lag behind the system's clock.
const GRAIN: Duration = Duration::from_millis(20);

/// A path that a build read or looked for, and whether it existed.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) was_there: bool,
}

/// The inputs of a component: digests of the inputs known before the build, and the file beside the
/// component that records them with the inputs that the build found.
pub(super) struct Inputs {
    files: BTreeSet<PathBuf>,
    /// The digest of `files`.
    digest: String,
    /// The digest of the build tools' versions.
    tools: String,
    record: PathBuf,
    began: SystemTime,
}

impl Inputs {
    /// Returns a project's inputs; `None` if its language does not list all of them, or if one
    /// cannot be read.
    pub(super) fn of(project: &Project) -> Option<Self> {
        let began = SystemTime::now();
        let toolchain = project.language().toolchain();
        let mut files = BTreeSet::from_iter(toolchain.reads(project)?);
        files.insert(project.manifest_file());
        let mut tools = Sha256::new_with_prefix(env!("CARGO_PKG_VERSION"));
        for package in toolchain.packages() {
            tools.update(package);
        }
        let mut digest = Sha256::new();
        for file in &files {
            digest.update(file.to_string_lossy().as_bytes());
            digest.update(state(file)?);
        }
        let component = project.component();
        let name = format!(".{}.built", project.name());
        Some(Self {
            files,
            digest: hex(digest),
            tools: hex(tools),
            record: component.with_file_name(name),
            began,
        })
    }

    /// Waits until a file written next has a later time than these inputs.
    pub(super) fn settle(&self) {
        thread::sleep(GRAIN);
    }

    /// Returns whether the component in this file was made of these inputs. `None` if no record
    /// names its inputs, or if other tools made it of the same files.
    pub(super) fn are_of(&self, component: &Path) -> Option<bool> {
        let recorded = fs::read_to_string(&self.record).ok()?;
        let mut lines = recorded.lines();
        let (files, rest) = lines.next()?.split_once(' ')?;
        let (tools, made) = rest.split_once(' ')?;
        let there = hex(Sha256::new_with_prefix(fs::read(component).ok()?));
        let is_as_then = |line: &str| {
            let found = line.split_once(' ');
            found.is_some_and(|(then, path)| state(Path::new(path)).as_deref() == Some(then))
        };
        if made != there {
            return None;
        }
        if files != self.digest || !lines.all(is_as_then) {
            return Some(false);
        }
        (tools == self.tools).then_some(true)
    }

    /// Removes the record.
    pub(super) fn forget(&self) {
        let _ = fs::remove_file(&self.record);
    }

    /// Records that this component was made of these inputs and of those that the build found. If
    /// the record cannot be written, the next build builds.
    pub(super) fn keep(&self, component: &[u8], found: Vec<Found>) {
        let made = hex(Sha256::new_with_prefix(component));
        let mut record = format!("{} {} {made}\n", self.digest, self.tools);
        for found in BTreeSet::from_iter(found) {
            if self.files.contains(&found.path) {
                continue;
            }
            let (true, Some(path), Some(state)) = (
                self.is_as_found(&found),
                found.path.to_str(),
                state(&found.path),
            ) else {
                self.forget();
                return;
            };
            record += &format!("{state} {path}\n");
        }
        let _ = fs::write(&self.record, record);
    }

    /// Returns whether a path is as the build found it, whenever that was. It is not if it changed
    /// after the build began: the build may have read it before the change.
    fn is_as_found(&self, found: &Found) -> bool {
        match at(&found.path) {
            Ok(Some(is)) => found.was_there && changed(&is).is_some_and(|then| then <= self.began),
            Ok(None) => !found.was_there,
            Err(_) => false,
        }
    }
}

/// Returns the metadata of a path. `None` also if one of its parent directories is a file.
fn at(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(is) => Ok(Some(is)),
        Err(cause) => match cause.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            _ => Err(cause),
        },
    }
}

/// Returns the time of the last change of a file or a directory.
#[cfg(unix)]
fn changed(is: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt as _;

    // Programs that copy or unpack files set the modification time, and cannot set the change time.
    let seconds = u64::try_from(is.ctime()).ok()?;
    let nanos = u32::try_from(is.ctime_nsec()).ok()?;
    let changed = SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))?;
    Some(changed.max(is.modified().ok()?))
}

/// Returns the time of the last write to a file or a directory.
#[cfg(not(unix))]
fn changed(is: &Metadata) -> Option<SystemTime> {
    is.modified().ok()
}

/// Returns the digest of a file's content, or of the names in a directory; a dash if the path does
/// not exist. `None` if it cannot be read.
fn state(path: &Path) -> Option<String> {
    match at(path).ok()? {
        Some(is) if is.is_dir() => {
            let entries = fs::read_dir(path).ok()?;
            let names = entries.map(|entry| Some(entry.ok()?.file_name()));
            let mut names = names.collect::<Option<Vec<_>>>()?;
            names.sort();
            let mut digest = Sha256::new();
            for name in names {
                digest.update(name.to_string_lossy().as_bytes());
                digest.update([0]);
            }
            Some(hex(digest))
        }
        Some(_) => Some(hex(Sha256::new_with_prefix(fs::read(path).ok()?))),
        None => Some("-".to_owned()),
    }
}

/// Returns the files below `dir`, without the directories that `enters` leaves out. `None` if one
/// of them is a link to a directory, whose target may be anywhere, or cannot be read.
pub(crate) fn files_below(dir: &Path, enters: &dyn Fn(&Path) -> bool) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).ok()? {
            let path = entry.ok()?.path();
            let kind = fs::symlink_metadata(&path).ok()?.file_type();
            if kind.is_dir() {
                if enters(&path) {
                    dirs.push(path);
                }
            } else if kind.is_file() || path.is_file() {
                files.push(path);
            } else if kind.is_symlink() && enters(&path) {
                return None;
            }
        }
    }
    Some(files)
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
        let is_kept = || Inputs::of(&project).unwrap().are_of(&component) == Some(true);
        assert!(!is_kept());
        assert!(!project.is_outdated(), "nothing is known");
        Inputs::of(&project).unwrap().keep(b"built", vec![]);
        assert!(is_kept());
        // Files that the build does not read do not count.
        fs::write(dir.path().join("README.md"), "another").unwrap();
        assert!(is_kept());
        for file in [
            "src/helper.py",
            "sdk/python/src/portcullis/log.py",
            "dist/a.wasm",
        ] {
            Inputs::of(&project)
                .unwrap()
                .keep(&fs::read(&component).unwrap(), vec![]);
            assert!(is_kept() && !project.is_outdated(), "{file}");
            fs::write(dir.path().join(file), "another").unwrap();
            assert!(!is_kept(), "{file}");
            // Another component than the one that was built may be of any sources.
            assert_eq!(project.is_outdated(), file != "dist/a.wasm", "{file}");
        }
    }

    #[test]
    fn what_other_tools_made_is_not_kept_and_not_outdated() {
        let dir = tempfile::tempdir().unwrap();
        let project = project(dir.path(), Language::Python);
        let component = project.component();
        fs::create_dir_all(component.parent().unwrap()).unwrap();
        fs::write(&component, "built").unwrap();
        let mut inputs = Inputs::of(&project).unwrap();
        inputs.tools = "others".to_owned();
        inputs.keep(b"built", vec![]);
        assert!(!project.is_built() && !project.is_outdated());
        fs::write(dir.path().join("src/helper.py"), "another").unwrap();
        assert!(!project.is_built() && project.is_outdated());
        Inputs::of(&project).unwrap().keep(b"built", vec![]);
        assert!(project.is_built());
        inputs.forget();
        assert!(!project.is_built() && !project.is_outdated());
    }

    #[test]
    fn what_a_build_found_counts_with_what_it_looked_for() {
        let dir = tempfile::tempdir().unwrap();
        let project = project(dir.path(), Language::Python);
        let component = project.component();
        fs::create_dir_all(component.parent().unwrap()).unwrap();
        fs::write(&component, "built").unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let file = |name: &str| elsewhere.path().join(name);
        fs::create_dir(file("types")).unwrap();
        fs::write(file("read"), "as it was").unwrap();
        let found = || {
            let there = ["read", "types"].map(|name| (name, true));
            let missing = ["missing", "read/below"].map(|name| (name, false));
            let found = there.into_iter().chain(missing);
            let of = |(name, was_there)| Found {
                path: file(name),
                was_there,
            };
            found.map(of).collect::<Vec<_>>()
        };
        let is_kept = || Inputs::of(&project).unwrap().are_of(&component) == Some(true);
        let before_a_build = || {
            let inputs = Inputs::of(&project).unwrap();
            inputs.settle();
            inputs
        };
        let during: [&dyn Fn(); 5] = [
            &|| fs::write(file("read"), "as it was").unwrap(),
            &|| fs::remove_file(file("read")).unwrap(),
            &|| fs::write(file("missing"), "").unwrap(),
            &|| fs::write(file("types/new"), "").unwrap(),
            &|| {
                fs::write(file("read"), "as it was").unwrap();
                let written = fs::File::options().write(true).open(file("read")).unwrap();
                written.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            },
        ];
        for (which, change) in during
            .iter()
            .enumerate()
            .take(if cfg!(unix) { 5 } else { 4 })
        {
            let inputs = before_a_build();
            change();
            inputs.keep(b"built", found());
            assert!(!is_kept(), "{which}");
            fs::write(file("read"), "as it was").unwrap();
            let _ = fs::remove_file(file("missing"));
            let _ = fs::remove_file(file("types/new"));
        }
        before_a_build().keep(b"built", found());
        for (name, before) in [
            ("read", Some("as it was")),
            ("missing", None),
            ("types/new", None),
        ] {
            assert!(is_kept(), "{name}");
            fs::write(file(name), "another").unwrap();
            assert!(!is_kept(), "{name}");
            match before {
                Some(text) => fs::write(file(name), text).unwrap(),
                None => fs::remove_file(file(name)).unwrap(),
            }
        }
        assert!(is_kept());
    }

    #[test]
    fn other_tools_know_what_has_changed() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Inputs::of(&project(dir.path(), Language::Rust)).is_none());
    }
}
