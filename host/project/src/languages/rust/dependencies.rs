//! The packages that a project is built of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{TARGET, metadata};
use crate::build::BuildError;

/// The packages that a component is built of.
#[derive(Debug, Clone)]
pub struct Dependencies {
    /// The lock file that fixes their versions: the project's, or that of its workspace.
    pub lock: PathBuf,
    /// The packages, without the project's own, by name and version.
    pub packages: BTreeSet<Dependency>,
}

/// A package, as the lock file names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Dependency {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The package's source, as cargo writes it; `None` for a directory.
    pub source: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
    #[serde(flatten)]
    named: Dependency,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// `None` for an ordinary one; `build` or `dev`.
    kind: Option<String>,
}

/// Returns the packages of the Rust project in `dir`, as its lock file lists them: those compiled
/// into the component, and those that run during the build. Packages for its tests and for other
/// members of its workspace are left out.
///
/// # Errors
///
/// Cargo is missing, or the lock file is, or it does not fit `Cargo.toml`.
pub fn dependencies(dir: &Path) -> Result<Dependencies, BuildError> {
    let host = metadata::host(dir)?;
    let graph = |platform: &str| {
        metadata::of::<Metadata>(dir, &["--locked", "--filter-platform", platform])
    };
    let (component, build) = (graph(TARGET)?, graph(&host)?);
    let manifest = dir.join("Cargo.toml");
    let is_own = |package: &&Package| package.manifest_path == manifest;
    let own = component.packages.iter().find(is_own);
    let own = own.ok_or_else(|| BuildError::NoSource {
        dir: dir.to_owned(),
        what: "Cargo.toml with a `[package]`",
    })?;
    let (compiled, aside) = component.reached([own.id.as_str()].into(), Macros::RunElsewhere);
    let (run, _) = build.reached(aside, Macros::AreCompiled);
    let named = |metadata: &Metadata, ids: BTreeSet<&str>| -> BTreeSet<Dependency> {
        let packages = metadata.packages.iter();
        let packages = packages.filter(|one| one.id != own.id && ids.contains(one.id.as_str()));
        packages.map(|package| package.named.clone()).collect()
    };
    let mut packages = named(&component, compiled);
    packages.extend(named(&build, run));
    Ok(Dependencies {
        lock: component.workspace_root.join("Cargo.lock"),
        packages,
    })
}

/// The treatment of the packages of macros and build scripts: run on the platform of cargo, or
/// compiled like all others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Macros {
    RunElsewhere,
    AreCompiled,
}

type Ids<'a> = BTreeSet<&'a str>;

impl Metadata {
    /// Returns the packages that these are built of, with themselves, and those that run elsewhere
    /// while they are built.
    fn reached<'a>(&'a self, from: Ids<'a>, macros: Macros) -> (Ids<'a>, Ids<'a>) {
        let nodes = self.resolve.nodes.iter();
        let nodes: BTreeMap<&str, &Node> = nodes.map(|node| (node.id.as_str(), node)).collect();
        let is_macro = |package: &&Package| {
            let mut kinds = package.targets.iter().flat_map(|target| &target.kind);
            kinds.any(|kind| kind == "proc-macro")
        };
        let known = self.packages.iter().filter(is_macro);
        let known: Ids<'_> = known.map(|package| package.id.as_str()).collect();
        let (mut reached, mut elsewhere) = (BTreeSet::new(), BTreeSet::new());
        let mut left: Vec<&str> = from.into_iter().collect();
        while let Some(id) = left.pop() {
            if !reached.insert(id) {
                continue;
            }
            for edge in nodes.get(id).into_iter().flat_map(|node| &node.deps) {
                let to = edge.pkg.as_str();
                let is = |wanted: Option<&str>| {
                    let mut kinds = edge.dep_kinds.iter();
                    kinds.any(|one| one.kind.as_deref() == wanted)
                };
                let (compiled, of_build) = (is(None), is(Some("build")));
                let runs = of_build || (compiled && known.contains(to));
                if runs && macros == Macros::RunElsewhere {
                    elsewhere.insert(to);
                }
                if (compiled && !known.contains(to)) || (runs && macros == Macros::AreCompiled) {
                    left.push(to);
                }
            }
        }
        (reached, elsewhere)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    fn package(dir: &Path, name: &str, more: &str) {
        let dir = dir.join(name);
        fs::create_dir_all(dir.join("src")).unwrap();
        fs::write(dir.join("src/lib.rs"), "").unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n{more}"
        );
        fs::write(dir.join("Cargo.toml"), manifest).unwrap();
    }

    fn lock(dir: &Path) {
        let mut cargo: Command = crate::tools::cargo::isolated(dir);
        let made = cargo
            .args(["generate-lockfile", "--offline"])
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
    }

    #[test]
    fn a_component_is_built_of_what_its_own_package_needs() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        for name in ["normal", "script", "tests", "elsewhere", "optional"] {
            package(&dir, name, "");
        }
        let on = |name: &str| format!("{name} = {{ path = \"../{name}\" }}\n");
        package(
            &dir,
            "macros",
            &format!("[dependencies]\n{}[lib]\nproc-macro = true\n", on("script")),
        );
        package(
            &dir,
            "other",
            &format!("[dependencies]\n{}", on("elsewhere")),
        );
        let hook = format!(
            "[dependencies]\n{}{}optional = {{ path = \"../optional\", optional = true }}\n\
             [dev-dependencies]\n{}[target.'cfg(unix)'.dependencies]\n{}",
            on("normal"),
            on("macros"),
            on("tests"),
            on("elsewhere"),
        );
        package(&dir, "hook", &hook);
        fs::write(
            dir.join("Cargo.toml"),
            "[workspace]\nresolver = \"3\"\nmembers = [\"hook\", \"other\"]\n",
        )
        .unwrap();
        lock(&dir);
        let found = dependencies(&dir.join("hook")).unwrap();
        let names: Vec<&str> = found.packages.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["macros", "normal", "script"]);
        assert_eq!(found.lock, dir.join("Cargo.lock"));
        // It is not a member of the workspace above it, so the lock file there does not count.
        package(&dir, "alone", "[workspace]\n");
        assert!(dependencies(&dir.join("alone")).is_err());
        lock(&dir.join("alone"));
        let found = dependencies(&dir.join("alone")).unwrap();
        assert_eq!(found.lock, dir.join("alone/Cargo.lock"));
        assert!(found.packages.is_empty());
    }
}
