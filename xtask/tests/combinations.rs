//! Each combination of features that an embedder may choose compiles without a warning.
//!
//! Dependencies have the features of the whole workspace, as for Clippy, so that they are compiled
//! once for both. This command also compiles them with only the features that each package names:
//!
//! ```sh
//! PORTCULLIS_SOAK=full cargo xtask test features
//! ```

use std::collections::BTreeSet;
use std::env;
use std::process::Command;

use serde_json::Value;
use xtask::{cargo, root};

/// Packages and their features. One feature at a time is enough: no feature depends on another,
/// except `mcp` of `api`.
const CHOICES: &[(&str, &[&str])] = &[
    ("portcullis", &["", "http", "watch"]),
    ("portcullis-agent", &["", "api", "mcp"]),
];

/// The arguments that give dependencies of dependencies the same features for each choice, so that
/// they are compiled once.
const SAME: &[&str] = &["--package", "portcullis-features"];

/// The arguments that give all dependencies the features of the whole workspace.
const OF_THE_WORKSPACE: &[&str] = &[
    "--package",
    "portcullis-features",
    "--features",
    "portcullis-features/default",
];

fn chosen(command: &mut Command, package: &str, feature: &str) {
    command.args(["--package", package, "--no-default-features"]);
    if !feature.is_empty() {
        command.args(["--features", &format!("{package}/{feature}")]);
    }
}

#[test]
fn every_choice_of_features_compiles() {
    let lent = match env::var("PORTCULLIS_SOAK").as_deref() {
        Ok("full") => SAME,
        _ => OF_THE_WORKSPACE,
    };
    for (package, choices) in CHOICES {
        for feature in *choices {
            let mut check = cargo(&root());
            check.args(["check", "--quiet", "--lib", "--message-format", "json"]);
            chosen(&mut check, package, feature);
            let checked = check.args(lent).output().expect("cargo starts");
            let what = format!("`{package}` with the features [{feature}]");
            let said = messages(&checked.stdout);
            assert!(
                checked.status.success() && said.is_empty(),
                "{what}:\n{}\n{}",
                said.join("\n"),
                String::from_utf8_lossy(&checked.stderr)
            );
        }
    }
}

/// An embedder of the library with its default features compiles no TLS and no HTTP.
#[test]
fn the_default_features_have_no_http() {
    let with_http = |features: &[&str]| {
        let mut tree = cargo(&root());
        tree.args(["tree", "--locked", "--edges", "normal", "--prefix", "none"]);
        tree.args(["--package", "portcullis"]).args(features);
        let output = tree.output().expect("cargo starts");
        assert!(output.status.success());
        let lines = String::from_utf8(output.stdout).expect("text");
        let http = ["hyper v", "rustls v", "wasmtime-wasi-http v"];
        http.map(|name| lines.lines().any(|line| line.starts_with(name)))
    };
    assert_eq!(with_http(&[]), [false; 3]);
    assert_eq!(with_http(&["--features", "http"]), [true; 3]);
}

/// A package has only those features of its dependencies that it and its dependencies name: none
/// that another package names.
#[test]
fn no_dependency_has_features_that_are_not_named() {
    for (package, choices) in CHOICES {
        for feature in *choices {
            let named = dependencies(package, feature, &[]);
            assert!(named.iter().any(|line| line.starts_with("tokio v")));
            let lent = dependencies(package, feature, SAME);
            let lent: Vec<_> = lent.difference(&named).collect();
            assert!(
                lent.is_empty(),
                "these should be optional in xtask/features/Cargo.toml, and what asks for their features there: {lent:#?}"
            );
        }
    }
}

/// Returns the dependencies that a package names itself, each with its version and features.
fn dependencies(package: &str, feature: &str, with: &[&str]) -> BTreeSet<String> {
    let mut tree = cargo(&root());
    tree.args(["tree", "--locked", "--edges", "normal", "--depth", "1"]);
    tree.args(["--prefix", "depth", "--format", " {p} [{f}]"]);
    chosen(&mut tree, package, feature);
    let output = tree.args(with).output().expect("cargo starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let lines = String::from_utf8(output.stdout).expect("text");
    let own = lines
        .lines()
        .skip_while(|line| !line.starts_with(&format!("0 {package} v")));
    let own = own.skip(1).map_while(|line| line.strip_prefix("1 "));
    own.map(|line| line.trim_end_matches(" (*)").to_owned())
        .collect()
}

/// Returns the compiler's messages about the workspace's packages. Other packages have messages
/// only if they do not compile.
fn messages(output: &[u8]) -> Vec<String> {
    let lines = output.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    messages
        .filter(|message| message["reason"] == "compiler-message")
        .filter_map(|message| Some(message["message"]["rendered"].as_str()?.to_owned()))
        .collect()
}
