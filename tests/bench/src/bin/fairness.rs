//! The results of a guard in 1,350 sessions beside 150 hostile ones.

use std::process::ExitCode;
use std::time::Duration;

use portcullis::compiler::{Compiler, WorkerCommand, worker_main};
use portcullis_attack::Options;
use portcullis_attack::crowd::{CrowdOptions, CrowdReport, Times, crowd};

/// The target: the factor by which the guard may be slower beside the hostile sessions.
const MOST_RATIO: f64 = 3.0;
/// The argument of the child processes that compile.
const WORKER: &str = "compile-worker";

fn main() -> anyhow::Result<ExitCode> {
    let sessions = match std::env::args().nth(1) {
        Some(argument) if argument == WORKER => return Ok(worker_main()),
        Some(sessions) => sessions.parse()?,
        None => 1_500,
    };
    let options = CrowdOptions {
        sessions,
        hostile: sessions / 10,
        attacks: 8,
        files: 24,
        calls: 40,
        pause: Duration::from_millis(250),
    };
    // Attacks on the compiler are only stopped in a child process.
    let attack = Options {
        compiler: Compiler::Child(WorkerCommand::this_program([WORKER])),
        ..Options::default()
    };
    let report = crowd(&options, &attack).map_err(anyhow::Error::msg)?;
    Ok(match print(&options, &report) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn print(options: &CrowdOptions, report: &CrowdReport) -> bool {
    let ratio = report.beside.p99.as_secs_f64() / report.quiet.p99.as_secs_f64();
    println!(
        "| sessions | hostile | kinds of attack, where the guard is, in hosts of their own | hostile calls, of which failed | hostile files |"
    );
    println!("| --- | --- | --- | --- | --- |");
    println!(
        "| {} | {} | {}, {}, {} | {}, {} | {} |",
        options.sessions,
        options.hostile,
        report.kinds,
        report.at_guard,
        report.apart,
        report.attacks,
        report.failed,
        report.files.0
    );
    println!(
        "\n| calls of the others | calls | hooks in each | failed | p50 | p99 | p99 of first calls |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (name, times) in [("quiet", &report.quiet), ("beside", &report.beside)] {
        row(name, times);
    }
    println!("\np99 beside / p99 quiet: {ratio:.2} (aim: {MOST_RATIO} at most)");
    for failure in report.beside.failed.iter().take(5) {
        println!("failed: {failure}");
    }
    report.quiet.failed.is_empty() && report.beside.failed.is_empty() && ratio <= MOST_RATIO
}

fn row(name: &str, times: &Times) {
    println!(
        "| {name} | {} | {} | {} | {:.1?} | {:.1?} | {:.1?} |",
        times.runs,
        times.hook_runs / times.runs.max(1),
        times.failed.len(),
        times.p50,
        times.p99,
        times.first_p99
    );
}
