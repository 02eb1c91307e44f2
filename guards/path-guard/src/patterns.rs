//! Patterns of files, and the files that they match.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use portcullis_sdk::{Error, HookResult};

/// Patterns of files. Those that start with a slash match absolute paths. The others match paths below the working
/// directory, and absolute paths outside of it.
#[derive(Debug)]
pub struct Patterns {
    absolute: Set,
    relative: Set,
}

#[derive(Debug)]
struct Set {
    globs: GlobSet,
    texts: Vec<String>,
}

/// The path of a file, resolved as text. It is in lower case, since some file systems ignore case.
#[derive(Debug)]
pub struct File {
    absolute: Option<String>,
    /// The path from the working directory on, or the absolute path if the file is outside.
    relative: String,
}

impl Patterns {
    /// Compiles the patterns of this key in the operator's table.
    pub fn new(key: &str, patterns: &[String]) -> HookResult<Self> {
        let (absolute, relative): (Vec<&String>, Vec<&String>) = patterns
            .iter()
            .partition(|pattern| pattern.starts_with('/'));
        Ok(Self {
            absolute: Set::new(key, absolute)?,
            relative: Set::new(key, relative)?,
        })
    }

    /// Returns the first pattern that matches the file.
    pub fn first(&self, file: &File) -> Option<&str> {
        let absolute = file.absolute.as_deref();
        absolute
            .and_then(|path| self.absolute.first(path))
            .or_else(|| self.relative.first(&file.relative))
    }
}

impl Set {
    fn new(key: &str, patterns: Vec<&String>) -> HookResult<Self> {
        let fault = |pattern: &str, why: globset::Error| {
            Error::bad_config(format_args!("`{key}`: `{pattern}`: {why}"))
        };
        let mut globs = GlobSetBuilder::new();
        for pattern in &patterns {
            let glob = GlobBuilder::new(pattern.strip_prefix("./").unwrap_or(pattern))
                .literal_separator(true)
                .case_insensitive(true)
                .build();
            globs.add(glob.map_err(|why| fault(pattern, why))?);
        }
        Ok(Self {
            globs: globs.build().map_err(|why| fault("", why))?,
            texts: patterns.into_iter().cloned().collect(),
        })
    }

    fn first(&self, path: &str) -> Option<&str> {
        let at = *self.globs.matches(path).first()?;
        self.texts.get(at).map(String::as_str)
    }
}

impl File {
    /// Resolves a path in a working directory, if that is known.
    pub fn new(path: &str, working_dir: Option<&str>) -> Self {
        let mut dir = Vec::new();
        walk(&mut dir, working_dir.unwrap_or_default());
        let is_absolute = path.starts_with(is_slash);
        let mut names = match is_absolute {
            true => Vec::new(),
            false => dir.clone(),
        };
        walk(&mut names, path);
        let text = |names: &[&str]| names.join("/").to_lowercase();
        let is_rooted = is_absolute || working_dir.is_some();
        let is_below = names.len() >= dir.len()
            && names
                .iter()
                .zip(&dir)
                .all(|(a, b)| a.to_lowercase() == b.to_lowercase());
        let below = names.get(dir.len()..).filter(|_| is_below);
        Self {
            absolute: is_rooted.then(|| format!("/{}", text(&names))),
            relative: text(below.unwrap_or(&names)),
        }
    }
}

fn is_slash(letter: char) -> bool {
    letter == '/' || letter == '\\'
}

fn walk<'a>(names: &mut Vec<&'a str>, path: &'a str) {
    for name in path.split(is_slash) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(plain(name)),
        }
    }
}

/// Returns the name as Windows reads it: without dots and spaces at the end, and without a stream.
fn plain(name: &str) -> &str {
    let start = name.split("::").next().unwrap_or(name);
    match start.trim_end_matches([' ', '.']) {
        "" => name,
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::{File, Patterns};

    #[test]
    fn patterns_and_paths_may_be_absolute_or_relative() {
        for (pattern, path, expected) in [
            ("/work/repo/secret/**", "secret/x", true),
            ("/work/repo/secret/**", "/work/repo/secret/x", true),
            ("/work/repo/secret/**", "a/../SECRET/x", true),
            ("/work/repo/secret/**", "../repo/secret/x", true),
            ("/work/repo/secret/**", "a/secret/x", false),
            ("/srv/secret/**", "/srv/secret/x", true),
            ("/srv/secret/**", "srv/secret/x", false),
            ("secret/**", "secret/x", true),
            ("secret/**", "/work/repo/secret/x", true),
            ("secret/**", r"\work\repo\secret\x", true),
            ("./secret/**", "secret/x", true),
            ("secret/**", "a/secret/x", false),
            ("secret/**", "/secret/x", true),
            ("**/.env", "/srv/data/.env", true),
            ("**/.env", "/work/repo/a/.env", true),
            ("a/secret", "a/.../../secret", true),
            // The working directory itself was chosen by the operator.
            ("**/work/**", "src/x", false),
            ("**/work/**", "/work/repo/src/x", false),
        ] {
            let patterns = Patterns::new("deny", &[pattern.to_owned()]).expect("a pattern");
            let file = File::new(path, Some("/work/repo"));
            assert_eq!(
                patterns.first(&file).is_some(),
                expected,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn without_a_working_directory_a_relative_path_is_known_from_there_on() {
        for (pattern, path, expected) in [
            ("secret/**", "secret/x", true),
            ("/secret/**", "/secret/x", true),
            ("/secret/**", "secret/x", false),
        ] {
            let patterns = Patterns::new("deny", &[pattern.to_owned()]).expect("a pattern");
            let file = File::new(path, None);
            assert_eq!(
                patterns.first(&file).is_some(),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
