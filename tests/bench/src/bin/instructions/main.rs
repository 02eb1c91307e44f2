//! How many instructions one call of a hook takes, host and guest together: counted by Valgrind, compared with
//! `instructions.toml`.

mod cases;
mod count;
mod expected;
mod play;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use portcullis_bench::hooks::{self, LANGUAGES};
use portcullis_project::Language;

use expected::Expected;

const HELP: &str = "\
Counts the instructions of one call and compares them with tests/bench/instructions.toml.

Usage: cargo run --release -p portcullis-bench --bin instructions [-- OPTIONS]

Options:
  --update             Write what is counted instead of comparing it
  --language LANGUAGE  Count the hooks in one language only
  --help               Print this
";

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--help"] => print!("{HELP}"),
        // What this program is started as by itself, under Valgrind.
        ["--load", language, component] => {
            play::load(language.parse()?, Path::new(component), &work()?)?;
        }
        ["--play", language, component] => {
            play::play(language.parse()?, Path::new(component), &work()?)?;
        }
        [] => return compare(&LANGUAGES, false),
        ["--update"] => return compare(&LANGUAGES, true),
        ["--language", language] => return compare(&[language.parse()?], false),
        ["--update", "--language", language] | ["--language", language, "--update"] => {
            return compare(&[language.parse()?], true);
        }
        _ => bail!("these are no arguments of this program:\n{HELP}"),
    }
    Ok(ExitCode::SUCCESS)
}

fn compare(languages: &[Language], update: bool) -> anyhow::Result<ExitCode> {
    if let Some(why) = count::unavailable() {
        println!("instructions: NOT RUN: {why}");
        return Ok(ExitCode::SUCCESS);
    }
    let work = work()?;
    let mut expected = Expected::read()?;
    let mut differs = false;
    println!(
        "{:<52} {:>12} {:>12} {:>8}",
        "instructions of one call", "expected", "measured", "differs"
    );
    for language in languages {
        let component = hooks::build(*language, &work.join("hooks"))?;
        for (case, measured) in count::count(*language, &component, &work)? {
            let row = expected.compare(&case, measured);
            println!("{row}");
            differs |= !row.is_near();
            if update {
                expected.set(&case, measured);
            }
        }
    }
    if update {
        expected.write()?;
        return Ok(ExitCode::SUCCESS);
    }
    if differs {
        println!(
            "\nA case differs by more than {} %. If that is meant: \
             cargo run --release -p portcullis-bench --bin instructions -- --update",
            expected::TOLERANCE * 100.0,
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// What is kept from run to run: the components, compiled for the processor that Valgrind shows.
fn work() -> anyhow::Result<PathBuf> {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| hooks::root().join("target"), PathBuf::from);
    let work = target.join("instructions");
    std::fs::create_dir_all(&work)?;
    Ok(work.canonicalize()?)
}
