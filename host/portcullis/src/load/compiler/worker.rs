//! The child process, which compiles one component.

use std::io::{self, BufRead as _, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cpu_time::ProcessTime;
use wasmtime::Engine;

use super::exit::{Exit, LONGEST_REQUEST, Request};
use super::limits;
use crate::load::cache::CompileCache;
use crate::load::cache::functions::Functions;
use crate::sandbox::engine::config;

/// Whether the compiled component is written. If it is, a later end of the process still reports
/// success.
pub(super) static WRITTEN: AtomicBool = AtomicBool::new(false);

/// The bytes that can be allocated after a failure, unless the compilation ran out of memory.
const SOME_MEMORY: usize = 32 << 20;

/// Compiles the component on standard input, as a child process of a host. The program of a
/// [`WorkerCommand`](super::WorkerCommand) calls it first in `main` and returns its result.
///
/// The function limits the memory and the processor time of the whole process, and ends the process
/// when the host ends. If there is no compiled component, the exit code is not zero and standard
/// error contains the reason.
pub fn worker_main() -> ExitCode {
    #[cfg(unix)]
    if let Err(error) = super::abort::report_memory() {
        eprintln!("the signal handler cannot be installed: {error}");
        return exit_code(Exit::Unusable);
    }
    let compiled = std::panic::catch_unwind(compile);
    exit_code(match compiled {
        Ok(Ok(())) => Exit::Compiled,
        Ok(Err(exit)) => exit,
        // A panic, such as from a lack of memory for a thread.
        Err(_) if Vec::<u8>::new().try_reserve_exact(SOME_MEMORY).is_err() => Exit::OverMemory,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

fn compile() -> Result<(), Exit> {
    let began = ProcessTime::now();
    let (request, component) = read()?;
    watch_time(began, Duration::from_millis(request.time_ms))?;
    watch_host()?;
    let mut config = config(request.fuel);
    // The functions only save time.
    let cache = request
        .functions
        .and_then(|dir| CompileCache::open(dir).ok());
    let functions = cache.map(|cache| Arc::new(Functions::of(cache)));
    if let Some(functions) = &functions {
        config
            .enable_incremental_compilation(functions.clone())
            .map_err(unusable)?;
    }
    let engine = Engine::new(&config).map_err(unusable)?;
    let compiled = engine
        .precompile_component(&component)
        .map_err(|error| match out_of_memory(&error) {
            true => Exit::OverMemory,
            false => {
                eprintln!("{error:#}");
                Exit::Invalid
            }
        })?;
    let mut output = io::stdout().lock();
    output
        .write_all(&compiled)
        .and_then(|()| output.flush())
        .map_err(unusable)?;
    WRITTEN.store(true, Ordering::Relaxed);
    if let Some(functions) = functions {
        let _ = functions.keep();
    }
    Ok(())
}

/// Ends the process.
fn end(exit: Exit) -> ! {
    let exit = match WRITTEN.load(Ordering::Relaxed) {
        true => Exit::Compiled,
        false => exit,
    };
    std::process::exit(exit.code())
}

/// Reads the request, applies its limits, and reads the component.
fn read() -> Result<(Request, Vec<u8>), Exit> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    (&mut input)
        .take(LONGEST_REQUEST)
        .read_until(b'\n', &mut line)
        .map_err(unusable)?;
    let request: Request = serde_json::from_slice(&line).map_err(unusable)?;
    limits::keep(&request).map_err(unusable)?;
    let mut component = Vec::new();
    (&mut input)
        .take(request.length)
        .read_to_end(&mut component)
        .map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => Exit::OverMemory,
            _ => unusable(error),
        })?;
    match component.len() as u64 == request.length {
        true => Ok((request, component)),
        false => Err(Exit::Cancelled),
    }
}

/// Ends the process once it has used its processor time.
fn watch_time(began: ProcessTime, most: Duration) -> Result<(), Exit> {
    spawn(move || {
        loop {
            let used = began.elapsed();
            if used >= most {
                end(Exit::OverTime);
            }
            std::thread::sleep(limits::until_due(most, used));
        }
    })
}

/// Ends the process once the host has closed the pipe, or has ended.
fn watch_host() -> Result<(), Exit> {
    spawn(|| {
        // The host writes nothing more, so this returns when the pipe is closed.
        let _ = io::stdin().lock().read(&mut [0]);
        end(Exit::Cancelled)
    })
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Exit> {
    let spawned = std::thread::Builder::new().spawn(work);
    // Starting a thread fails here only for lack of stack memory.
    spawned.map(drop).map_err(|_| Exit::OverMemory)
}

fn out_of_memory(error: &wasmtime::Error) -> bool {
    let of_system = |error: &io::Error| error.kind() == io::ErrorKind::OutOfMemory;
    error.is::<wasmtime::error::OutOfMemory>()
        || error
            .chain()
            .any(|cause| cause.downcast_ref().is_some_and(of_system))
}

fn unusable(error: impl std::fmt::Display) -> Exit {
    eprintln!("{error}");
    Exit::Unusable
}

fn exit_code(exit: Exit) -> ExitCode {
    ExitCode::from(exit as u8)
}
