//! Each mutation applies, and each promise of SECURITY.md has a mutation that a test of the promise
//! must notice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use xtask::mutate::list::{self, Mutation};
use xtask::promises::{self, Promise};
use xtask::root;

fn all() -> (Vec<Mutation>, Vec<Promise>) {
    let mutations = list::read(&root()).unwrap();
    let promises = promises::read(&root()).unwrap();
    assert!(promises.len() > 60 && mutations.len() >= promises.len());
    (mutations, promises)
}

#[test]
fn each_mutation_applies_once_beside_all_others() {
    let mut wrong = Vec::new();
    let mut texts = BTreeMap::new();
    for mutation in all().0 {
        let file = root().join(&mutation.file);
        let text = texts
            .entry(file)
            .or_insert_with_key(|file| fs::read_to_string(file).unwrap());
        match mutation.apply(text) {
            Ok(mutated) => {
                assert_ne!(mutated, *text, "{}", mutation.name);
                *text = mutated;
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_promise_has_a_mutation_and_each_mutation_one_promise() {
    let (mutations, promises) = all();
    for promise in &promises {
        let found = mutations.iter().any(|mutation| mutation.breaks(promise));
        assert!(found, "no mutation breaks {:?}", promise.text);
    }
    for mutation in &mutations {
        let broken: Vec<_> = promises.iter().filter(|p| mutation.breaks(p)).collect();
        let [promise] = broken.as_slice() else {
            panic!("`{}` breaks {} promises", mutation.name, broken.len());
        };
        let named = promise.tests.contains(&mutation.test);
        assert!(named, "{:?} does not name {}", promise.text, mutation.test);
    }
}

#[test]
fn each_test_of_a_mutation_is_there() {
    for mutation in all().0 {
        let attack = mutation.test.split_once("::");
        let found = match attack {
            // These attacks need a toolchain, and are listed where they are built.
            Some(("rust", name)) => sources("tests/attack").contains(&format!("\"{name}\"")),
            Some((category, name)) => {
                let file = format!("host/attack/attacks/{category}/{name}.wat");
                root().join(file).is_file()
            }
            None => {
                let function = format!("fn {}(", mutation.test);
                sources(&directory(&mutation)).contains(&function)
            }
        };
        assert!(found, "`{}`: no test {}", mutation.name, mutation.test);
    }
}

/// Returns the directory of the tests of a mutation's program.
fn directory(mutation: &Mutation) -> String {
    let (package, program) = (mutation.package.as_str(), mutation.program.as_str());
    let package = match package {
        "portcullis-tests" => "tests".to_owned(),
        "portcullis" => "host/portcullis".to_owned(),
        other => format!("host/{}", other.trim_start_matches("portcullis-")),
    };
    match (package.as_str(), program) {
        (_, "lib") => format!("{package}/src"),
        ("tests", program) => format!("tests/{program}"),
        _ => format!("{package}/tests"),
    }
}

/// Returns all Rust sources of a directory.
fn sources(dir: &str) -> String {
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    let mut left = vec![root().join(dir)];
    while let Some(dir) = left.pop() {
        for entry in fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension() == Some("rs".as_ref()) && seen.insert(path.clone()) {
                text += &read(&path);
            }
        }
    }
    text
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
