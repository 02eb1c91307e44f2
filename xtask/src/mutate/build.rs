//! Builds the test programs of the mutated tree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::list::Mutation;
use crate::{Error, Result, cargo};

/// The debug information of mutated crates, which no other build uses.
const DEBUG: &str = "line-directives-only";

/// The built test programs.
pub(super) struct Programs(BTreeMap<Key, Program>);

/// A package, its features, and one of its test programs.
type Key = (String, Vec<String>, String);

fn key(mutation: &Mutation) -> Key {
    let Mutation {
        package,
        features,
        program,
        ..
    } = mutation;
    (package.clone(), features.clone(), program.clone())
}

struct Program {
    path: PathBuf,
    /// The directory that cargo runs the program in: its package's.
    dir: PathBuf,
    /// The names of its tests.
    tests: Vec<String>,
}

/// A test that can be run by itself.
pub(super) struct Test<'a> {
    pub(super) program: &'a Path,
    pub(super) dir: &'a Path,
    pub(super) name: &'a str,
}

impl Programs {
    /// Builds the programs that the mutations need. Dependencies are compiled once for this tree
    /// and for the workspace. The workspace's own crates must not be shared: cargo takes packages
    /// of two copies of a workspace for the same, so they are built with [`DEBUG`] here.
    pub(super) fn build(root: &Path, tree: &Path, mutations: &[&Mutation]) -> Result<Self> {
        let mut programs = BTreeMap::new();
        for mutation in mutations {
            let key = key(mutation);
            if programs.contains_key(&key) {
                continue;
            }
            let (package, features, program) = &key;
            eprintln!("mutate: building {program} of {package}");
            let program = build(root, tree, package, features, program)?;
            programs.insert(key, program);
        }
        Ok(Self(programs))
    }

    /// Returns the test of a mutation.
    pub(super) fn test(&self, mutation: &Mutation) -> Result<Test<'_>> {
        let missing = || {
            let (name, test, program) = (&mutation.name, &mutation.test, &mutation.program);
            Error::new(format!(
                "the test `{test}` of the mutation `{name}` is not in {program}"
            ))
        };
        let program = self.0.get(&key(mutation)).ok_or_else(missing)?;
        let within = format!("::{}", mutation.test);
        let name = program
            .tests
            .iter()
            .find(|name| **name == mutation.test || name.ends_with(&within))
            .ok_or_else(missing)?;
        Ok(Test {
            program: &program.path,
            dir: &program.dir,
            name,
        })
    }
}

fn build(
    root: &Path,
    tree: &Path,
    package: &str,
    features: &[String],
    program: &str,
) -> Result<Program> {
    let mut build = cargo(tree);
    build.args(["test", "--no-run", "--package", package]);
    for feature in features {
        build.args(["--features", feature]);
    }
    match program {
        "lib" => build.arg("--lib"),
        program => build.args(["--test", program]),
    };
    build
        .args(["--config", &format!("profile.dev.debug={DEBUG:?}")])
        .args(["--message-format", "json-render-diagnostics"])
        .env("CARGO_BUILD_BUILD_DIR", root.join("target"))
        .env("CARGO_TARGET_DIR", root.join("target/mutations/out"))
        .stderr(Stdio::inherit());
    let built = build.output().map_err(|e| Error::start("cargo", &e))?;
    if !built.status.success() {
        return Err(Error::new(format!(
            "{program} of {package} does not compile with the mutations"
        )));
    }
    let text = String::from_utf8_lossy(&built.stdout);
    let executable = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| {
            message["target"]["name"] == *program.replace("lib", &package.replace('-', "_"))
        })
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    let path = executable.ok_or_else(|| {
        Error::new(format!(
            "cargo does not say where {program} of {package} is"
        ))
    })?;
    let listed = Command::new(&path)
        .args(["--list", "--format", "terse"])
        .stderr(Stdio::null())
        .output()
        .map_err(|e| Error::start(program, &e))?;
    let tests = String::from_utf8_lossy(&listed.stdout)
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .map(str::to_owned)
        .collect();
    let dir = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| {
            message["executable"]
                .as_str()
                .is_some_and(|own| path == Path::new(own))
        })
        .find_map(|message| {
            Some(
                Path::new(message["manifest_path"].as_str()?)
                    .parent()?
                    .to_owned(),
            )
        });
    Ok(Program {
        path,
        dir: dir.unwrap_or_else(|| tree.to_owned()),
        tests,
    })
}
