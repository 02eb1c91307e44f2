//! Building the hooks that are written in this workspace.

mod about;
mod install;
mod packages;

use std::collections::BTreeSet;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use packages::Packages;

use crate::{Error, Result, cargo, toolchain};

/// The profile hooks are built in; the workspace's manifest says what it is.
const PROFILE: &str = "hook";

/// Hook crates, and the directory that their components go to.
struct Group {
    /// The directory of the crates.
    sources: &'static str,
    components: &'static str,
    /// The `hooks.toml` that goes with them, if there is one.
    settings: &'static str,
    /// Whether only the hooks that the settings name are of the group.
    named_only: bool,
}

const fn group(sources: &'static str, components: &'static str, settings: &'static str) -> Group {
    Group {
        sources,
        components,
        settings,
        named_only: false,
    }
}

/// The hooks of the demonstration.
const DEMO: Group = Group {
    named_only: true,
    ..group(
        "example-hooks",
        "target/demo-hooks",
        "host/demo/story/hooks.toml",
    )
};

/// The library of guards.
const GUARDS: Group = group("guards", "target/guards", "guards/hooks.toml");

const GROUPS: &[Group] = &[
    group("example-hooks", "target/hooks", "example-hooks/hooks.toml"),
    DEMO,
    group(
        "tests/guests",
        "target/test-hooks",
        "tests/guests/hooks.toml",
    ),
    group("docs/hooks", "target/book-hooks", "docs/hooks/hooks.toml"),
    GUARDS,
];

/// Builds all hooks in the workspace: those of `example-hooks` into `target/hooks`, and those of the
/// demonstration into `target/demo-hooks` too; those of `tests/guests` into `target/test-hooks`, those of
/// `docs/hooks` into `target/book-hooks`, those of `guards` into `target/guards`. Gives the directory of the first.
///
/// A component is named after its crate. One that has not changed is not written again, and one
/// whose crate is gone is removed. The `hooks.toml` of the crates goes with them. Progress goes
/// to stderr.
///
/// # Errors
///
/// Something is missing, or a crate does not build.
pub fn build(root: &Path) -> Result<PathBuf> {
    groups(root, GROUPS)?;
    Ok(root.join("target/hooks"))
}

/// Builds the hooks of the demonstration, and no others. Gives their directory.
///
/// # Errors
///
/// Something is missing, or a crate does not build.
pub fn build_demo(root: &Path) -> Result<PathBuf> {
    groups(root, &[DEMO])?;
    Ok(root.join(DEMO.components))
}

/// Builds the guards alone, into `target/guards`.
///
/// # Errors
///
/// As for [`build`].
pub fn guards(root: &Path) -> Result<()> {
    groups(root, &[GUARDS])
}

fn groups(root: &Path, groups: &[Group]) -> Result<()> {
    toolchain::ensure_target(root)?;
    let groups: Vec<_> = groups
        .iter()
        .map(|group| {
            let mut packages = Packages::read(&root.join(group.sources))?;
            if group.named_only {
                packages.keep_named(&root.join(group.settings))?;
            }
            Ok((packages, group))
        })
        .collect::<Result<_>>()?;
    compile(
        root,
        &groups
            .iter()
            .flat_map(|(packages, _)| packages.names())
            .collect(),
    )?;
    let built = root
        .join("target/guests")
        .join(toolchain::TARGET)
        .join(PROFILE);
    for (packages, group) in &groups {
        let to = root.join(group.components);
        install::settings(&root.join(group.settings), &to)?;
        if let Some(done) = install::all(packages, &root.join(group.sources), &built, &to)? {
            eprintln!("hooks: {}: {done}", group.components);
        }
    }
    Ok(())
}

fn compile(root: &Path, packages: &BTreeSet<&str>) -> Result<()> {
    let mut build = cargo::isolated(root);
    build
        .args(["build", "--profile", PROFILE, "--target", toolchain::TARGET])
        .args(["--target-dir", "target/guests"])
        .stdout(Stdio::null());
    for package in packages {
        build.args(["--package", package]);
    }
    // Cargo's own progress is for people; a log gets its errors only.
    if !stderr().is_terminal() {
        build.arg("--quiet");
    }
    eprintln!("hooks: building {} components", packages.len());
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
