//! Dependencies come from the registry, have licences that `deny.toml` allows, and are not banned by it.

use std::fs;

use serde_json::Value;
use spdx::{Expression, LicenseReq, Licensee, ParseMode};
use toml::Table;
use xtask::{cargo, root};

/// Returns the packages of the lock file, each with its own metadata.
fn packages() -> Vec<Value> {
    let mut metadata = cargo(&root());
    metadata.args(["metadata", "--locked", "--format-version", "1"]);
    let output = metadata.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].take();
    serde_json::from_value(packages).unwrap()
}

fn rules() -> Table {
    let text = fs::read_to_string(root().join("deny.toml")).unwrap();
    text.parse().unwrap()
}

fn name(package: &Value) -> String {
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    format!("{} {}", text("name"), text("version"))
}

/// Returns whether the licences satisfy a package's licence expression.
fn allowed(licences: &[Licensee], asked: &str) -> Result<bool, String> {
    let expression = Expression::parse_mode(asked, ParseMode::LAX).map_err(|e| e.to_string())?;
    let satisfied = |asked: &LicenseReq| licences.iter().any(|licence| licence.satisfies(asked));
    Ok(expression.evaluate(satisfied))
}

fn licences(rules: &Table) -> Vec<Licensee> {
    let allow = rules["licenses"]["allow"].as_array().unwrap();
    let allow = allow.iter().map(|name| name.as_str().unwrap());
    allow.map(|name| Licensee::parse(name).unwrap()).collect()
}

#[test]
fn every_licence_is_allowed() {
    let licences = licences(&rules());
    let packages = packages();
    assert!(packages.len() > 100);
    let refused: Vec<String> = packages
        .iter()
        .filter_map(|package| {
            let asked = package["license"].as_str().unwrap_or("none");
            match allowed(&licences, asked) {
                Ok(true) => None,
                Ok(false) => Some(format!("{}: {asked}", name(package))),
                Err(error) => Some(format!("{}: {asked}: {error}", name(package))),
            }
        })
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn a_licence_that_is_not_listed_is_not_allowed() {
    let licences = licences(&rules());
    for (asked, expected) in [
        ("MIT OR GPL-3.0-only", true),
        ("MIT AND GPL-3.0-only", false),
        ("AGPL-3.0-or-later", false),
    ] {
        assert_eq!(allowed(&licences, asked), Ok(expected), "{asked}");
    }
}

#[test]
fn every_dependency_comes_from_the_registry() {
    let rules = rules();
    for kind in ["unknown-registry", "unknown-git"] {
        assert_eq!(rules["sources"][kind].as_str(), Some("deny"));
    }
    // Packages of the workspace have no source.
    let strange: Vec<String> = packages()
        .iter()
        .filter(|package| {
            let source = package["source"].as_str();
            source.is_some_and(|source| !source.starts_with("registry+"))
        })
        .map(name)
        .collect();
    assert!(strange.is_empty(), "{strange:#?}");
}

#[test]
fn no_banned_dependency_is_used() {
    let rules = rules();
    let banned = rules["bans"]["deny"].as_array().unwrap();
    let banned: Vec<&str> = banned
        .iter()
        .filter_map(|ban| ban["crate"].as_str())
        .collect();
    assert!(banned.contains(&"openssl"));
    let used: Vec<String> = packages()
        .iter()
        .filter(|package| banned.contains(&package["name"].as_str().unwrap_or_default()))
        .map(name)
        .collect();
    assert!(used.is_empty(), "{used:#?}");
}

#[test]
fn every_dependency_of_the_workspace_says_its_version() {
    let mut from_registry = 0;
    for package in packages().iter().filter(|p| p["source"].is_null()) {
        for dependency in package["dependencies"].as_array().unwrap() {
            if dependency["source"].is_string() {
                from_registry += 1;
                let any = dependency["req"] == "*";
                assert!(!any, "{} of {}", dependency["name"], name(package));
            }
        }
    }
    assert!(from_registry > 100);
}
