//! Every attack of the kit as a test of its own, and those that need a toolchain.
//!
//! One after another: what the process's memory grows by is measured.

mod bytes;
mod c;
mod coverage;
mod rust;
mod security;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use portcullis_attack::{Attack, Options, Row, attacks, run};

/// How much longer than a release build on a quiet machine a debug build on a busy one may take.
const PATIENCE: u32 = if cfg!(debug_assertions) { 10 } else { 3 };

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let kit = attacks().expect("a kit that can be read");
    let mut trials: Vec<Trial> = kit.into_iter().map(trial).collect();
    trials.extend(rust::attacks().into_iter().map(trial));
    trials.extend(bytes::attacks().into_iter().map(trial));
    trials.extend(c::trials());
    trials.extend([
        Trial::test("every_line_is_covered", coverage::every_line_is_covered),
        Trial::test("every_promise_is_held", security::every_promise_is_held),
    ]);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The test that an attack is.
fn trial(attack: Attack) -> Trial {
    let name = format!("{}::{}", attack.category, attack.name);
    Trial::test(name, move || {
        let options = Options {
            patience: PATIENCE,
            ..Options::default()
        };
        held(&run(&attack, &options))
    })
}

fn held(row: &Row) -> Result<(), Failed> {
    match row.ok {
        true => Ok(()),
        false => Err(format!("{}\n  {}", row.what, row.faults.join("\n  ")).into()),
    }
}
