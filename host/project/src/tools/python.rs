//! Programs that are packages for Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::place::installed;
use crate::build::{BuildContext, BuildError};
use crate::error::write;

/// The oldest Python that runs the build tools and the SDK.
const OLDEST: (u8, u8) = (3, 11);

/// The record of the packages installed in a project's virtual environment.
const RECORD: &str = ".portcullis";

impl BuildContext<'_> {
    /// Returns a Python that has these packages, each written like `ziglang==0.15.1`, in a virtual
    /// environment.
    pub(crate) fn python(&mut self, packages: &[&str]) -> Result<PathBuf, BuildError> {
        let dir = installed(self, "python", packages, |cx, dir| {
            let what = packages.join(" ");
            cx.venv(&what, dir)?;
            cx.pip(&what, dir, packages)
        })?;
        Ok(python_in(&dir))
    }

    /// Makes the virtual environment `dir` with these packages, or installs them again if the record names others. An
    /// environment without a record is left unchanged.
    pub(crate) fn python_environment(
        &mut self,
        dir: &Path,
        packages: &[String],
    ) -> Result<(), BuildError> {
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        let (what, record) = (packages.join(" "), dir.join(RECORD));
        if !python_in(dir).is_file() {
            self.venv(&what, dir)?;
            // If the installation fails, the next call tries again.
            write(&record, b"")?;
        }
        match fs::read_to_string(&record) {
            Ok(there) if there != what => {
                self.pip(&what, dir, &packages)?;
                Ok(write(&record, what.as_bytes())?)
            }
            _ => Ok(()),
        }
    }

    fn venv(&mut self, what: &str, dir: &Path) -> Result<(), BuildError> {
        let mut make = Command::new(system_python(what)?);
        make.args(["-m", "venv"]).arg(dir);
        self.install(what, make).map_err(without_venv)
    }

    fn pip(&mut self, what: &str, dir: &Path, packages: &[&str]) -> Result<(), BuildError> {
        let mut pip = Command::new(python_in(dir));
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        self.install(what, {
            pip.args(packages);
            pip
        })
    }
}

/// Returns the Python of a virtual environment.
pub(crate) fn python_in(dir: &Path) -> PathBuf {
    match cfg!(windows) {
        true => dir.join("Scripts/python.exe"),
        false => dir.join("bin/python"),
    }
}

/// Returns the Python that is on this machine.
fn system_python(what: &str) -> Result<&'static str, BuildError> {
    let works = |program: &&str| {
        let mut probe = Command::new(program);
        let (major, minor) = OLDEST;
        let code = format!("import sys; sys.exit(sys.version_info < ({major}, {minor}))");
        probe.args(["-c", &code]).stdin(Stdio::null());
        probe.stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    ["python3", "python"]
        .into_iter()
        .find(works)
        .ok_or_else(|| BuildError::Missing {
            tool: format!("Python {}.{} or newer", OLDEST.0, OLDEST.1),
            why: format!("it installs and runs {what}"),
            fixes: vec![
                "Debian, Ubuntu: sudo apt-get install python3 python3-venv".to_owned(),
                "elsewhere: install it with your system's package manager, so that `python3` starts it".to_owned(),
            ],
        })
}

/// Adds a hint to an error: Debian has `venv` in a separate package.
fn without_venv(error: BuildError) -> BuildError {
    match error {
        BuildError::Tool { output, .. } => BuildError::Missing {
            tool: "Python's `venv`".to_owned(),
            why: format!("it could not make a virtual environment:\n{output}"),
            fixes: vec!["Debian, Ubuntu: sudo apt-get install python3-venv".to_owned()],
        },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::OLDEST;

    #[test]
    fn the_oldest_python_is_the_same_everywhere() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let version = format!("{}.{}", OLDEST.0, OLDEST.1);
        for (file, says) in [
            (
                "guest-sdk/python/pyproject.toml",
                format!("requires-python = \">={version}\""),
            ),
            (
                "host/project/templates/python/pyproject.toml.jinja",
                format!("requires-python = \">={version}\""),
            ),
            ("guest-sdk/python/README.md", format!("Python {version} or")),
            ("docs/languages.md", format!("Python {version} or newer")),
            ("docs/start/python.md", format!("Python {version} or newer")),
        ] {
            let text = fs::read_to_string(root.join(file)).expect(file);
            assert!(text.contains(&says), "{file} does not say {says}");
        }
    }
}
