//! Compiling components, in this process or in a child process.
//!
//! A compilation that runs in this process cannot be stopped: past its limit it keeps its thread and
//! its memory until it ends by itself. A child process has a limit of memory and of processor time,
//! and is killed when a limit is reached, when loading is cancelled, and when the host ends.
//!
//! The child is a program that calls [`worker_main`]. The command `portcullis` uses itself:
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

/// A component of so many bytes compiles sooner than the functions of others are read.
const SMALL: usize = 1 << 20;

/// The functions take some of the memory that a compilation may.
const ROOM: u64 = 1 << 30;

/// Where components are compiled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Compiler {
    /// In this process. The default, since a library cannot know which program is a worker. Only
    /// `compile-ms` limits a compilation, and it continues past its limit until it ends by itself.
    #[default]
    InProcess,
    /// In a child process for each component, at most four at once. `compile-ms` and
    /// `compile-memory-bytes` limit it, and it is killed when a limit is reached.
    Child(WorkerCommand),
}

/// A command whose program calls [`worker_main`], built from the same version of this crate.
///
/// It runs without the host's environment, but for the variables that say where shared libraries are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    shares_functions: bool,
}

impl WorkerCommand {
    /// This program with these arguments.
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

    /// The program that is running now, with these arguments, which must make it call [`worker_main`].
    pub fn this_program<A: Into<OsString>>(args: impl IntoIterator<Item = A>) -> Self {
        // On Linux the link is right also where the file was replaced since.
        let link = PathBuf::from("/proc/self/exe");
        let program = match cfg!(target_os = "linux") && link.exists() {
            true => link,
            false => std::env::current_exe().unwrap_or(link),
        };
        Self::new(program, args)
    }

    /// The same, which compiles no function that it has compiled before for another component of more than 1 MiB: the compile
    /// cache keeps them. A changed hook in Python or JavaScript compiles in a third of the time. Default no.
    ///
    /// It is meant for an author's own components. The code is the same that Cranelift would make anew, but it is found by
    /// its experimental incremental compilation, and hooks of different people should not rest on that. If a compilation may
    /// take less than 1 GiB of memory, this has no effect.
    #[must_use]
    pub fn sharing_functions(self) -> Self {
        Self {
            shares_functions: true,
            ..self
        }
    }
}

/// What one compilation may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CompileLimits {
    /// Processor time over all threads.
    pub(crate) time: Duration,
    /// Bytes of memory; nothing limits them in this process.
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

/// What was compiled.
pub(super) enum Compiled {
    /// In this process.
    Component(Component),
    /// By a child, which wrote it into this file. Nobody else has the file.
    File(File),
}

/// Compiles components of one host.
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

    /// Compiles a component. Blocks until it is compiled, over a limit or cancelled.
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
                    // A path that is no text cannot be written as JSON.
                    functions: dir.filter(|dir| dir.to_str().is_some()).map(Path::to_owned),
                };
                child::compile(command, &request, bytes, limits, cancel).map(Compiled::File)
            }
        }
    }
}
