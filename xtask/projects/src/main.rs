//! Writes the SDKs' types, or builds the hooks that are not in Rust.

use std::env;
use std::process::ExitCode;

use xtask::{Error, Result, root};
use xtask_projects::contract;
use xtask_projects::hooks::{self, Missing};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["contract"] => {
            for changed in contract::write(&root())? {
                eprintln!("contract: {changed}");
            }
            Ok(())
        }
        ["hooks"] => hooks::build(&root(), Missing::Skipped),
        ["hooks", "--all"] => hooks::build(&root(), Missing::Fails),
        _ => Err(Error::new("usage: xtask-projects contract | hooks [--all]")),
    }
}
