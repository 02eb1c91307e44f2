//! Programs that are packages for Python.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::place::installed;
use crate::build::{BuildError, Shop};

impl Shop<'_> {
    /// A Python that has these packages, each written like `ziglang==0.15.1`, in a virtual environment.
    pub(crate) fn python(&mut self, packages: &[&str]) -> Result<PathBuf, BuildError> {
        let dir = installed(self, "python", packages, |shop, dir| {
            let python = system_python(packages)?;
            let what = packages.join(" ");
            let mut make = Command::new(python);
            make.args(["-m", "venv"]).arg(dir);
            shop.install(&what, make).map_err(without_venv)?;
            let mut pip = Command::new(python_in(dir));
            pip.args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args(packages);
            shop.install(&what, pip)
        })?;
        Ok(python_in(&dir))
    }
}

fn python_in(dir: &Path) -> PathBuf {
    match cfg!(windows) {
        true => dir.join("Scripts/python.exe"),
        false => dir.join("bin/python"),
    }
}

/// The Python that is on this machine.
fn system_python(packages: &[&str]) -> Result<&'static str, BuildError> {
    let works = |program: &&str| {
        let mut probe = Command::new(program);
        let code = "import sys; sys.exit(sys.version_info < (3, 10))";
        probe.args(["-c", code]).stdin(Stdio::null());
        probe.stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    ["python3", "python"]
        .into_iter()
        .find(works)
        .ok_or_else(|| BuildError::Missing {
            tool: "Python 3.10 or newer".to_owned(),
            why: format!("it installs and runs {}", packages.join(" ")),
            fixes: vec![
                "Debian, Ubuntu: sudo apt-get install python3 python3-venv".to_owned(),
                "elsewhere: install it with your system's package manager, so that `python3` starts it".to_owned(),
            ],
        })
}

/// Debian has `venv` in a package of its own.
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
