//! The host's side of a worker process: starts it, sends its input, and stops it.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::exit::{Exit, Request};
use super::{CompileLimits, LoadFault, WorkerCommand};
use crate::contract::text::sanitize_for_terminal;

/// The interval at which cancellation and the wall clock are checked.
pub(super) const POLL: Duration = Duration::from_millis(20);

/// The divisor of the smallest processor share: the wall clock stops a worker that gets less.
const LEAST_SHARE: u32 = 10;

/// The longest time to wait for the error text of a worker that has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The most bytes of a worker's error text that are kept.
const LONGEST_ERROR: u64 = 16 << 10;

/// The environment variables that a program may need to start.
const KEPT: [&str; 3] = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"];

/// Compiles in a child process, which has ended when this returns.
pub(super) fn compile(
    command: &WorkerCommand,
    request: &Request,
    bytes: &Arc<Vec<u8>>,
    limits: CompileLimits,
    cancel: &CancellationToken,
) -> Result<File, LoadFault> {
    let output = output().map_err(|e| failed(format!("there is no file for its output: {e}")))?;
    let (mut worker, pipes) = Worker::spawn(command, &output).map_err(|e| {
        failed(format!(
            "`{}` does not start: {e}",
            command.program.display()
        ))
    })?;
    let (ended, errors) = channel();
    // The worker ends when its input is closed, so the input is kept open until then.
    let input = Arc::new(pipes.input);
    // Both threads are detached: a program that is not a worker may leave a process that keeps the
    // pipes open.
    let (status, text) = detach(move || read(pipes.errors, ended))
        .and_then(|()| {
            let (input, bytes) = (input.clone(), bytes.clone());
            let line = serde_json::to_vec(request)?;
            detach(move || feed(&input, &line, &bytes))
        })
        .map_err(|e| failed(format!("it cannot be fed and read: {e}")))
        .and_then(|()| worker.wait(&errors, limits, cancel))
        .inspect_err(|_| worker.kill())?;
    drop(input);
    judge(status, text, limits).map(|()| output)
}

fn detach(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().spawn(work).map(|_| ())
}

/// Creates an anonymous file, which nobody else can open.
fn output() -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{MemfdFlags, memfd_create};
        if let Ok(memory) = memfd_create("portcullis-compiled", MemfdFlags::CLOEXEC) {
            return Ok(memory.into());
        }
    }
    tempfile::tempfile()
}

/// A running worker. Dropping it kills the worker.
struct Worker {
    child: Child,
    ended: bool,
}

struct Pipes {
    /// The worker ends when this is closed.
    input: ChildStdin,
    errors: ChildStderr,
}

impl Worker {
    fn spawn(command: &WorkerCommand, output: &File) -> io::Result<(Self, Pipes)> {
        let mut process = Command::new(&command.program);
        process.args(&command.args).env_clear();
        process.envs(
            KEPT.iter()
                .filter_map(|key| Some((key, std::env::var_os(key)?))),
        );
        process
            .stdin(Stdio::piped())
            .stdout(output.try_clone()?)
            .stderr(Stdio::piped());
        // A separate process group can be killed as a whole, and receives no signals from a
        // terminal.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let mut child = process.spawn()?;
        let pipes = child.stdin.take().zip(child.stderr.take());
        let worker = Self {
            child,
            ended: false,
        };
        let (input, errors) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok((worker, Pipes { input, errors }))
    }

    /// Waits for the worker to end. Returns the status and the standard error text.
    fn wait(
        &mut self,
        errors: &Receiver<Vec<u8>>,
        limits: CompileLimits,
        cancel: &CancellationToken,
    ) -> Result<(ExitStatus, Vec<u8>), LoadFault> {
        let began = Instant::now();
        let mut text = Vec::new();
        loop {
            match errors.recv_timeout(POLL) {
                Ok(read) => text = read,
                Err(RecvTimeoutError::Timeout) => {}
                // The worker has closed the pipe and is about to end.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(Duration::from_millis(1)),
            }
            let status = self.status();
            if let Some(status) = status.map_err(|e| failed(format!("it was lost: {e}")))? {
                text.extend(errors.recv_timeout(LAST_WORDS).unwrap_or_default());
                return Ok((status, text));
            }
            if cancel.is_cancelled() {
                return Err(LoadFault::CompileCancelled);
            }
            let waited = began.elapsed();
            if waited >= limits.time.saturating_mul(LEAST_SHARE) {
                let used = self.processor_time();
                return Err(LoadFault::CompileStarved { used, waited });
            }
        }
    }

    /// Returns the worker's processor time.
    #[cfg(target_os = "linux")]
    fn processor_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // After the name, which may contain any characters, user and system time are the 12th and
        // 13th fields.
        let (_, fields) = stat.rsplit_once(')')?;
        let times = fields.split_whitespace().skip(11).take(2);
        let ticks: u64 = times.map(|ticks| ticks.parse().unwrap_or(0)).sum();
        let per_second = rustix::param::clock_ticks_per_second();
        let millis = ticks.saturating_mul(1_000).checked_div(per_second)?;
        Some(Duration::from_millis(millis))
    }

    /// Returns `None`: the system reports processor time only to unsafe code.
    #[cfg(not(target_os = "linux"))]
    fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// Returns the exit status, if the worker has ended. Its remaining child processes are killed.
    fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        #[cfg(unix)]
        if let Some(process) = self.process() {
            use rustix::process::{WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            if waitid(WaitId::Pid(process), options)?.is_none() {
                return Ok(None);
            }
            self.kill_group();
        }
        let status = self.child.try_wait()?;
        self.ended = status.is_some();
        Ok(status)
    }

    fn kill(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        #[cfg(unix)]
        self.kill_group();
        // An error means that the worker has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    #[cfg(unix)]
    fn process(&self) -> Option<rustix::process::Pid> {
        let id = i32::try_from(self.child.id()).ok()?;
        rustix::process::Pid::from_raw(id)
    }

    /// Kills the process group. Call it before waiting for the worker, so that the id is still
    /// valid.
    #[cfg(unix)]
    fn kill_group(&self) {
        if let Some(group) = self.process() {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes the request and the component. Errors are ignored: a worker that ends early reports the
/// reason by its exit code.
fn feed(mut input: &ChildStdin, request: &[u8], bytes: &[u8]) {
    let _ = input
        .write_all(request)
        .and_then(|()| input.write_all(b"\n"))
        .and_then(|()| input.write_all(bytes));
}

/// Reads a worker's standard error to its end.
fn read(mut errors: ChildStderr, ended: Sender<Vec<u8>>) {
    let mut text = Vec::new();
    let _ = (&mut errors).take(LONGEST_ERROR).read_to_end(&mut text);
    let _ = io::copy(&mut errors, &mut io::sink());
    let _ = ended.send(text);
}

/// Converts a worker's exit status into a result.
fn judge(status: ExitStatus, text: Vec<u8>, limits: CompileLimits) -> Result<(), LoadFault> {
    let text = String::from_utf8_lossy(&text);
    let text = sanitize_for_terminal(text.trim());
    let too_long = LoadFault::CompilesTooLong { most: limits.time };
    let too_large = LoadFault::CompileMemory {
        most: limits.memory,
    };
    match status.code().and_then(Exit::of_code) {
        Some(Exit::Compiled) => return Ok(()),
        Some(Exit::Invalid) => return Err(LoadFault::Invalid(text)),
        Some(Exit::OverMemory) => return Err(too_large),
        Some(Exit::OverTime) => return Err(too_long),
        Some(Exit::Cancelled) => return Err(LoadFault::CompileCancelled),
        Some(Exit::Unusable) | None => {}
    }
    #[cfg(unix)]
    match std::os::unix::process::ExitStatusExt::signal(&status) {
        Some(libc::SIGXCPU) => return Err(too_long),
        Some(libc::SIGXFSZ) => return Err(too_large),
        _ => {}
    }
    Err(failed(match text.is_empty() {
        true => format!("it ended with {status}"),
        false => format!("it ended with {status}: {text}"),
    }))
}

fn failed(what: String) -> LoadFault {
    LoadFault::Compiler(format!("the compiler's process failed: {what}"))
}
