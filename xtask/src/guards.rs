//! What the guards catch and cost, measured with the built components and the command.
//!
//! A guard has a directory `labelled`: `call.toml` is a case without `[expect]`, in which `"$input"` stands for the input of a line and
//! `"$NAME"` for a member of it; `dev.jsonl` and `held-out.jsonl` are the lines. A line of a guard that remembers calls has those
//! `before` it: they are made first, each as a case with the state that the one before it left. `guards/figures.json` has what was
//! measured last, and a test of the command sees that precision and recall do not fall below it.

mod figures;
mod labelled;
mod measure;
mod pages;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use figures::{Figures, Half, read};
pub use measure::{Measured, halves, measure};

use crate::Result;

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
    /// Its name, which is that of its directory.
    pub name: &'static str,
    /// Its sources.
    pub dir: PathBuf,
    /// Its component.
    pub component: PathBuf,
}

/// The guards of the workspace. [`guests::guards`](crate::guests::guards) builds their components.
pub fn guards(root: &Path) -> Vec<Guard> {
    let guard = |name: &&'static str| Guard {
        name,
        dir: root.join("guards").join(name),
        component: root.join("target/guards").join(name).with_extension("wasm"),
    };
    GUARDS.iter().map(guard).collect()
}

/// Measures the guards with the command at `portcullis`, prints what they come to, and records it. `arguments` are names of guards,
/// `--lines` and `--dry-run`.
///
/// # Errors
///
/// A guard fails, a line is wrong, or a file cannot be written.
pub fn run(root: &Path, portcullis: &Path, arguments: &[String]) -> Result<()> {
    let says = |option: &str| arguments.iter().any(|argument| argument == option);
    let names: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let mut all = figures::read(root).unwrap_or_default();
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
