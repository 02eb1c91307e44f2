//! Checking the paths among the arguments.

use guards_common::paths::{Jail, Place};
use guards_common::{json, names};
use portcullis_sdk::{Error, HookResult};
use serde_json::Value;

use crate::config::Config;
use crate::patterns::{File, Patterns};
use crate::readings::{is_unclear, is_web_address, readings};

/// The reason why a call is refused.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// A path leaves the directories.
    Outside(String),
    /// A path may not be used.
    Denied {
        /// The path.
        path: String,
        /// The pattern that matches it.
        pattern: String,
    },
    /// A path cannot be resolved as text.
    Unclear(String),
}

/// The operator's table with its patterns compiled.
#[derive(Debug)]
pub struct Guard {
    config: Config,
    roots: Vec<Jail>,
    deny: Patterns,
    allow: Patterns,
}

impl Guard {
    /// Compiles the patterns of the table.
    pub fn new(config: Config) -> HookResult<Self> {
        let root = |dir: &String| {
            Jail::new(dir)
                .ok_or_else(|| Error::bad_config(format_args!("`roots`: `{dir}` is not absolute")))
        };
        Ok(Self {
            roots: config.roots.iter().map(root).collect::<HookResult<_>>()?,
            deny: Patterns::new("deny", &config.deny)?,
            allow: Patterns::new("allow", &config.allow)?,
            config,
        })
    }

    /// Returns whether the tool's arguments are checked.
    pub fn is_for(&self, tool: &str) -> bool {
        names::any(&self.config.tools, tool)
    }

    /// Checks all paths in the arguments.
    pub fn check(&self, arguments: &Value, working_dir: Option<&str>) -> Result<(), Fault> {
        let working_dir = working_dir.and_then(|dir| Some((dir, Jail::new(dir)?)));
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

    fn path(&self, said: &str, working_dir: Option<&(&str, Jail)>) -> Result<(), Fault> {
        readings(said)
            .iter()
            .try_for_each(|path| self.reading(said, path, working_dir))
    }

    /// Checks one reading of a path.
    fn reading(
        &self,
        said: &str,
        path: &str,
        working_dir: Option<&(&str, Jail)>,
    ) -> Result<(), Fault> {
        // `url-guard` checks what it names on a server.
        let is_web_address = is_web_address(path);
        if !is_web_address && is_unclear(path) {
            return Err(Fault::Unclear(said.to_owned()));
        }
        let is_inside = |jail: &Jail| jail.place(path) == Place::Inside;
        let is_absolute = path.starts_with(['/', '\\']);
        let is_in_working_dir = match working_dir {
            Some((_, jail)) => is_inside(jail),
            // Without a working directory, a relative path may not go up.
            None => {
                !is_absolute
                    && Jail::new("/").is_some_and(|jail| jail.place(path) == Place::Inside)
                    && !goes_up(path)
            }
        };
        if !(is_in_working_dir || is_absolute && self.roots.iter().any(is_inside)) {
            return Err(Fault::Outside(said.to_owned()));
        }
        if is_web_address {
            return Ok(());
        }
        let file = File::new(path, working_dir.map(|(dir, _)| *dir));
        match self.deny.first(&file) {
            Some(pattern) if self.allow.first(&file).is_none() => Err(Fault::Denied {
                path: said.to_owned(),
                pattern: pattern.to_owned(),
            }),
            _ => Ok(()),
        }
    }
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
