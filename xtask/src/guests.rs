//! Building the hooks that are written in this workspace.

pub mod c;
mod install;
mod packages;
pub mod projects;

use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use packages::Packages;

use crate::{Error, Result, cargo, toolchain};

/// The profile hooks are built in; the workspace's manifest says what it is.
const PROFILE: &str = "hook";

/// A directory of hook crates, and the one their components go to.
const GROUPS: &[(&str, &str)] = &[
    ("example-hooks", "target/hooks"),
    ("tests/guests", "target/test-hooks"),
    ("docs/hooks", "target/book-hooks"),
];

/// Builds all hooks in the workspace: those of `example-hooks` into `target/hooks`, those of
/// `tests/guests` into `target/test-hooks`, those of `docs/hooks` into `target/book-hooks`. Gives the
/// directory of the first.
///
/// A component is named after its crate. One that has not changed is not written again, and one
/// whose crate is gone is removed. The `hooks.toml` beside the crates goes with them. Progress goes
/// to stderr.
///
/// # Errors
///
/// Something is missing, or a crate does not build.
pub fn build(root: &Path) -> Result<PathBuf> {
    toolchain::ensure_target(root)?;
    let groups: Vec<_> = GROUPS
        .iter()
        .map(|(sources, components)| {
            let sources = root.join(sources);
            Ok((Packages::read(&sources)?, sources, *components))
        })
        .collect::<Result<_>>()?;
    compile(
        root,
        groups.iter().flat_map(|(packages, ..)| packages.names()),
    )?;
    let built = root
        .join("target/guests")
        .join(toolchain::TARGET)
        .join(PROFILE);
    for (packages, sources, components) in &groups {
        let to = root.join(components);
        install::settings(sources, &to)?;
        if let Some(done) = install::all(packages, &built, &to)? {
            eprintln!("hooks: {components}: {done}");
        }
    }
    Ok(root.join("target/hooks"))
}

fn compile<'a>(root: &Path, packages: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut build = cargo::isolated(root);
    build
        .args(["build", "--profile", PROFILE, "--target", toolchain::TARGET])
        .args(["--target-dir", "target/guests"])
        .stdout(Stdio::null());
    let mut count = 0;
    for package in packages {
        build.args(["--package", package]);
        count += 1;
    }
    // Cargo's own progress is for people; a log gets its errors only.
    if !stderr().is_terminal() {
        build.arg("--quiet");
    }
    eprintln!("hooks: building {count} components");
    let status = build
        .status()
        .map_err(|cause| Error::start("cargo", &cause))?;
    match status.success() {
        true => Ok(()),
        false => Err(Error::new(format!(
            "the hooks do not build: cargo ended with {status}"
        ))),
    }
}
