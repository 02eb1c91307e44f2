//! The real Claude Code and Codex, run headless with hooks that were installed by `portcullis install`, against a
//! scripted model on loopback. They are NOT RUN where npm is missing or its
//! registry cannot be reached.

mod cases;
mod client;
mod model;
mod packages;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use self::client::Client;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for client in Client::ALL {
        // No client is installed for `--list`, which test runners use.
        let program = match arguments.list {
            true => Ok(std::path::PathBuf::new()),
            false => client.program(),
        };
        match program {
            Ok(program) => trials.extend(cases::CASES.iter().map(|(name, run)| {
                let program = program.clone();
                Trial::test(format!("{client}::{name}"), move || {
                    run(client, &program).map_err(|error| format!("{error:?}").into())
                })
            })),
            Err(why) => xtask::test::not_run(&format!("{client}: {why:#}")),
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
