//! `portcullis hook`, process start included. All contestants take turns.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;
use serde_json::json;

use super::daemon::{Place, Server, built};
use super::numbers::{Times, median};

/// The permitted ratio of an event with a daemon to `sh -c true`.
const MOST_RATIO: f64 = 3.0;
/// The permitted time of an event without a daemon.
const MOST_TIME: Duration = Duration::from_millis(100);

#[derive(Debug, Args)]
pub struct HookArguments {
    /// The number of rounds.
    #[arg(long, default_value_t = 200)]
    rounds: u32,
}

/// The contestants, in their order.
const NAMES: [&str; 4] = [
    "`sh -c true`",
    "`portcullis-client hook` with a daemon",
    "`portcullis hook` with a daemon",
    "`portcullis hook` without a daemon, 10 hooks from the cache",
];

/// Prints the measurements, and returns whether the targets are met.
pub fn run(arguments: &HookArguments) -> anyhow::Result<bool> {
    let (command, client) = (built("portcullis")?, built("portcullis-client")?);
    let place = Place::new(10)?;
    let _daemon = Server::start(place.command(&command, &["serve"]), 1)?;
    let mut times: [Times; 4] = Default::default();
    // The first round fills the cache, and is not counted.
    for round in 0..=arguments.rounds {
        let taken = [
            timed(Command::new("sh").args(["-c", "true"]), "", "")?,
            hook(&place, &client, "auto", "with")?,
            hook(&place, &command, "auto", "with")?,
            hook(&place, &command, "never", "without")?,
        ];
        for (times, taken) in times.iter_mut().zip(taken) {
            if round > 0 {
                times.0.push(taken);
            }
        }
    }
    let ratios: Vec<f64> = times.iter().map(|lane| ratio(lane, &times[0])).collect();
    println!(
        "{} rounds\n\n| | median | p99 | × `sh -c true` |\n| --- | --- | --- | --- |",
        arguments.rounds
    );
    for ((name, times), ratio) in NAMES.iter().zip(&mut times).zip(&ratios) {
        let (p50, p99) = (times.median(), times.quantile(0.99));
        println!("| {name} | {p50:.2?} | {p99:.2?} | {ratio:.2} |");
    }
    let fast = ratios.get(1).is_some_and(|ratio| *ratio <= MOST_RATIO);
    let cold = times[3].median() < MOST_TIME;
    println!(
        "\nwith a daemon at most {MOST_RATIO} × `sh -c true`: {fast}; without one within {MOST_TIME:?}: {cold}"
    );
    Ok(fast && cold)
}

/// Returns the median of the ratios within each round, so that a slowdown of the machine hardly changes it.
fn ratio(lane: &Times, shell: &Times) -> f64 {
    let rounds = lane.0.iter().zip(&shell.0);
    median(
        rounds
            .map(|(lane, shell)| lane.as_secs_f64() / shell.as_secs_f64())
            .collect(),
    )
}

/// Sends an event that the hooks refuse, in a session of its own with and without the daemon.
fn hook(place: &Place, program: &Path, daemon: &str, session: &str) -> anyhow::Result<Duration> {
    let event = json!({
        "session_id": session, "transcript_path": "/t", "cwd": "/work", "hook_event_name": "PreToolUse",
        "tool_name": "shell", "tool_input": {"command": "rm -rf target"}, "tool_use_id": "1",
    });
    let arguments = ["hook", "--dialect", "claude", "--daemon", daemon];
    timed(
        &mut place.command(program, &arguments),
        &event.to_string(),
        "Nothing is deleted here.",
    )
}

/// Returns the time until the process has ended. Its output must contain the expected text.
fn timed(command: &mut Command, input: &str, says: &str) -> anyhow::Result<Duration> {
    let begin = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take()
        && !input.is_empty()
    {
        stdin.write_all(input.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let taken = begin.elapsed();
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success() && said.contains(says),
        "{command:?}: {output:?}"
    );
    Ok(taken)
}
