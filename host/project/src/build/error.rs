//! Errors of a build.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use crate::FileError;
use crate::contract::ContractError;

/// A project could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A tool is missing, and cannot be installed for the user alone.
    #[error("{tool} is missing: {why}{}", fixes.iter().map(|fix| format!("\n  {fix}")).collect::<String>())]
    Missing {
        /// The tool.
        tool: String,
        /// The purpose of the tool.
        why: String,
        /// The commands that install it, each with the platform that it is for.
        fixes: Vec<String>,
    },
    /// A package is missing, and installing was forbidden.
    #[error(
        "{what} is not installed, and --offline installs nothing; without it, this would be run: {command}"
    )]
    Offline {
        /// The missing part.
        what: String,
        /// The command that installs it.
        command: String,
    },
    /// A tool could not be started.
    #[error("cannot start `{program}`: {cause}")]
    Start {
        /// The tool.
        program: String,
        /// The system's error.
        cause: io::Error,
    },
    /// A tool failed.
    #[error("`{program}` ended with {status}{}{output}", if output.is_empty() { "" } else { "\n" })]
    Tool {
        /// The tool, as people call it.
        program: String,
        /// The exit status.
        status: ExitStatus,
        /// The end of its output.
        output: String,
    },
    /// The build or the SDK's own tool found something wrong with the hook.
    #[error("the hook cannot be built\n{output}")]
    Hook {
        /// The problems, or the end of the tool's output.
        output: String,
    },
    /// A file could not be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The project's WIT is not the contract.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The project has none of the files its language needs.
    #[error("{} has no {what}", dir.display())]
    NoSource {
        /// The searched directory.
        dir: PathBuf,
        /// The expected kind of file.
        what: &'static str,
    },
    /// The SDK is a package, and it is not installed.
    #[error("{} has no package `{name}`: {fix}", dir.display())]
    NoSdk {
        /// The searched directory.
        dir: PathBuf,
        /// The package.
        name: &'static str,
        /// The fix.
        fix: String,
    },
    /// The SDK is that of another release.
    #[error(
        "the SDK is for the contract {theirs}, and this command has {ours}: use the SDK of the same release"
    )]
    Sdk {
        /// The version that the component is for.
        theirs: String,
        /// The version there is.
        ours: String,
    },
    /// The result of the tools is not a component, or could not be made into one.
    #[error("{what}: {cause:#}")]
    Component {
        /// The action that failed.
        what: String,
        /// The cause.
        cause: anyhow::Error,
    },
    /// The component does not serve the points that the manifest names.
    #[error(
        "the component serves {} and portcullis.toml names {}: change `points` there, or the source",
        list(serves),
        list(named)
    )]
    Points {
        /// The points that the component serves.
        serves: Vec<String>,
        /// The points that the manifest names.
        named: Vec<String>,
    },
}

fn list(points: &[String]) -> String {
    match points.is_empty() {
        true => "no point".to_owned(),
        false => points.join(", "),
    }
}
