//! Where files are.

use guards_common::paths::{Jail, Place as Inside};
use guards_shell::Word;

/// Where a file is, from what does least harm to what does most.
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
    /// The whole working directory, or what it is in.
    Whole,
    /// The root, a directory of the system, or the home directory as a whole.
    System,
}

/// What the places of a script's files are.
#[derive(Debug)]
pub struct Places {
    working_dir: Option<Jail>,
    writable: Vec<Jail>,
    /// Where the command may run, as in [`guards_shell::Command`].
    pub dirs: Vec<Option<String>>,
}

/// Directories that belong to the system; what is deeper in `/home`, `/var`, `/opt` and `/mnt` is only outside.
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
    /// The places of a script that starts in this directory.
    pub fn new(working_dir: Option<&str>, writable: &[String]) -> Self {
        Self {
            working_dir: working_dir.and_then(Jail::new),
            writable: writable.iter().filter_map(|dir| Jail::new(dir)).collect(),
            dirs: vec![Some(String::new())],
        }
    }

    /// Where the file is; the worst of the places where it may be.
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
        let path = path.strip_suffix("/*").unwrap_or(path);
        let path = path.strip_suffix("/.*").unwrap_or(path);
        let is_in = |jail: &Jail| jail.place(path) == Inside::Inside;
        if path.starts_with('/') && self.writable.iter().any(is_in) {
            return Place::Inside;
        }
        if let Some(working_dir) = &self.working_dir
            && !path.starts_with('~')
            && is_in(working_dir)
        {
            return match is_whole(path) || working_dir.is_root_of(path) {
                true => Place::Whole,
                false => Place::Inside,
            };
        }
        match path.chars().next() {
            Some('/') => absolute(path),
            Some('~') if path.trim_end_matches('/').contains('/') => Place::Outside,
            Some('~') => Place::System,
            _ if is_whole(path) => Place::Whole,
            _ if leaves(path) => Place::Outside,
            _ => Place::Inside,
        }
    }
}

/// Whether a relative path is all of the directory.
fn is_whole(path: &str) -> bool {
    let path = path.trim_end_matches('/');
    let path = path.strip_prefix("./").unwrap_or(path);
    matches!(path, "." | "*" | ".*" | "" | ".git") && !path.starts_with('/')
}

fn absolute(path: &str) -> Place {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        match name {
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    match names.as_slice() {
        [] => Place::System,
        [first, ..] if SYSTEM.contains(first) => Place::System,
        [first] if SHARED.contains(first) || first.contains('*') => Place::System,
        ["home" | "Users", _] => Place::System,
        ["var", "lib" | "log" | "www", ..] => Place::System,
        _ => Place::Outside,
    }
}

/// Whether a relative path leaves the directory.
fn leaves(path: &str) -> bool {
    let mut depth = 0_i32;
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        if depth < 0 {
            return true;
        }
    }
    false
}
