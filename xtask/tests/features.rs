//! Dependencies have the same features whichever package is built.

use std::collections::BTreeSet;

use xtask::{cargo, root};

/// The packages with host code. Guests are built for another target, and `xtask` before everything
/// else.
const PACKAGES: &[&str] = &[
    "portcullis",
    "portcullis-access",
    "portcullis-schema",
    "portcullis-source-lines",
    "portcullis-agent",
    "portcullis-agent-file",
    "portcullis-attack",
    "portcullis-bench",
    "portcullis-book",
    "portcullis-bridge",
    "portcullis-cli",
    "portcullis-dialects",
    "portcullis-mcp-proxy",
    "portcullis-node",
    "portcullis-project",
    "portcullis-python",
    "portcullis-registry",
    "portcullis-restate",
    "portcullis-rig",
    "portcullis-serve",
    "portcullis-store",
    "portcullis-telemetry",
    "portcullis-tests",
    "portcullis-workbench",
];

/// Returns the dependencies of some packages, each with its version and features.
fn dependencies(packages: &[&str]) -> BTreeSet<String> {
    let mut tree = cargo(&root());
    tree.args(["tree", "--locked", "--prefix", "none"]);
    tree.args(["--edges", "normal,build,dev", "--format", "{p} [{f}]"]);
    tree.args(packages);
    let output = tree.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().filter(|line| !line.contains(" (/"));
    // Repeated entries are marked.
    let lines = lines.map(|line| line.trim_end_matches(" (*)"));
    lines.map(str::to_owned).collect()
}

#[test]
fn no_package_compiles_a_dependency_anew() {
    let workspace = dependencies(&["--workspace"]);
    assert!(workspace.iter().any(|line| line.starts_with("wasmtime v")));
    let mut missing = BTreeSet::new();
    for package in PACKAGES {
        let own = dependencies(&["--package", package]);
        missing.extend(own.difference(&workspace).cloned());
    }
    assert!(
        missing.is_empty(),
        "xtask/features/Cargo.toml should name the workspace's features of: {missing:#?}"
    );
}
