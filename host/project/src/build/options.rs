//! The options and the progress of a build.

use std::path::PathBuf;

use directories::ProjectDirs;

/// The options of a build.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether to fail if something is missing, instead of installing it. `false` by default.
    pub offline: bool,
    /// The directory of the tools that projects share; the user's cache directory by default.
    pub tools: PathBuf,
    /// Whether to keep a component that was built of the same files by the same tools. In languages whose tools build
    /// from scratch each time, Portcullis checks this; in the others, the tools do. `false` by default.
    pub keeps: bool,
    /// The path of the component; `dist/NAME.wasm` in the project by default.
    pub output: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        let cache = ProjectDirs::from("", "", "portcullis");
        let cache = cache.map_or_else(std::env::temp_dir, |dirs| dirs.cache_dir().to_owned());
        Self {
            offline: false,
            tools: cache.join("tools"),
            keeps: false,
            output: None,
        }
    }
}

/// The progress of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A step begins, in words such as `compiling`.
    Step(&'a str),
    /// A missing package is installed.
    Installing {
        /// The package, such as `ziglang==0.15.1`.
        what: &'a str,
        /// The command that does it.
        command: &'a str,
    },
    /// A tool wrote a line.
    Line(&'a str),
    /// A tool that succeeded wrote a line about the author's sources, such as a part of a warning.
    Warning(&'a str),
}
