//! Running one test program: its output is passed on, and what it says of its tests is kept.

use std::io::{BufRead as _, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{exit_code, failed, lanes, times};
use crate::{Error, Result};

/// What a program said.
struct Ran {
    status: ExitStatus,
    /// The tests that ended, when each did, and whether it passed.
    ended: Vec<(String, Duration, bool)>,
    /// What the tests that failed had printed.
    failures: String,
}

impl Ran {
    fn failed(&self) -> Vec<&str> {
        let failed = self.ended.iter().filter(|(_, _, passed)| !passed);
        failed.map(|(name, ..)| name.as_str()).collect()
    }
}

/// Runs a test program as it is, and keeps how long its tests take. Tests that fail are run once more, without the
/// others beside them, to tell those that fail only sometimes from the rest. The program has failed in either case.
///
/// # Errors
///
/// The program does not start.
pub fn run(root: &Path, program: &[String]) -> Result<ExitCode> {
    let Some((path, arguments)) = program.split_first() else {
        return Err(Error::new("`timed` takes a program"));
    };
    let not_started = |cause| Error::new(format!("cannot start {path}: {cause}"));
    let binary = Path::new(path)
        .file_stem()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    // The example of a doc comment: it has no tests to list.
    if binary == "rust_out" {
        let status = Command::new(path).args(arguments).status();
        return Ok(exit_code(status.map_err(not_started)?));
    }
    let binary = binary.rsplit_once('-').map_or(&*binary, |(name, _)| name);
    if lanes::is_of_other(binary) {
        println!("{binary} runs in the other lane");
        return Ok(ExitCode::SUCCESS);
    }
    let listed = Command::new(path)
        .args(arguments)
        .args(["--list", "--format", "terse"])
        .stderr(Stdio::null())
        .output()
        .map_err(not_started)?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    let names = listed.lines();
    let names: Vec<&str> = names
        .filter_map(|line| line.strip_suffix(": test"))
        .collect();

    let (begun, before) = (Instant::now(), times::of_children());
    let ran =
        play(Command::new(path).args(arguments), &mut std::io::stdout()).map_err(not_started)?;
    let computed = times::of_children().saturating_sub(before);
    let ended: Vec<(String, Duration)> = ran
        .ended
        .iter()
        .map(|(name, end, _)| (name.clone(), *end))
        .collect();
    let took = times::durations(&names, &ended, times::threads(binary, arguments));
    times::keep(root, binary, begun.elapsed(), computed, &took);

    if ran.status.success() {
        return Ok(ExitCode::SUCCESS);
    }
    let failed = ran.failed();
    if failed.is_empty() || failed.iter().any(|name| !names.contains(name)) {
        failed::keep_program(root, binary, ran.status);
        failed::keep_output(root, &ran.failures);
        return Ok(exit_code(ran.status));
    }
    println!("\nthe tests of {binary} that failed, once more, one by one");
    let mut again = Command::new(path);
    again.args(
        arguments
            .iter()
            .filter(|argument| argument.starts_with("--")),
    );
    again.args(&failed).args(["--exact", "--test-threads=1"]);
    let again = play(&mut again, &mut std::io::stdout()).map_err(not_started)?;
    let still = again.failed();
    for name in &failed {
        let passes = again.status.success() || (!still.is_empty() && !still.contains(name));
        failed::keep(root, binary, name, passes);
    }
    failed::keep_output(root, &ran.failures);
    Ok(exit_code(ran.status))
}

/// Runs a program to its end, and passes on what it prints.
fn play(command: &mut Command, own: &mut dyn Write) -> std::io::Result<Ran> {
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let (mut ended, mut failures) = (Vec::new(), String::new());
    if let Some(out) = child.stdout.take() {
        let mut in_failures = false;
        for line in BufReader::new(out).split(b'\n') {
            let Ok(line) = line else { break };
            let text = String::from_utf8_lossy(&line);
            if let Some((name, passed)) = result(&text) {
                ended.push((name.to_owned(), begun.elapsed(), passed));
            }
            // The list of names at the end has the same heading as what the tests printed.
            in_failures =
                text == "failures:" && failures.is_empty() || in_failures && text != "failures:";
            if in_failures {
                failures.push_str(&text);
                failures.push('\n');
            }
            // Whoever reads the output may have gone; the tests run on.
            let _ = own.write_all(&line).and_then(|()| own.write_all(b"\n"));
        }
    }
    Ok(Ran {
        status: child.wait()?,
        ended,
        failures,
    })
}

/// The test whose result a line tells, and whether it passed.
fn result(line: &str) -> Option<(&str, bool)> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let name = name.trim_end();
    let passed = result.starts_with("ok");
    let ran = passed || result.starts_with("FAILED");
    ran.then(|| (name.trim_end_matches(" - should panic"), passed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_told_from_what_tests_print() {
        assert_eq!(result("test a::b ... ok"), Some(("a::b", true)));
        assert_eq!(result("test a - should panic ... ok"), Some(("a", true)));
        assert_eq!(result("test a   ... FAILED"), Some(("a", false)));
        assert_eq!(result("test a ... ignored"), None);
        assert_eq!(result("testing ... ok"), None);
    }

    #[cfg(unix)]
    #[test]
    fn what_tests_print_that_fail_is_kept() {
        let output = "test a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b ----\nwhy\n\nfailures:\n    b\n";
        let ran = play(
            Command::new("printf").args(["%s", output]),
            &mut std::io::sink(),
        )
        .unwrap();
        assert_eq!(ran.failed(), ["b"]);
        assert_eq!(ran.failures, "failures:\n\n---- b ----\nwhy\n\n");
    }
}
