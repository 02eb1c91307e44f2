//! Runs one test program, passes on its output and records the results of its tests.

use std::io::{BufRead as _, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{exit_code, failed, lanes, open_files, times};
use crate::{Error, Result};

/// The time without output after which a program is ended: far longer than any test takes.
const PATIENCE: Duration = Duration::from_secs(20 * 60);

/// The parsed output of a program.
struct Ran {
    status: ExitStatus,
    /// The tests that ended, each with its time and whether it passed.
    ended: Vec<(String, Duration, bool)>,
    /// The output of the tests that failed.
    failures: String,
}

impl Ran {
    fn failed(&self) -> Vec<&str> {
        let failed = self.ended.iter().filter(|(_, _, passed)| !passed);
        failed.map(|(name, ..)| name.as_str()).collect()
    }
}

/// Runs a test program as it is, and records the durations of its tests. Tests that fail are run
/// once more, without the others beside them, to find those that fail only sometimes. The program
/// has failed in either case.
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
    open_files::raise_limit();
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

/// Runs a program to its end, and passes on its output. A program that hangs is ended.
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

/// Returns the lines of an output as they arrive.
fn lines(out: ChildStdout) -> Receiver<Vec<u8>> {
    let (send, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(out)
            .split(b'\n')
            .map_while(std::io::Result::ok)
        {
            // After a program was ended, nobody reads its children's output.
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// The end of reading a program's output.
#[derive(Debug, PartialEq)]
enum Hearing {
    /// The output has ended.
    All,
    /// The program printed nothing for too long.
    Silent,
}

/// The parsed output of a program so far.
#[derive(Default)]
struct Said {
    ended: Vec<(String, Duration, bool)>,
    /// The tests that the program named because they take long.
    slow: Vec<String>,
    failures: String,
    in_failures: bool,
}

impl Said {
    /// Reads the lines of a program to its end, and passes them on.
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
            // The reader of the output may have closed it; the tests continue.
            let _ = own.write_all(&line).and_then(|()| own.write_all(b"\n"));
        }
    }

    fn line(&mut self, text: &str, at: Duration) {
        if let Some((name, passed)) = result(text) {
            self.ended.push((name.to_owned(), at, passed));
        }
        self.slow.extend(runs_long(text).map(str::to_owned));
        // The list of names at the end has the same heading as the tests' output.
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

/// Returns the test that a line reports as running for long.
fn runs_long(line: &str) -> Option<&str> {
    let (name, _) = line
        .strip_prefix("test ")?
        .split_once(" has been running for over ")?;
    Some(name)
}

/// Returns the test whose result a line reports, and whether it passed.
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
