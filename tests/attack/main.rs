//! Each attack of the kit as a test of its own, and the attacks that need a toolchain.
//!
//! The tests run one after another: the growth of the process's memory is measured.

mod bytes;
mod c;
mod coverage;
mod rust;
mod security;

use std::process::ExitCode;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use portcullis::compiler::{Compiler, WorkerCommand};
use portcullis_attack::crowd::{CrowdOptions, crowd};
use portcullis_attack::{Attack, Options, Row, attacks, run};

/// The factor by which a debug build on a busy machine may be slower than a release build on a
/// quiet one.
const PATIENCE: u32 = if cfg!(debug_assertions) { 30 } else { 3 };

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let kit = attacks().expect("a kit that can be read");
    let mut trials: Vec<Trial> = kit.into_iter().map(trial).collect();
    trials.extend(rust::attacks().into_iter().map(trial));
    trials.extend(bytes::attacks().into_iter().map(trial));
    trials.extend(c::trials());
    trials.extend([
        Trial::test(
            "a_crowd_keeps_no_guard_from_running",
            a_crowd_keeps_no_guard_from_running,
        ),
        Trial::test("every_line_is_covered", coverage::every_line_is_covered),
        Trial::test("every_promise_is_held", security::every_promise_is_held),
    ]);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Returns the test of an attack.
fn trial(attack: Attack) -> Trial {
    let name = format!("{}::{}", attack.category, attack.name);
    Trial::test(name, move || held(&run(&attack, &options())))
}

/// Returns options that compile in a child process, as the command does.
fn options() -> Options {
    Options {
        patience: PATIENCE,
        compiler: Compiler::Child(WorkerCommand::new(
            env!("CARGO_BIN_EXE_compile-worker"),
            [""; 0],
        )),
        ..Options::default()
    }
}

/// No guard call fails in sessions beside hostile ones, which are a tenth of all.
fn a_crowd_keeps_no_guard_from_running() -> Result<(), Failed> {
    let sessions = CrowdOptions {
        sessions: 150,
        hostile: 15,
        attacks: 16,
        files: 24,
        calls: 20,
        pause: Duration::from_millis(20),
    };
    // Fewer mappings than all instances need, so that some are evicted all the time.
    let mut options = options();
    options.engine.memory_mappings = Some(4_000);
    let report = crowd(&sessions, &options)?;
    let failed = [&*report.quiet.failed, &*report.beside.failed].concat();
    if !failed.is_empty() {
        return Err(format!("{} runs of the guard failed: {}", failed.len(), failed[0]).into());
    }
    // Every kind was hostile, some of them at the guard's point, and most of them failed.
    let was_hostile = report.attacks >= report.kinds
        && report.at_guard > 8
        && report.apart >= 8
        && report.failed * 2 > report.attacks
        && report.files.0 >= sessions.files
        && report.files.1 == 0;
    match was_hostile {
        true => Ok(()),
        false => Err(format!("the crowd was not hostile enough: {report:?}").into()),
    }
}

fn held(row: &Row) -> Result<(), Failed> {
    match row.ok {
        true => Ok(()),
        false => Err(format!("{}\n  {}", row.what, row.faults.join("\n  ")).into()),
    }
}
