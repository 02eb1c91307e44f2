//! Builds the hooks of this workspace.

mod about;
mod install;
mod packages;

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use packages::Packages;

use crate::{Error, Result, cargo, toolchain};

/// The profile that hooks are built with. The workspace's manifest defines it.
const PROFILE: &str = "hook";

/// Hook crates, and the directory that their components go to.
struct Group {
    /// The directory of the crates.
    sources: &'static str,
    components: &'static str,
    /// The `hooks.toml` of the crates, if there is one.
    settings: &'static str,
    /// Whether the group contains only the hooks that the settings name.
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

/// Builds all hooks in the workspace: those of `example-hooks` into `target/hooks`, those of the
/// demonstration into `target/demo-hooks` too, those of `tests/guests` into `target/test-hooks`,
/// those of `docs/hooks` into `target/book-hooks`, and those of `guards` into `target/guards`.
/// Returns the first directory.
///
/// A component is named after its crate. An unchanged component is not written again, and the
/// component of a removed crate is removed. The crates' `hooks.toml` is copied too. Progress goes
/// to stderr.
///
/// # Errors
///
/// A tool is missing, or a crate does not build.
pub fn build(root: &Path) -> Result<PathBuf> {
    groups(root, GROUPS)?;
    Ok(root.join("target/hooks"))
}

/// Builds the demonstration's hooks, and no others. Returns their directory.
///
/// # Errors
///
/// A tool is missing, or a crate does not build.
pub fn build_demo(root: &Path) -> Result<PathBuf> {
    groups(root, &[DEMO])?;
    Ok(root.join(DEMO.components))
}

/// Builds only the guards, into `target/guards`.
///
/// # Errors
///
/// As for [`build`].
pub fn guards(root: &Path) -> Result<()> {
    groups(root, &[GUARDS])
}

/// Returns the components of the guards that were built last.
///
/// # Errors
///
/// The guards were not built, or their directory cannot be read.
pub fn built_guards(root: &Path) -> Result<Vec<PathBuf>> {
    let dir = root.join(GUARDS.components);
    let fault = |cause: io::Error| Error::file("read", &dir, &cause);
    let entries = match fs::read_dir(&dir) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => None,
        entries => Some(entries.map_err(fault)?),
    };
    let files = entries.into_iter().flatten();
    let files = files.map(|entry| Ok(entry.map_err(fault)?.path()));
    let mut files = files.collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "wasm"));
    files.sort();
    match files.is_empty() {
        true => Err(Error::new(format!(
            "there is no guard in {}; run: cargo xtask guards --build",
            dir.display()
        ))),
        false => Ok(files),
    }
}

/// Builds one hook with variables that its code reads at compile time, and copies its component to
/// `to`. Dependencies that it shares with the other hooks are compiled once.
///
/// # Errors
///
/// As for [`build`].
pub fn build_with(root: &Path, package: &str, variables: &[(&str, &str)], to: &Path) -> Result<()> {
    let _building = lock(root)?;
    compile(root, &read(root, GROUPS)?, variables)?;
    let component = built(root).join(package.replace('-', "_") + ".wasm");
    fs::copy(&component, to).map_err(|cause| Error::file("copy", &component, &cause))?;
    Ok(())
}

/// Takes a lock that keeps other processes from building hooks: cargo's directory holds the
/// components of the last build only.
fn lock(root: &Path) -> Result<File> {
    let dir = root.join("target/guests");
    let file = dir.join("building");
    let fault = |cause: io::Error| Error::file("lock", &file, &cause);
    fs::create_dir_all(&dir).map_err(fault)?;
    let lock = File::create(&file).map_err(fault)?;
    match lock.try_lock() {
        Ok(()) => return Ok(lock),
        Err(TryLockError::WouldBlock) => {
            eprintln!("hooks: waiting for another process that builds hooks");
        }
        Err(TryLockError::Error(cause)) => return Err(fault(cause)),
    }
    lock.lock().map_err(fault)?;
    Ok(lock)
}

fn groups(root: &Path, groups: &[Group]) -> Result<()> {
    let groups = read(root, groups)?;
    let _building = lock(root)?;
    compile(root, &groups, &[])?;
    let built = built(root);
    for (packages, group) in &groups {
        let to = root.join(group.components);
        install::settings(&root.join(group.settings), &to)?;
        if let Some(done) = install::all(packages, &root.join(group.sources), &built, &to)? {
            eprintln!("hooks: {}: {done}", group.components);
        }
    }
    Ok(())
}

fn read<'a>(root: &Path, groups: &'a [Group]) -> Result<Vec<(Packages, &'a Group)>> {
    let read = groups.iter().map(|group| {
        let mut packages = Packages::read(&root.join(group.sources))?;
        if group.named_only {
            packages.keep_named(&root.join(group.settings))?;
        }
        Ok((packages, group))
    });
    read.collect()
}

/// Returns cargo's directory of components.
fn built(root: &Path) -> PathBuf {
    let target = root.join("target/guests").join(toolchain::TARGET);
    target.join(PROFILE)
}

fn compile(root: &Path, groups: &[(Packages, &Group)], variables: &[(&str, &str)]) -> Result<()> {
    toolchain::ensure_target(root)?;
    let packages = groups.iter().flat_map(|(packages, _)| packages.names());
    let packages: BTreeSet<&str> = packages.collect();
    let mut build = cargo::isolated(root);
    build
        .args(["build", "--profile", PROFILE, "--target", toolchain::TARGET])
        .args(["--target-dir", "target/guests"])
        .envs(variables.iter().copied())
        .stdout(Stdio::null());
    for package in &packages {
        build.args(["--package", package]);
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
