//! Counts the instructions of one hook call, host and guest together, with Valgrind, and compares
//! them with `instructions.toml`.

mod cases;
mod count;
mod expected;
mod play;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use portcullis_bench::hooks::{self, LANGUAGES};
use portcullis_project::Language;

use expected::{Build, Expected};

/// The same allocator as in the command.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Counts the instructions of one call and compares them with tests/bench/instructions.toml.
#[derive(Parser)]
struct Arguments {
    /// Write the counts instead of comparing them.
    #[arg(long)]
    update: bool,
    /// Count the hooks in this language only. It can be given more than once.
    #[arg(long)]
    language: Vec<Language>,
    /// The profile that this program was built with.
    #[arg(long, default_value = "dist")]
    build: Build,
    #[command(subcommand)]
    under_valgrind: Option<UnderValgrind>,
}

/// The commands that this program starts itself with, under Valgrind.
#[derive(Subcommand)]
#[command(hide = true)]
enum UnderValgrind {
    Processor,
    Load {
        language: Language,
        component: PathBuf,
    },
    Play {
        language: Language,
        component: PathBuf,
    },
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    match &arguments.under_valgrind {
        Some(UnderValgrind::Processor) => println!("{}", count::processor()),
        Some(UnderValgrind::Load {
            language,
            component,
        }) => {
            play::load(*language, component, &work()?)?;
        }
        Some(UnderValgrind::Play {
            language,
            component,
        }) => {
            play::play(*language, component, &work()?)?;
        }
        None => return compare(&arguments),
    }
    Ok(ExitCode::SUCCESS)
}

fn compare(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(why) = count::unavailable() {
        println!("instructions: NOT RUN: {why}");
        return Ok(ExitCode::SUCCESS);
    }
    let work = work()?;
    let tools = count::tools()?;
    let mut expected = Expected::read(arguments.build)?;
    if !arguments.update {
        let kept = expected.tools();
        let kept = kept.context("no counts of this build are kept; write them with --update")?;
        if kept != tools {
            println!(
                "instructions: NOT RUN: the counts that are kept are of {kept}, and not of {tools}"
            );
            return Ok(ExitCode::SUCCESS);
        }
    }
    let languages: &[Language] = match &*arguments.language {
        [] => &LANGUAGES,
        chosen => chosen,
    };
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
            if arguments.update {
                expected.set(&case, measured);
            }
        }
    }
    if arguments.update {
        expected.write(&tools)?;
        return Ok(ExitCode::SUCCESS);
    }
    if differs {
        println!(
            "\nA case differs by more than {} %. If that is meant, write the new counts with `--update`.",
            arguments.build.tolerance() * 100.0,
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the directory that is kept between runs: the components, compiled for the processor that
/// Valgrind shows.
fn work() -> anyhow::Result<PathBuf> {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| hooks::root().join("target"), PathBuf::from);
    let work = target.join("instructions");
    std::fs::create_dir_all(&work)?;
    Ok(work.canonicalize()?)
}
