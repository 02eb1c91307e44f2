//! Every promise of SECURITY.md names the test that checks it, and the test exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use portcullis_attack::attacks;
use portcullis_tests::root;

/// The directories of named tests.
const SOURCES: &[&str] = &["tests", "host"];

pub fn every_promise_is_held() -> Result<(), Failed> {
    let text = fs::read_to_string(root().join("SECURITY.md"))?;
    let mut tests = BTreeSet::new();
    let kit = attacks()?.into_iter();
    let built = crate::rust::attacks().into_iter();
    for attack in kit.chain(built).chain(crate::bytes::attacks()) {
        tests.insert(format!("{}::{}", attack.category, attack.name));
    }
    for dir in SOURCES {
        functions(&root().join(dir), &mut tests)?;
    }
    let mut wrong = Vec::new();
    let mut promises = 0;
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        let Some(named) = row.trim_end_matches(" |").rsplit(" | ").next() else {
            continue;
        };
        let named: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
        promises += usize::from(!named.is_empty());
        wrong.extend(named.into_iter().filter(|name| !tests.contains(*name)));
    }
    if promises < 20 {
        return Err(format!("SECURITY.md makes {promises} promises with tests").into());
    }
    match wrong.as_slice() {
        [] => Ok(()),
        wrong => Err(format!("SECURITY.md names tests that are not there: {wrong:?}").into()),
    }
}

/// Collects the names of the functions in a directory of Rust sources.
fn functions(dir: &Path, into: &mut BTreeSet<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            functions(&path, into)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path)?;
            let lines = text.lines().map(str::trim_start);
            let named = lines.filter_map(|line| {
                let line = line.strip_prefix("async ").unwrap_or(line);
                let (name, _) = line.strip_prefix("fn ")?.split_once('(')?;
                Some(name.to_owned())
            });
            into.extend(named);
        }
    }
    Ok(())
}
