//! Mutations: for each promise of SECURITY.md an edit of the source that breaks it, and the test
//! that must then fail.
//!
//! All mutations are built at once and are inactive. [`ACTIVE`] in a test's environment names the
//! active one, so that a mutation costs a run of one test and no build.

mod build;
pub mod list;
mod report;
mod tree;
mod trial;

use std::path::Path;
use std::process::ExitCode;

use crate::{Error, Result, guests, promises};

use build::Programs;
use list::Mutation;
use report::Report;
use trial::{End, Trial};

/// The environment variable that names the active mutation.
pub const ACTIVE: &str = "PORTCULLIS_MUTATION";

/// Runs the mutations with these names, or all of them. A run of all writes the report into the
/// book.
///
/// # Errors
///
/// A name is unknown, an edit does not apply, or the mutated source does not compile.
pub fn run(root: &Path, names: &[String]) -> Result<ExitCode> {
    let all = list::read(root)?;
    let unknown = names
        .iter()
        .find(|name| !all.iter().any(|m| m.name == **name));
    if let Some(unknown) = unknown {
        return Err(Error::new(format!(
            "there is no mutation `{unknown}` in {}",
            list::DIR
        )));
    }
    let chosen: Vec<&Mutation> = all
        .iter()
        .filter(|mutation| names.is_empty() || names.contains(&mutation.name))
        .collect();
    let promises = promises::read(root)?;
    let mut report = Report::begin(root);
    let tree = tree::make(root, &all)?;
    guests::build(&tree)?;
    let programs = Programs::build(root, &tree, &chosen)?;
    // A missing test is an error before the first run.
    let tests = chosen
        .iter()
        .map(|mutation| programs.test(mutation))
        .collect::<Result<Vec<_>>>()?;
    for (index, (mutation, test)) in chosen.iter().zip(&tests).enumerate() {
        eprint!(
            "mutate: [{}/{}] {}: ",
            index + 1,
            chosen.len(),
            mutation.name
        );
        let trial = Trial::run(test, mutation, &tree)?;
        eprintln!("{trial}");
        report.add(mutation, &promises, trial);
    }
    print!("{report}");
    if names.is_empty() {
        report.write(root)?;
    }
    Ok(match report.survivors() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Returns whether a trial ended as it must.
fn is_killed(end: &End) -> bool {
    matches!(end, End::Failed(_) | End::TimedOut)
}
