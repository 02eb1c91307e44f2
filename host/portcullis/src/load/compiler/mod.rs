//! Compilation of components, in this process or in a child process.
//!
//! A compilation in this process cannot be stopped: after its limit, it keeps its thread and its
//! memory until it ends by itself. A child process has limits of memory and processor time. It is
//! killed when a limit is reached, when loading is cancelled, and when the host ends.
//!
//! The child is a program that calls [`worker_main`]. The command `portcullis` uses its own
//! program:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use portcullis::LoadOptions;
//! use portcullis::compiler::{Compiler, WorkerCommand, worker_main};
//!
//! fn main() -> ExitCode {
//!     if std::env::args_os().nth(1).is_some_and(|argument| argument == "compile-worker") {
//!         return worker_main();
//!     }
//!     let options = LoadOptions {
//!         compiler: Compiler::Child(WorkerCommand::this_program(["compile-worker"])),
//!         ..LoadOptions::default()
//!     };
//!     # drop(options);
//!     // Load hooks, run the agent.
//!     ExitCode::SUCCESS
//! }
//! ```

#[cfg(unix)]
#[expect(unsafe_code, reason = "installs a signal handler")]
mod abort;
mod child;
mod exit;
mod in_process;
mod limits;
mod slots;
mod worker;

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use wasmtime::component::Component;

use super::LoadFault;
use super::cache::CompileCache;
use crate::sandbox::engine::{EngineOptions, Runtime};
use slots::Slots;

pub use worker::worker_main;

/// The size in bytes up to which compiling a component is faster than reading cached functions.
const SMALL: usize = 1 << 20;

/// The least memory limit, in bytes, with which cached functions are used, since they take some of
/// it.
const ROOM: u64 = 1 << 30;

/// The process that compiles components.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Compiler {
    /// This process. The default, since a library cannot know which program is a worker. Only
    /// `compile-ms` limits a compilation, which continues after its limit until it ends by itself.
    #[default]
    InProcess,
    /// A child process for each component, at most four at once. `compile-ms` and
    /// `compile-memory-bytes` limit the child, which is killed when a limit is reached.
    Child(WorkerCommand),
}

/// A command whose program calls [`worker_main`], built from the same version of this crate.
///
/// The program runs without the host's environment, except for the variables with the locations of
/// shared libraries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// The arguments.
    pub args: Vec<OsString>,
    shares_functions: bool,
}

impl WorkerCommand {
    /// Creates a command from a program and its arguments.
    pub fn new<A: Into<OsString>>(
        program: impl Into<PathBuf>,
        args: impl IntoIterator<Item = A>,
    ) -> Self {
        Self {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
            shares_functions: false,
        }
    }

    /// Creates a command from the running program and these arguments, which must make it call
    /// [`worker_main`].
    pub fn this_program<A: Into<OsString>>(args: impl IntoIterator<Item = A>) -> Self {
        // On Linux, the link is correct even if the file was replaced.
        let link = PathBuf::from("/proc/self/exe");
        let program = match cfg!(target_os = "linux") && link.exists() {
            true => link,
            false => std::env::current_exe().unwrap_or(link),
        };
        Self::new(program, args)
    }

    /// Returns the command with shared functions: functions of components larger than 1 MiB are
    /// kept in the compile cache and not compiled again. A changed hook in Python or JavaScript
    /// compiles in a third of the time. Default no.
    ///
    /// Use this for an author's own components. The code is the same as without shared functions,
    /// but is found by Cranelift's experimental incremental compilation, on which hooks of
    /// different authors should not rely. This has no effect if a compilation may take less than
    /// 1 GiB of memory.
    #[must_use]
    pub fn sharing_functions(self) -> Self {
        Self {
            shares_functions: true,
            ..self
        }
    }
}

/// The limits of one compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CompileLimits {
    /// Processor time over all threads.
    pub(crate) time: Duration,
    /// Bytes of memory. Not limited in this process.
    pub(crate) memory: u64,
}

impl CompileLimits {
    pub(crate) fn of(options: &EngineOptions) -> Self {
        Self {
            time: options.compile,
            memory: options.compile_memory_bytes,
        }
    }
}

/// A compiled component.
pub(super) enum Compiled {
    /// Compiled in this process.
    Component(Component),
    /// Compiled by a child, which wrote it to this file. Nobody else has access to the file.
    File(File),
}

/// The compilers of one host.
#[derive(Debug)]
pub(crate) struct Compilers {
    compiler: Compiler,
    slots: Slots,
}

impl Compilers {
    pub(crate) fn new(compiler: Compiler) -> Self {
        Self {
            compiler,
            slots: Slots::default(),
        }
    }

    /// Compiles a component. Blocks until the compilation ends, exceeds a limit or is cancelled.
    pub(super) fn compile(
        &self,
        runtime: &Runtime,
        cache: Option<&CompileCache>,
        bytes: &Arc<Vec<u8>>,
        limits: CompileLimits,
        cancel: &CancellationToken,
    ) -> Result<Compiled, LoadFault> {
        match &self.compiler {
            Compiler::InProcess => {
                in_process::compile(&runtime.engine, bytes.clone(), limits.time, cancel)
                    .map(Compiled::Component)
            }
            Compiler::Child(command) => {
                let _slot = self.slots.take(cancel)?;
                let shares =
                    command.shares_functions && bytes.len() > SMALL && limits.memory >= ROOM;
                let dir = cache.map(CompileCache::dir).filter(|_| shares);
                let request = exit::Request {
                    fuel: runtime.fuel,
                    memory_bytes: limits.memory,
                    time_ms: u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX),
                    length: bytes.len() as u64,
                    // A path that is not UTF-8 cannot be written as JSON.
                    functions: dir.filter(|dir| dir.to_str().is_some()).map(Path::to_owned),
                };
                child::compile(command, &request, bytes, limits, cancel).map(Compiled::File)
            }
        }
    }
}
