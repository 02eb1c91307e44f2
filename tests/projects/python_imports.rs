//! A hook in Python imports the answers and views that its source names, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use portcullis_project::contract::Item;
use portcullis_project::{Contract, Language, tools};
use portcullis_tests::root;

use super::c_imports::imports;
use super::from_nothing::{built, make, point};

/// The hook's source, with uses in two modules and three ways.
const SOURCE: &str = "import portcullis
from helper import refuse
from portcullis import content, hook

@hook(id=\"my-hook\", description=\"Uses two answers and two modules.\")
class MyHook:
    def _help(self):
        portcullis.add_note(\"seen\")
";
const HELPER: &str = "from portcullis import log as lines, reject as refuse, text\n";

#[test]
fn a_hook_in_python_imports_what_its_source_names() {
    let dir = tempfile::tempdir().expect("a directory");
    let contract = Contract::embedded().points();
    let points = contract.iter().map(|shape| point(&shape.name)).collect();
    let project = make(dir.path(), Language::Python, points);
    let mut source = SOURCE.to_owned();
    let mut expected = BTreeMap::new();
    let mut expect = |interface: &str, functions: &[&str]| {
        let functions = functions.iter().map(|name| (*name).to_owned());
        expected.insert(interface.to_owned(), BTreeSet::from_iter(functions));
    };
    expect("call", &["session-id", "agent", "turn", "step", "context"]);
    expect("failure", &["fail", "bad-config"]);
    expect("content", &["parts", "text"]);
    expect("logging", &["log"]);
    for shape in contract {
        let method = shape.name.replace('-', "_");
        // Writing to a string does not fail.
        let _ = writeln!(source, "    def {method}(self, context, call): ...");
        let names = |items: &'static [Item]| items.iter().map(|item| item.name.as_str());
        let facts: Vec<&str> = names(&shape.facts).chain(["facts"]).collect();
        expect(&format!("{}-facts", shape.name), &facts);
        let used = |name: &&str| ["reject", "add-note"].contains(name);
        let answers: Vec<&str> = names(&shape.answers).filter(used).collect();
        if !answers.is_empty() {
            expect(&format!("{}-answer", shape.name), &answers);
        }
    }
    fs::write(dir.path().join("src/hook.py"), source).expect("the source");
    fs::write(dir.path().join("src/helper.py"), HELPER).expect("the source");
    let component = built(&project);
    assert_eq!(imports(&component), expected);
}

/// The SDK's own tests cover the build's reading of a source, the world of each answer, and hooks
/// without a host.
#[test]
fn the_sdks_own_tests_pass() {
    let python = ["python3", "python"].into_iter().find_map(tools::find);
    let python = python.expect("Python, which `portcullis build` needs");
    let output = Command::new(python)
        .args(["-m", "unittest", "discover", "-s", "tests"])
        .current_dir(root().join("guest-sdk/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
