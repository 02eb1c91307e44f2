//! The package for Python.

use std::fs;
use std::path::Path;
use std::process::Command;

use portcullis_tests::root;

use crate::environment::{complete, directory, run as done, tell, works};

/// Returns the missing tool, if there is one.
pub fn missing() -> Option<&'static str> {
    let code = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    let works = works(Command::new("python3").args(["-c", code]));
    (!works).then_some("Python 3.11 with `venv` and `pip`")
}

/// Builds the wheel, installs it, checks its types and runs its tests.
fn test(package: &Path, python: &Path, dir: &Path) -> anyhow::Result<()> {
    let wheels = dir.join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let mut build = Command::new(python);
    build.args(["-m", "maturin", "build", "--profile", "dev", "--locked"]);
    // Stripped, to keep linked files small: nobody debugs the installed package.
    build.args(["--strip", "--interpreter"]).arg(python);
    build.arg("--out").arg(&wheels).current_dir(package);
    done(&mut build)?;

    let mut install = Command::new(python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    install.args([
        "--no-index",
        "--no-deps",
        "--force-reinstall",
        "portcullis-host",
    ]);
    done(install.arg("--find-links").arg(&wheels).current_dir(dir))?;

    let cache = dir.join("mypy");
    let mut check = Command::new(python);
    check.args(["-m", "mypy", "--cache-dir"]).arg(cache);
    check.args(["-p", "portcullis_host"]);
    check.args(["--config-file", "pyproject.toml"]);
    done(check.current_dir(package))?;

    let mut test = Command::new(python);
    test.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    done(tell(test.arg("tests").current_dir(package))?)
}

/// Runs the same test in the environment that the tests keep.
pub fn run() -> anyhow::Result<()> {
    let package = fs::canonicalize(root().join("host/python"))?;
    let requirements = package.join("tests/requirements.txt");
    let key = fs::read_to_string(&requirements)?;
    let (dir, is_new) = directory("python", &key)?;
    let python = dir.join("venv/bin/python");
    if is_new {
        done(
            Command::new("python3")
                .args(["-m", "venv"])
                .arg(dir.join("venv")),
        )?;
        let mut install = Command::new(&python);
        install.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        done(install.arg("-r").arg(&requirements))?;
        complete(&dir, &key)?;
    }
    test(&package, &python, &dir)
}
