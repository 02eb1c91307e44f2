//! The places of files.

use guards_common::paths::{Jail, Place as Inside};
use guards_shell::Word;

/// The place of a file. The order is from the least harm to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A device that takes anything, such as `/dev/null`.
    Nowhere,
    /// In a directory that may be written to.
    Inside,
    /// Only known when the command runs.
    Unknown,
    /// Elsewhere.
    Outside,
    /// The whole working directory, or its `.git`.
    Whole,
    /// The root, a directory of the system, or the home directory as a whole.
    System,
}

/// The directories that decide on the places of a script's files.
#[derive(Debug)]
pub struct Places {
    working_dir: Option<Jail>,
    writable: Vec<Jail>,
    /// The directories in which the command may run, as in [`guards_shell::Command`].
    pub dirs: Vec<Option<String>>,
}

/// Directories that belong to the system. Files deeper in the `SHARED` directories are only outside.
const SYSTEM: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "proc",
    "root",
    "run",
    "sbin",
    "sys",
    "usr",
    "System",
    "Library",
    "Applications",
    "Windows",
];
const SHARED: &[&str] = &["home", "var", "opt", "mnt", "srv", "media", "Users"];

impl Places {
    /// Creates the places of a script that starts in this directory.
    pub fn new(working_dir: Option<&str>, writable: &[String]) -> Self {
        Self {
            working_dir: working_dir.and_then(Jail::new),
            writable: writable.iter().filter_map(|dir| Jail::new(dir)).collect(),
            dirs: vec![Some(String::new())],
        }
    }

    /// Returns the place of a file: the most harmful of the places where it may be.
    pub fn of(&self, word: &Word) -> Place {
        let text = word.text.as_str();
        if matches!(
            text,
            "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "-" | "{}"
        ) {
            return Place::Nowhere;
        }
        let is_from_root = text.starts_with(['/', '~']);
        if !(word.is_known || is_from_root && text.contains('/')) || text.starts_with('$') {
            return Place::Unknown;
        }
        let places = self.dirs.iter().map(|dir| match (is_from_root, dir) {
            (true, _) => self.place(text),
            (false, Some(dir)) if dir.is_empty() => self.place(text),
            (false, Some(dir)) => self.place(&format!("{dir}/{text}")),
            (false, None) => Place::Unknown,
        });
        places.max().unwrap_or(Place::Unknown)
    }

    fn place(&self, path: &str) -> Place {
        let path = covered(path);
        let is_in = |jail: &Jail| jail.place(path) == Inside::Inside;
        if path.starts_with('/') && self.writable.iter().any(is_in) {
            return Place::Inside;
        }
        if let Some(working_dir) = &self.working_dir
            && !path.starts_with('~')
            && is_in(working_dir)
        {
            // With `.git`, all of the work's history is lost.
            let dir = path.trim_end_matches('/');
            let dir = dir.strip_suffix(".git").unwrap_or(dir);
            return match working_dir.is_root_of(dir) {
                true => Place::Whole,
                false => Place::Inside,
            };
        }
        if let Some(path) = path.strip_prefix('~') {
            // The name of a user may follow.
            let (_, rest) = path.split_once('/').unwrap_or_default();
            return match resolve(rest) {
                (names, false) if !names.is_empty() => Place::Outside,
                _ => Place::System,
            };
        }
        let (names, leaves) = resolve(path);
        match names.as_slice() {
            names if path.starts_with('/') => absolute(names),
            _ if leaves => Place::Outside,
            [] | [".git"] => Place::Whole,
            _ => Place::Inside,
        }
    }
}

/// Returns the directory for a pattern of all its files: `a/` for `a/*`, and `/` for `/*`.
fn covered(path: &str) -> &str {
    let mut path = path;
    loop {
        let end = path.trim_end_matches('/');
        let name = end.rsplit('/').next().unwrap_or(end);
        match end.strip_suffix(name) {
            Some(dir) if is_any(name) => path = dir,
            _ => return path,
        }
    }
}

/// Returns whether a pattern matches all names, or all hidden ones, such as `*`, `.*`, `?*` and `.[!.]*`.
pub fn is_any(name: &str) -> bool {
    name.contains('*') && name.chars().all(|c| ".*?[!^]".contains(c))
}

/// Returns the names of a path with `..` resolved, and whether the path leaves its start.
pub fn resolve(path: &str) -> (Vec<&str>, bool) {
    let mut names = Vec::new();
    let mut leaves = false;
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        match name {
            ".." => leaves |= names.pop().is_none(),
            name => names.push(name),
        }
    }
    (names, leaves)
}

fn absolute(names: &[&str]) -> Place {
    match names {
        [] => Place::System,
        [first, ..] if SYSTEM.contains(first) => Place::System,
        [first] if SHARED.contains(first) || first.contains(['*', '?', '[']) => Place::System,
        ["home" | "Users", _] => Place::System,
        ["var", "lib" | "log" | "www", ..] => Place::System,
        _ => Place::Outside,
    }
}
