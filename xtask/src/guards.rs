//! Measures what the guards catch and cost, with the built components and the command.
//!
//! A guard has a directory `labelled`. `call.toml` is a case without `[expect]`, with the
//! placeholders `"$input"` for the input of a line and `"$NAME"` for a member of the input.
//! `dev.jsonl` and `held-out.jsonl` contain the lines. A line of a guard that remembers calls may
//! list earlier calls in `before`: they are made first, each as a case with the state that the call
//! before it left. `guards/figures.json` contains the last measured figures, and a test of the
//! command checks that precision and recall do not fall below them.

mod figures;
mod labelled;
mod measure;
mod pages;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use figures::{Figures, Half, read};
pub use measure::{Measured, halves, measure};

use crate::{Error, Result};

/// The options, as messages name them.
const OPTIONS: &[&str] = &["--build", "--dry-run", "--lines", "--command=FILE"];

/// The guards, in the order of their pages.
pub const GUARDS: &[&str] = &[
    "secrets",
    "pii",
    "prompt-injection",
    "shell-safety",
    "path-guard",
    "url-guard",
    "git-policy",
    "spend-limit",
    "rate-limit",
    "output-schema",
];

/// A guard: its sources and its component.
#[derive(Debug)]
pub struct Guard {
    /// The name, which is also that of the guard's directory.
    pub name: &'static str,
    /// The directory of the sources.
    pub dir: PathBuf,
    /// The path of the component.
    pub component: PathBuf,
}

/// Returns the guards of the workspace. [`guests::guards`](crate::guests::guards) builds their
/// components.
pub fn guards(root: &Path) -> Vec<Guard> {
    let guard = |name: &&'static str| Guard {
        name,
        dir: root.join("guards").join(name),
        component: root.join("target/guards").join(name).with_extension("wasm"),
    };
    GUARDS.iter().map(guard).collect()
}

/// Checks the arguments: names of guards, and options.
///
/// # Errors
///
/// No guard or option has the name.
pub fn check(arguments: &[String]) -> Result<()> {
    for argument in arguments {
        let (what, known) = match argument.starts_with('-') {
            true => ("option", OPTIONS),
            false => ("guard", GUARDS),
        };
        // The name of an option with a value ends with `=`.
        let name = argument.split_inclusive('=').next().unwrap_or_default();
        let is_known = known.iter().any(|known| {
            let its = known.split_inclusive('=').next().unwrap_or_default();
            its == name
        });
        if !is_known {
            return Err(Error::new(format!(
                "there is no {what} `{argument}`; the {what}s are: {}",
                known.join(", ")
            )));
        }
    }
    Ok(())
}

/// Measures the guards with the command at `portcullis`, prints the results and records them.
/// `arguments` are names of guards, `--lines` and `--dry-run`.
///
/// # Errors
///
/// An argument is unknown, a guard fails, a line is wrong, or a file cannot be read or written.
pub fn run(root: &Path, portcullis: &Path, arguments: &[String]) -> Result<()> {
    check(arguments)?;
    let says = |option: &str| arguments.iter().any(|argument| argument == option);
    let names: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let mut all = figures::recorded(root)?;
    let mut measured = BTreeMap::new();
    println!(
        "{:<18}{:>20}{:>20}{:>12}{:>8}{:>8}",
        "guard", "precision, recall", "held out", "fuel", "µs", "kB"
    );
    for guard in guards(root) {
        if !names.is_empty() && !names.contains(&guard.name) {
            continue;
        }
        let found = measure(root, portcullis, &guard)?;
        println!("{:<18}{}", guard.name, found.figures);
        if says("--lines") {
            let wrong = [
                ("false alarm", &found.false_alarms),
                ("missed", &found.missed),
            ];
            for (what, lines) in wrong {
                for line in lines {
                    println!("  {what:<12}{line}");
                }
            }
        }
        all.insert(guard.name.to_owned(), found.figures.clone());
        measured.insert(guard.name, found);
    }
    match says("--dry-run") {
        true => Ok(()),
        false => {
            figures::write(root, &all)?;
            pages::write(root, &all, &measured)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(arguments: &[&str]) -> Result<()> {
        let arguments: Vec<String> = arguments.iter().map(|&it| it.to_owned()).collect();
        check(&arguments)
    }

    #[test]
    fn unknown_guards_and_options_are_errors() {
        let known = [
            "secrets",
            "url-guard",
            "--lines",
            "--dry-run",
            "--build",
            "--command=target/a",
        ];
        assert!(checked(&known).is_ok());
        assert!(checked(&[]).is_ok());
        for (argument, expected) in [
            (
                "secretz",
                "there is no guard `secretz`; the guards are: secrets, pii,",
            ),
            (
                "--dry",
                "there is no option `--dry`; the options are: --build, --dry-run,",
            ),
            ("-lines", "there is no option `-lines`"),
            ("--command", "there is no option `--command`"),
            ("--lines=1", "there is no option `--lines=1`"),
        ] {
            let error = checked(&["secrets", argument]).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn damaged_figures_are_an_error_and_none_are_a_start() {
        let dir = tempfile::tempdir().unwrap();
        assert!(figures::recorded(dir.path()).unwrap().is_empty());
        let file = dir.path().join("guards/figures.json");
        std::fs::create_dir(dir.path().join("guards")).unwrap();
        std::fs::write(&file, "{\"secrets\": ").unwrap();
        let error = figures::recorded(dir.path()).unwrap_err().to_string();
        assert!(error.contains("figures.json"), "{error}");
    }
}
