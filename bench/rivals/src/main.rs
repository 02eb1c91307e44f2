//! Compares a hook of Portcullis with other ways to put a guard into an agent.
//!
//! The same small guard, which reads the tool's name and arguments and refuses one word, is written for each. All
//! take turns in one process, and the verdict of each is checked in every round.

mod built;
mod call;
mod contestant;
mod contestants;
mod report;
mod rounds;
mod versions;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Parser;

use report::Report;
use rounds::Lane;

/// Compares hooks with other ways to run a guard.
#[derive(Parser)]
struct Arguments {
    /// How many rounds there are.
    #[arg(long, default_value_t = 100)]
    rounds: u32,
    /// Fail if a promise is not kept.
    #[arg(long)]
    check: bool,
    /// Write the table and the plot into the book.
    #[arg(long)]
    write: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let target = target();
    let built = built::Built::new(&target)?;
    let cache = target.join("rivals-cache");
    eprintln!("rivals: loading; hooks that were never loaded are compiled first");
    let mut lanes = contestants::all(&built, &cache)?
        .into_iter()
        .map(|(entry, contestant)| Lane::new(entry, contestant))
        .collect::<anyhow::Result<Vec<_>>>()?;
    eprintln!("rivals: {} rounds", arguments.rounds);
    for _ in 0..arguments.rounds {
        for lane in &mut lanes {
            lane.play()?;
        }
    }
    let report = Report::new(arguments.rounds, &lanes, versions::of_the_lock()?)?;
    print!("{}", report::text(&report));
    let json = target.join("rivals.json");
    fs::write(&json, serde_json::to_vec_pretty(&report)?)?;
    fs::write(target.join("rivals.svg"), report::svg(&report))?;
    eprintln!("rivals: {}, and the plot beside it", json.display());
    if arguments.write {
        report::write_page(&report, &repository().join("docs/contributing"))?;
    }
    match arguments.check && report.bars.iter().any(|bar| !bar.kept) {
        true => bail!("a promise is not kept"),
        false => Ok(()),
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns cargo's target directory of this workspace.
fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target"),
        PathBuf::from,
    )
}
