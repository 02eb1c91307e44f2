//! Running one test program: its output is passed on, and what it says of its tests is kept.

use std::io::{BufRead as _, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{exit_code, failed, lanes, times};
use crate::{Error, Result};

/// How long a program may print nothing before it is ended: far longer than any test takes.
const PATIENCE: Duration = Duration::from_secs(20 * 60);

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

/// Runs a program to its end, and passes on what it prints. One that hangs is ended.
fn play(command: &mut Command, own: &mut dyn Write) -> std::io::Result<Ran> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut said = Said::default();
    if let Some(out) = child.stdout.take()
        && said.hear(&lines(out), own, PATIENCE) == Hearing::Silent
    {
        child.kill()?;
        said.failures.push_str(&said.why_ended(PATIENCE));
    }
    Ok(Ran {
        status: child.wait()?,
        ended: said.ended,
        failures: said.failures,
    })
}

/// The lines of an output, as they come.
fn lines(out: ChildStdout) -> Receiver<Vec<u8>> {
    let (send, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(out)
            .split(b'\n')
            .map_while(std::io::Result::ok)
        {
            // After a program was ended, nobody reads what its children print.
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// How hearing a program ended.
#[derive(Debug, PartialEq)]
enum Hearing {
    /// It will print no more.
    All,
    /// It printed nothing for too long.
    Silent,
}

/// What a program has said so far.
#[derive(Default)]
struct Said {
    ended: Vec<(String, Duration, bool)>,
    /// The tests that it named because they take long.
    slow: Vec<String>,
    failures: String,
    in_failures: bool,
}

impl Said {
    /// Hears the lines of a program to its end, and passes them on.
    fn hear(
        &mut self,
        lines: &Receiver<Vec<u8>>,
        own: &mut dyn Write,
        patience: Duration,
    ) -> Hearing {
        let begun = Instant::now();
        loop {
            let line = match lines.recv_timeout(patience) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Hearing::All,
                Err(RecvTimeoutError::Timeout) => return Hearing::Silent,
            };
            self.line(&String::from_utf8_lossy(&line), begun.elapsed());
            // Whoever reads the output may have gone; the tests run on.
            let _ = own.write_all(&line).and_then(|()| own.write_all(b"\n"));
        }
    }

    fn line(&mut self, text: &str, at: Duration) {
        if let Some((name, passed)) = result(text) {
            self.ended.push((name.to_owned(), at, passed));
        }
        self.slow.extend(runs_long(text).map(str::to_owned));
        // The list of names at the end has the same heading as what the tests printed.
        self.in_failures = text == "failures:" && self.failures.is_empty()
            || self.in_failures && text != "failures:";
        if self.in_failures {
            self.failures.push_str(text);
            self.failures.push('\n');
        }
    }

    fn why_ended(&self, patience: Duration) -> String {
        let ended = |name: &&String| self.ended.iter().any(|(ended, ..)| ended == *name);
        let slow = self.slow.iter().filter(|name| !ended(name));
        let slow: Vec<&str> = slow.map(String::as_str).collect();
        format!(
            "nothing was printed for {} minutes, so the program was ended; these tests had not ended: {}\n",
            patience.as_secs() / 60,
            slow.join(", ")
        )
    }
}

/// The test that a line says has been running for long.
fn runs_long(line: &str) -> Option<&str> {
    let (name, _) = line
        .strip_prefix("test ")?
        .split_once(" has been running for over ")?;
    Some(name)
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

    #[test]
    fn a_program_that_hangs_is_ended_with_the_names_of_its_tests() {
        let (send, lines) = channel();
        for line in [
            "test a has been running for over 60 seconds",
            "test b has been running for over 60 seconds",
            "test a ... ok",
        ] {
            send.send(line.as_bytes().to_vec()).unwrap();
        }
        let mut said = Said::default();
        let heard = said.hear(&lines, &mut std::io::sink(), Duration::ZERO);
        assert_eq!(heard, Hearing::Silent);
        let why = said.why_ended(Duration::from_secs(60));
        assert!(why.ends_with("had not ended: b\n"), "{why}");
        drop(send);
        let heard = said.hear(&lines, &mut std::io::sink(), Duration::ZERO);
        assert_eq!(heard, Hearing::All);
    }
}
