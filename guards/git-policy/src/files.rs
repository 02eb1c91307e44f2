//! Files that may not be changed, and the paths that name them.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use portcullis_sdk::{Error, HookResult};

/// The longest directory of a command that is resolved. It is resolved again for each of the command's arguments.
const LONGEST_DIR: usize = 256;

/// The patterns of `files`.
#[derive(Debug)]
pub(crate) struct Files {
    /// The patterns of absolute paths.
    absolute: GlobSet,
    /// The other patterns, from the working directory on.
    here: GlobSet,
    /// The other patterns, in any directory.
    anywhere: GlobSet,
}

/// The directories at which the paths of a command start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'a> {
    /// The tool's working directory.
    pub(crate) working_dir: Option<&'a str>,
    /// The directories in which the command may run, relative to `working_dir`; `None` if not known.
    pub(crate) dirs: &'a [Option<String>],
}

impl Files {
    pub(crate) fn new(patterns: &[String]) -> HookResult<Self> {
        let (absolute, here): (Vec<&str>, Vec<&str>) = patterns
            .iter()
            .map(|pattern| pattern.strip_prefix("./").unwrap_or(pattern))
            .partition(|pattern| pattern.starts_with('/'));
        let anywhere: Vec<String> = here.iter().map(|pattern| format!("**/{pattern}")).collect();
        Ok(Self {
            absolute: set(absolute)?,
            here: set(here)?,
            anywhere: set(anywhere.iter().map(String::as_str))?,
        })
    }

    /// Returns whether the path may name one of the files.
    pub(crate) fn has(&self, path: &str, places: Places<'_>) -> bool {
        if self.absolute.is_empty() && self.here.is_empty() {
            return false;
        }
        let mut dirs = places.dirs.iter();
        dirs.any(|dir| self.has_in(path, dir.as_deref(), places.working_dir))
    }

    fn has_in(&self, path: &str, dir: Option<&str>, working_dir: Option<&str>) -> bool {
        let mut at = Location::start(working_dir);
        match dir.filter(|dir| dir.len() <= LONGEST_DIR) {
            Some(dir) => at.follow(dir),
            None => {
                at = Location {
                    start: Start::Unknown,
                    names: Vec::new(),
                }
            }
        }
        at.follow(path);
        match at.start {
            Start::WorkingDir => self.here.is_match(at.names.join("/")),
            Start::Unknown => self.anywhere.is_match(at.names.join("/")),
            Start::Root => {
                let names = at.names.join("/");
                if self.absolute.is_match(format!("/{names}")) {
                    return true;
                }
                match at.below(working_dir) {
                    Some(below) => self.here.is_match(below.join("/")),
                    None => self.anywhere.is_match(names),
                }
            }
        }
    }
}

/// The file that a path names, resolved as text.
struct Location<'a> {
    start: Start,
    names: Vec<&'a str>,
}

enum Start {
    WorkingDir,
    Root,
    Unknown,
}

impl<'a> Location<'a> {
    fn start(working_dir: Option<&'a str>) -> Self {
        let mut at = Self {
            start: Start::WorkingDir,
            names: Vec::new(),
        };
        at.follow(working_dir.unwrap_or_default());
        at
    }

    fn follow(&mut self, path: &'a str) {
        if path.starts_with(is_slash) {
            self.start = Start::Root;
            self.names.clear();
        } else if path.starts_with(['~', '$']) {
            self.start = Start::Unknown;
            self.names.clear();
        }
        for name in path.split(is_slash) {
            match name {
                "" | "." => {}
                ".." => {
                    if self.names.pop().is_none() && matches!(self.start, Start::WorkingDir) {
                        self.start = Start::Unknown;
                    }
                }
                name => self.names.push(name),
            }
        }
    }

    /// Returns the names below a directory, or `None` if the file is not in it.
    fn below(&self, dir: Option<&'a str>) -> Option<&[&'a str]> {
        let dir = Location::start(Some(dir?));
        self.names.strip_prefix(dir.names.as_slice())
    }
}

fn is_slash(letter: char) -> bool {
    letter == '/' || letter == '\\'
}

fn set<'a>(patterns: impl IntoIterator<Item = &'a str>) -> HookResult<GlobSet> {
    let fault = |pattern: &str, why: globset::Error| {
        Error::bad_config(format_args!("`files`: `{pattern}`: {why}"))
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.map_err(|why| fault(pattern, why))?);
    }
    set.build().map_err(|why| fault("", why))
}

#[cfg(test)]
mod tests {
    use super::{Files, Places};

    fn has(path: &str, dir: Option<&str>, working_dir: Option<&str>) -> bool {
        let patterns = [".github/**", "./Cargo.lock", "/etc/hosts"].map(String::from);
        let files = Files::new(&patterns).expect("patterns");
        let dirs = [dir.map(String::from)];
        let dirs = &dirs;
        files.has(path, Places { working_dir, dirs })
    }

    #[test]
    fn a_path_is_read_from_the_working_directory() {
        for (path, expected) in [
            (".github/x", true),
            ("./src/../.github/x", true),
            (r".github\x", true),
            ("/work/repo/.github/x", true),
            ("/work/../work/repo/Cargo.lock", true),
            ("../repo/Cargo.lock", true),
            ("/etc/hosts", true),
            ("../../etc/hosts", true),
            // These may be in another checkout.
            ("/tmp/copy/.github/x", true),
            ("~/repo/.github/x", true),
            ("$HOME/repo/.github/x", true),
            ("src/Cargo.lock", false),
            ("/work/repo/src/.github/x", false),
            ("src/etc/hosts", false),
            (".github/../src/x", false),
            ("/work/repo/src/x", false),
            ("/tmp/x", false),
            ("github/x", false),
        ] {
            assert_eq!(has(path, Some(""), Some("/work/repo")), expected, "{path}");
        }
    }

    #[test]
    fn without_a_working_directory_a_path_that_leaves_may_lead_to_the_files() {
        for (path, expected) in [
            (".github/x", true),
            ("/work/repo/.github/x", true),
            ("../.github/x", true),
            ("src/.github/x", false),
            ("/work/repo/src/x", false),
        ] {
            assert_eq!(has(path, Some(""), None), expected, "{path}");
        }
    }

    #[test]
    fn a_command_may_run_in_another_directory() {
        let long = "a/".repeat(200);
        for (dir, path, expected) in [
            (Some(".github"), "x", true),
            (Some("src"), "../Cargo.lock", true),
            (Some("src"), "Cargo.lock", false),
            (None, ".github/x", true),
            (None, "src/x", false),
            (Some(long.as_str()), "Cargo.lock", true),
        ] {
            for working_dir in [None, Some("/work/repo")] {
                assert_eq!(has(path, dir, working_dir), expected, "{dir:?} {path}");
            }
        }
    }
}
