//! The inputs of a build: the project's files before it, and the files that the compiler found
//! after it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::Project;
use crate::build::{Found, files_below};
use crate::project::OUTPUT;

/// The files that the build itself writes into its directory, beside the objects.
const MADE: &[&str] = &[
    "hook.h",
    "hook.c",
    "hook_component_type.o",
    "world.c",
    "points.h",
    "points.c",
    "points.hpp",
    "points.cpp",
    "points.zig",
    "main.zig",
    "bindings.zig",
    "sources.zig",
    "core.wasm",
];

/// The prefixes of flags that name no file.
const PLAIN: &[&str] = &["-D", "-U", "-O", "-W", "-f", "-g", "-m", "-std="];

/// Functions of the preprocessor that test for a file. The compiler does not list the file if it is
/// missing.
const ASKS: &[&str] = &["__has_include", "__has_embed"];

/// Returns the directories of headers that flags name. `None` if one may name anything else, or a
/// directory that the build writes into.
pub(super) fn header_dirs(project: &Path, flags: &[String]) -> Option<Vec<PathBuf>> {
    let mut dirs = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if let Some(dir) = flag.strip_prefix("-I") {
            let dir = if dir.is_empty() { flags.next()? } else { dir };
            let dir = project.join(dir);
            if has_outputs(project, &dir) {
                return None;
            }
            dirs.push(dir);
        } else if !is_plain(flag) {
            return None;
        }
    }
    Some(dirs)
}

/// Returns whether a build of the project writes into this directory, or below it. A file read
/// there always changes.
fn has_outputs(project: &Path, dir: &Path) -> bool {
    let (Ok(project), Ok(dir)) = (fs::canonicalize(project), fs::canonicalize(dir)) else {
        return false;
    };
    ["build", OUTPUT].iter().any(|name| {
        let output = project.join(name);
        output.starts_with(&dir) || dir.starts_with(&output)
    })
}

fn is_plain(flag: &str) -> bool {
    let names_a_file = match flag.get(..2) {
        Some("-f") => flag.contains('='),
        Some("-W") => flag.contains(','),
        _ => false,
    };
    let has_its_value = !matches!(flag, "-D" | "-U" | "-mllvm");
    PLAIN.iter().any(|plain| flag.starts_with(plain)) && has_its_value && !names_a_file
}

/// Returns the files that a build may read in directories whose every file counts: the sources,
/// those with headers, and the contract.
pub(super) fn before(
    project: &Project,
    headers: &[PathBuf],
    config_schema: Option<&Path>,
) -> Option<Vec<PathBuf>> {
    let own = [project.dir().join("src"), project.wit_dir()];
    let mut files = Vec::new();
    for dir in own.iter().chain(headers) {
        files.extend(files_below(dir, &|_| true)?);
    }
    files.extend(config_schema.map(|file| project.dir().join(file)));
    // Headers are looked for there too.
    let build = project.dir().join("build");
    let objects = build.join("objects");
    if build.is_dir() {
        let is_made = |file: &Path| {
            let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
            file.parent() == Some(&build) && MADE.contains(&name)
        };
        files.extend(
            files_below(&build, &|dir| dir != objects)?
                .into_iter()
                .filter(|file| !is_made(file)),
        );
    }
    Some(files)
}

/// Returns the files that a compiler listed as a rule for `make`. `None` if it may have looked for
/// files that do not follow from the list.
pub(super) fn found(
    rule: &str,
    project: &Path,
    headers: &[PathBuf],
    tools: &Path,
) -> Option<Vec<Found>> {
    let sources = project.join("src");
    let mut found = Vec::new();
    for path in listed(rule)? {
        let path = project.join(path);
        if path.starts_with(tools) {
            continue;
        }
        let within: Vec<&Path> = headers
            .iter()
            .filter_map(|dir| path.strip_prefix(dir).ok())
            .collect();
        // A file looked for in `../` of one directory was also looked for in `../` of the others.
        let leaves = within.iter().any(|path| has_parents(path));
        if leaves || !asks_only_below(&fs::read(&path).ok()?) {
            return None;
        }
        let of_author = path.strip_prefix(&sources);
        if !within.is_empty() || of_author.is_ok_and(|path| !has_parents(path)) {
            continue;
        }
        let dir = path.parent()?;
        if has_outputs(project, dir) {
            return None;
        }
        let dirs = dirs_below(dir)?;
        found.extend(dirs.into_iter().chain([path]).map(|path| Found {
            path,
            was_there: true,
        }));
    }
    Some(found)
}

fn has_parents(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

/// Returns the files of a rule such as `made: a.c b.h \`.
fn listed(rule: &str) -> Option<Vec<String>> {
    let (_, files) = rule.split_once(": ")?;
    let mut listed = vec![String::new()];
    let mut rest = files.chars().peekable();
    while let Some(next) = rest.next() {
        let escaped = match (next, rest.peek()) {
            ('\\', Some(' ' | '#' | '\\')) | ('$', Some('$')) => rest.next(),
            ('\\', Some('\n')) => None,
            (white, _) if white.is_whitespace() => {
                listed.push(String::new());
                continue;
            }
            (plain, _) => Some(plain),
        };
        listed.last_mut()?.extend(escaped);
    }
    listed.retain(|file| !file.is_empty());
    Some(listed)
}

/// Returns whether a source tests only for files in or below directories with headers.
fn asks_only_below(source: &[u8]) -> bool {
    let source = String::from_utf8_lossy(source);
    let mut asks = ASKS.iter().flat_map(|ask| source.split(ask).skip(1));
    let is_below = |rest: &str| {
        let rest = rest.strip_prefix("_next").unwrap_or(rest).trim_start();
        let Some(asked) = rest.strip_prefix('(') else {
            return true;
        };
        let file = asked.trim_start().strip_prefix(['<', '"']);
        let file = file.and_then(|file| file.split(['>', '"', '\n']).next());
        file.is_some_and(|file| !file.contains("..") && !file.starts_with('/'))
    };
    !source.contains(".incbin") && asks.all(is_below)
}

/// Returns a directory and all below it. `None` if there is a link to one.
fn dirs_below(dir: &Path) -> Option<Vec<PathBuf>> {
    let mut all = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).ok()? {
            let path = entry.ok()?.path();
            let kind = fs::symlink_metadata(&path).ok()?.file_type();
            if kind.is_dir() {
                dirs.push(path);
            } else if kind.is_symlink() && path.is_dir() {
                return None;
            }
        }
        all.push(dir);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_may_name_a_file_are_not_known() {
        let project = Path::new("/project");
        let dirs = |flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
            header_dirs(project, &flags)
        };
        let plain = [
            "-DLIMIT=5",
            "-O2",
            "-Wno-unused",
            "-fno-rtti",
            "-g0",
            "-mbulk-memory",
            "-std=c23",
        ];
        assert_eq!(dirs(&plain), Some(vec![]));
        let named = ["vendor", "/elsewhere"].map(|dir| project.join(dir));
        assert_eq!(
            dirs(&["-Ivendor", "-I", "/elsewhere"]),
            Some(named.to_vec())
        );
        for flag in [
            "-include",
            "src/a.h",
            "@flags",
            "-isystem",
            "-Wp,-include,a.h",
            "-fprofile-use=a",
            "-D",
            "-mllvm",
            "-I",
            "-Mhook=a.zig",
            "--dep",
            "-Xclang",
        ] {
            assert_eq!(dirs(&[flag]), None, "{flag}");
        }
    }

    #[test]
    fn a_rule_is_read() {
        let rule = "made: src/a.c src/../sp\\ ace/h$$x\\#.h \\\n  /b.h\n";
        let listed = listed(rule).expect("a rule");
        assert_eq!(listed, ["src/a.c", "src/../sp ace/h$x#.h", "/b.h"]);
    }

    #[test]
    fn a_source_may_ask_for_what_is_below() {
        for (source, is_below) in [
            ("#if defined(__has_include) && __has_include(<a/b.h>)", true),
            (
                "#ifdef __has_include\n#if __has_include_next ( \"a.h\" )",
                true,
            ),
            ("#if __has_include(\"../a.h\")", false),
            ("#if __has_include(</a.h>)", false),
            ("#if __has_include(A)", false),
            ("#if __has_embed(A)", false),
            ("asm(\".incbin \\\"a\\\"\");", false),
        ] {
            assert_eq!(asks_only_below(source.as_bytes()), is_below, "{source}");
        }
    }
}
