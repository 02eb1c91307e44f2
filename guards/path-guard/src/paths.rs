//! Checking the paths among the arguments.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use guards_common::decoded::visible;
use guards_common::paths::{Jail, Place};
use guards_common::{json, names};
use portcullis_sdk::{Error, HookResult};
use serde_json::Value;

use crate::config::Config;

/// Why a call is refused.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// A path leaves the directories.
    Outside(String),
    /// A path is one of those that may not be used.
    Denied {
        /// The path.
        path: String,
        /// The pattern that it fits.
        pattern: String,
    },
    /// A path cannot be resolved as text.
    Unclear(String),
}

/// What the operator's table says, ready to be used.
#[derive(Debug)]
pub struct Guard {
    config: Config,
    roots: Vec<Jail>,
    deny: GlobSet,
    allow: GlobSet,
}

impl Guard {
    /// Reads the table.
    pub fn new(config: Config) -> HookResult<Self> {
        let root = |dir: &String| {
            Jail::new(dir)
                .ok_or_else(|| Error::bad_config(format_args!("`roots`: `{dir}` is not absolute")))
        };
        Ok(Self {
            roots: config.roots.iter().map(root).collect::<HookResult<_>>()?,
            deny: globs("deny", &config.deny)?,
            allow: globs("allow", &config.allow)?,
            config,
        })
    }

    /// Whether the tool's arguments are checked.
    pub fn is_for(&self, tool: &str) -> bool {
        names::any(&self.config.tools, tool)
    }

    /// Checks all paths.
    pub fn check(&self, arguments: &Value, working_dir: Option<&str>) -> Result<(), Fault> {
        let working_dir = working_dir.and_then(Jail::new);
        let mut done = Ok(());
        json::each_text(arguments, &mut |name, text| {
            if done.is_ok()
                && self
                    .config
                    .arguments
                    .iter()
                    .any(|argument| argument == name)
            {
                done = self.path(text, working_dir.as_ref());
            }
        });
        done
    }

    fn path(&self, said: &str, working_dir: Option<&Jail>) -> Result<(), Fault> {
        let is_address = is_address(said);
        let path = match plain(said) {
            Some(path) => path,
            None if is_address => said.to_owned(),
            None => return Err(Fault::Unclear(said.to_owned())),
        };
        let is_inside = |jail: &Jail| jail.place(&path) == Place::Inside;
        let is_absolute = path.starts_with(['/', '\\']);
        let is_in_working_dir = match working_dir {
            Some(jail) => is_inside(jail),
            // Without one, a relative path may not go up.
            None => {
                !is_absolute
                    && Jail::new("/").is_some_and(|jail| jail.place(&path) == Place::Inside)
                    && !goes_up(&path)
            }
        };
        if !(is_in_working_dir || is_absolute && self.roots.iter().any(is_inside)) {
            return Err(Fault::Outside(said.to_owned()));
        }
        // What it is on a server is for `url-guard`.
        if is_address {
            return Ok(());
        }
        let resolved = resolved(&path);
        match self.deny.matches(&resolved).first() {
            Some(at) if !self.allow.is_match(&resolved) => Err(Fault::Denied {
                path: said.to_owned(),
                pattern: self.config.deny.get(*at).cloned().unwrap_or_default(),
            }),
            _ => Ok(()),
        }
    }
}

/// Whether it is an address of the network. A tool may still take it for a path, so it leads nowhere else as one.
fn is_address(said: &str) -> bool {
    let Some((scheme, _)) = said.split_once("://") else {
        return false;
    };
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.chars().all(is_letter)
        && !scheme.eq_ignore_ascii_case("file")
}

/// The path without escapes of addresses; `None` if it cannot be read as one path.
fn plain(said: &str) -> Option<String> {
    let is_odd = said.contains(['\0', '\n', '\r'])
        || said.contains("${")
        || said.contains("$(")
        || said.starts_with('$')
        || said.contains('`');
    let has_hidden = visible(said) != said;
    if is_odd || has_hidden {
        return None;
    }
    let mut path = said.to_owned();
    // Twice, since some tools decode what was decoded before.
    for _ in 0..2 {
        path = decoded(&path)?;
    }
    // What looks like a dot or a slash and is none: some tools make one of it.
    let is_double = path.contains([
        '\u{2024}', '\u{2025}', '\u{2215}', '\u{2044}', '\u{ff0f}', '\u{ff0e}', '\u{29f8}',
    ]);
    (!is_double && !path.contains('\0')).then_some(path)
}

/// The path with `%2e` and the like as the letters they stand for, if they are ASCII.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        match (first, tail) {
            (b'%', [high, low, tail @ ..]) if digit(high).is_some() && digit(low).is_some() => {
                let code = digit(high)? * 16 + digit(low)?;
                bytes.push(u8::try_from(code).ok()?);
                rest = tail;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    // An overlong form of a slash is no text.
    String::from_utf8(bytes).ok()
}

fn goes_up(path: &str) -> bool {
    let mut depth = 0_i32;
    path.split(['/', '\\']).any(|name| {
        match name {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        depth < 0
    })
}

/// The path with `.` and `..` resolved, and in lower case: some file systems do not tell cases apart.
fn resolved(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split(['/', '\\']) {
        // Windows leaves out dots and spaces at the end, and streams.
        let name = match name {
            "." | ".." => name,
            name => name
                .split("::")
                .next()
                .unwrap_or(name)
                .trim_end_matches([' ', '.']),
        };
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join("/").to_lowercase()
}

fn globs(key: &str, patterns: &[String]) -> HookResult<GlobSet> {
    let fault = |pattern: &str, why: &dyn std::fmt::Display| {
        Error::bad_config(format_args!("`{key}`: `{pattern}`: {why}"))
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern)
            .literal_separator(true)
            .case_insensitive(true)
            .build();
        set.add(glob.map_err(|why| fault(pattern, &why))?);
    }
    set.build().map_err(|why| fault("", &why))
}
