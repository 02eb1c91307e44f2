//! Checks that the modules of a crate import one way.
//!
//! The modules inside a crate or a module are listed in rows, lowest first; each is a room. A room
//! may use the rooms of lower rows, and nothing else: no room above it, no other room of its row, and
//! nothing of the module that holds the rooms. That module itself may use all of them.
//!
//! All paths that begin with `crate`, `self` or `super` count: in imports, in expressions, in macros,
//! in tests. Paths in comments do not.

mod paths;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use paths::paths;

/// Checks the rooms of the module `holder` (empty for the crate itself, or such as `session`) in
/// the crate whose sources are in `src`. Returns every violation, sorted.
///
/// # Errors
///
/// A source file cannot be read.
pub fn violations(src: &Path, holder: &str, rows: &[&[&str]]) -> io::Result<Vec<String>> {
    let holder: Vec<&str> = holder.split("::").filter(|part| !part.is_empty()).collect();
    let row_of = |room: &str| rows.iter().position(|row| row.contains(&room));
    let mut violations = Vec::new();
    let mut found = Vec::new();
    for file in sources(&src.join(holder.join("/")))? {
        let relative = file.strip_prefix(src).unwrap_or(&file);
        let module = module_of(relative);
        let Some(room) = module.get(holder.len()) else {
            continue;
        };
        let shown = relative.display();
        let Some(row) = row_of(room) else {
            violations.push(format!("{shown}: `{room}` is in no row"));
            continue;
        };
        found.push(room.clone());
        let source = fs::read_to_string(&file)?;
        let used =
            paths(&source, &module).map_err(|e| io::Error::other(format!("{shown}: {e}")))?;
        for path in used {
            let inside = path
                .iter()
                .zip(&holder)
                .all(|(part, holder)| part == holder)
                && path.len() >= holder.len();
            if !inside {
                continue;
            }
            let name = format!("crate::{}", path.join("::"));
            let why = match path.get(holder.len()) {
                Some(used) if used == room => continue,
                Some(used) => match row_of(used) {
                    Some(used) if used < row => continue,
                    Some(used) if used == row => "is in the same row",
                    Some(_) => "is above it",
                    None => "is in the module that holds the rooms",
                },
                None => "is the module that holds the rooms",
            };
            violations.push(format!("{shown}: `{room}` uses `{name}`, which {why}"));
        }
    }
    for room in rows.iter().copied().flatten() {
        if !found.iter().any(|found| found == room) {
            violations.push(format!("there is no module `{room}`"));
        }
    }
    violations.sort();
    violations.dedup();
    Ok(violations)
}

/// Returns the rooms that the documentation of a module lists: the first column of the table under
/// its heading `# Rooms`, row by row.
///
/// # Errors
///
/// The file cannot be read.
pub fn documented(file: &Path) -> io::Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(file)?;
    let rows = text.lines().skip_while(|line| *line != "//! # Rooms");
    let rows = rows.filter_map(|line| line.strip_prefix("//! | ")?.split(" | ").next());
    let rows = rows.filter(|names| !["room", "---"].contains(names));
    let name = |name: &str| name.trim_matches(['[', ']', '`']).to_owned();
    Ok(rows
        .map(|names| names.split(", ").map(name).collect())
        .collect())
}

/// Returns the Rust files of a directory and its subdirectories.
fn sources(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// Returns the module in a file, from its path in the source directory.
fn module_of(file: &Path) -> Vec<String> {
    let mut module: Vec<String> = file
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
        module.pop();
    }
    module
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_modules() {
        for (file, module) in [
            ("lib.rs", ""),
            ("a.rs", "a"),
            ("a/mod.rs", "a"),
            ("a/b.rs", "a::b"),
        ] {
            assert_eq!(module_of(Path::new(file)).join("::"), module, "{file}");
        }
    }

    #[test]
    fn this_crate_has_rooms_too() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert_eq!(violations(&src, "", &[&["paths"]]).unwrap(), [""; 0]);
        let wrong = violations(&src, "", &[&["other"]]).unwrap();
        assert_eq!(
            wrong,
            [
                "paths.rs: `paths` is in no row",
                "there is no module `other`"
            ]
        );
    }
}
