//! Packages that tests run, such as editors' checkers. They come from the registries of their
//! languages. A test that needs a package is skipped only if the registry cannot be reached: any
//! other failure is an error.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use portcullis_project::build::BuildError;
use portcullis_project::tools;

use xtask::test::not_run;
use xtask::{Error, Result, root};

/// The packages that check and test a Python project.
pub const PYTHON_CHECKERS: &[&str] = &["mypy==2.4.1", "pytest==9.2.0", "ruff==0.17.6"];

/// Returns a Python with these packages, each written like `ruff==0.17.6`. Returns `None`, with a
/// message, if the registry cannot be reached.
///
/// # Errors
///
/// Python is missing, or a package cannot be installed although the registry answers.
pub fn python(packages: &[&str]) -> Result<Option<PathBuf>> {
    let found = tools::python(&root().join("target/toolchains"), packages);
    had(found, packages, pypi_answers)
}

/// Returns a `node_modules` with these packages, each written like `prettier@3.10.1`. Returns
/// `None`, with a message, if the registry cannot be reached.
///
/// # Errors
///
/// `npm` is missing, or a package cannot be installed although the registry answers.
pub fn node(packages: &[&str]) -> Result<Option<PathBuf>> {
    let found = tools::node(&root().join("target/toolchains"), packages);
    had(found, packages, npm_answers)
}

/// Returns whether `npm` is installed and its registry answers.
pub fn npm_answers() -> bool {
    succeeds(Command::new("npm").args(["view", "npm", "version"]))
}

/// Returns whether the Python registry answers. Any environment has `pip`, so making this one sends
/// no request.
fn pypi_answers() -> bool {
    let python = tools::python(&root().join("target/toolchains"), &["pip"]);
    let arguments = ["-m", "pip", "index", "versions", "pip"];
    python.is_ok_and(|python| succeeds(Command::new(python).args(arguments)))
}

fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null());
    let ran = command.output();
    ran.is_ok_and(|ran| ran.status.success())
}

fn had(
    found: std::result::Result<PathBuf, BuildError>,
    packages: &[&str],
    answers: fn() -> bool,
) -> Result<Option<PathBuf>> {
    match found {
        Ok(path) => Ok(Some(path)),
        Err(why @ BuildError::Tool { .. }) if !answers() => {
            let packages = packages.join(" ");
            not_run(&format!(
                "{packages}: the registry cannot be reached: {why}"
            ));
            Ok(None)
        }
        Err(why) => Err(Error::new(why.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_here_is_an_error() {
        let missing = || BuildError::Missing {
            tool: "a".into(),
            why: "b".into(),
            fixes: Vec::new(),
        };
        assert!(had(Err(missing()), &["a"], || false).is_err());
        let failed = || BuildError::Tool {
            program: "pip".into(),
            status: std::process::ExitStatus::default(),
            output: String::new(),
        };
        assert!(had(Err(failed()), &["a==99"], || true).is_err());
    }
}
