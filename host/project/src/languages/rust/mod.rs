//! Rust: cargo, for the target `wasm32-wasip2`.

mod dependencies;
mod metadata;
mod sdk;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use directories::BaseDirs;
use include_dir::{Dir, include_dir};
use serde::Deserialize;

use super::{Packed, SdkPackage, Toolchain};
use crate::build::{BuildError, Work};
use crate::error::read;
use crate::tools::{self, cargo};
use crate::{Material, Part, Project};

pub use dependencies::{Dependencies, Dependency, dependencies};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/rust");

/// The target that hooks are built for.
pub const TARGET: &str = "wasm32-wasip2";

/// The separator between flags in cargo's variable.
const SEPARATOR: &str = "\u{1f}";

/// The language.
pub(super) struct Rust;

impl Toolchain for Rust {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        sdk::files()
    }

    fn package(&self) -> Option<SdkPackage> {
        Some(SdkPackage {
            name: "portcullis-sdk",
            packed: Packed::Crate,
        })
    }

    fn locks_sdk(&self) -> bool {
        true
    }

    fn materials(&self, project: &Project, _: &[u8]) -> Vec<Material> {
        let library = Material::new(
            "rust-std",
            release(project.dir()).as_deref(),
            Part::Contained,
        );
        vec![library]
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let project = work.project();
        ensure_target(project.dir(), work)?;
        let package = Package::of(project.dir())?;
        let profile = project.manifest().rust.profile.as_str();
        work.step("cargo builds");
        let mut build = cargo::isolated(project.dir());
        build.args(["build", "--target", TARGET, "--profile", profile]);
        build.args(["--package", &package.name]);
        build.env("CARGO_ENCODED_RUSTFLAGS", flags(project));
        if work.offline() {
            build.arg("--offline");
        }
        work.run(&mut build)?;
        let folder = match profile {
            "dev" | "test" => "debug",
            "bench" => "release",
            other => other,
        };
        let built = package.target_dir.join(TARGET).join(folder);
        Ok(read(&built.join(package.library).with_extension("wasm"))?)
    }
}

/// Returns the release of Rust that builds in a directory.
fn release(dir: &Path) -> Option<String> {
    let asked = rustc(dir).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&asked.stdout);
    text.split_ascii_whitespace().nth(1).map(str::to_owned)
}

fn rustc(dir: &Path) -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.current_dir(dir);
    rustc
}

/// Returns the flags for rustc. A panic message contains the path of its source, which must not depend on this
/// machine's directories.
fn flags(project: &Project) -> OsString {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(BaseDirs::new()?.home_dir().join(".cargo")));
    let sdk = (!project.has_package()).then(|| project.sdk_dir());
    let dirs = [
        (home, "/cargo"),
        (sdk, "/sdk"),
        (Some(project.dir().to_owned()), "/hook"),
    ];
    let mut flags = OsString::new();
    for (dir, name) in dirs {
        let Some(dir) = dir else { continue };
        let separator = if flags.is_empty() { "" } else { SEPARATOR };
        flags.push(separator);
        flags.push("--remap-path-prefix=");
        flags.push(dir);
        flags.push("=");
        flags.push(name);
    }
    flags
}

/// The output of `cargo metadata`.
struct Package {
    name: String,
    library: String,
    target_dir: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<MetadataPackage>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct MetadataPackage {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<MetadataTarget>,
}

#[derive(Deserialize)]
struct MetadataTarget {
    name: String,
    crate_types: Vec<String>,
}

impl Package {
    fn of(dir: &Path) -> Result<Self, BuildError> {
        let metadata: Metadata = metadata::of(dir, &["--no-deps"])?;
        let manifest = dir.join("Cargo.toml");
        let package = metadata
            .packages
            .into_iter()
            .find(|package| package.manifest_path == manifest);
        let no_source = |what| BuildError::NoSource {
            dir: dir.to_owned(),
            what,
        };
        let package = package.ok_or_else(|| no_source("Cargo.toml with a `[package]`"))?;
        let library = package.targets.into_iter().find(|target| {
            let mut types = target.crate_types.iter();
            types.any(|kind| kind == "cdylib")
        });
        let library = library.ok_or_else(|| {
            no_source("library of the crate type `cdylib`: in Cargo.toml, `[lib]` needs `crate-type = [\"cdylib\"]`")
        })?;
        Ok(Self {
            name: package.name,
            library: library.name.replace('-', "_"),
            target_dir: metadata.target_directory,
        })
    }
}

/// Ensures that there is cargo, and that Rust can build for [`TARGET`] in `dir`.
fn ensure_target(dir: &Path, work: &mut Work<'_>) -> Result<(), BuildError> {
    if std::env::var_os("CARGO").is_none() && tools::find("cargo").is_none() {
        return Err(BuildError::Missing {
            tool: "Rust".to_owned(),
            why: "cargo builds the hook".to_owned(),
            fixes: vec![
                "with rustup: rustup toolchain install stable".to_owned(),
                "Debian, Ubuntu: sudo apt-get install rustup && rustup default stable".to_owned(),
            ],
        });
    }
    if has_target(dir) {
        return Ok(());
    }
    let missing = |why: String| BuildError::Missing {
        tool: format!("the Rust target {TARGET}"),
        why,
        fixes: vec![
            format!("with rustup: rustup target add {TARGET}"),
            "without rustup: install the target with the package manager that installed Rust"
                .to_owned(),
        ],
    };
    if tools::find("rustup").is_none() {
        return Err(missing(
            "rustup, which would install it, was not found".to_owned(),
        ));
    }
    let mut add = Command::new("rustup");
    add.args(["target", "add", TARGET]).current_dir(dir);
    match work.install(TARGET, add) {
        Err(BuildError::Tool { output, .. }) => Err(missing(format!("rustup said:\n{output}"))),
        other => other,
    }?;
    match has_target(dir) {
        true => Ok(()),
        false => Err(missing(
            "rustup installed it for another toolchain than the `rustc` in use".to_owned(),
        )),
    }
}

fn has_target(dir: &Path) -> bool {
    let mut ask = rustc(dir);
    ask.args(["--print", "target-libdir", "--target", TARGET]);
    let asked = ask.output();
    asked.is_ok_and(|asked| {
        let libraries = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
        asked.status.success() && PathBuf::from(libraries).is_dir()
    })
}
