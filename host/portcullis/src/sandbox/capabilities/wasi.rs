//! The inert part of WASI, for language runtimes: no network, no environment, an empty input, and
//! the hook's log as output. Clocks and random numbers are real, unless they are deterministic.

use std::sync::Arc;

use futures::FutureExt;
use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::p2::bindings::io::poll::{Host as WaitingPoll, HostPollable as WaitingPollable};
use wasmtime_wasi::p2::bindings::io::streams::{
    self as waiting, HostInputStream as WaitingInput, HostOutputStream as WaitingOutput,
};
use wasmtime_wasi::p2::bindings::sync::io::{poll, streams};
use wasmtime_wasi::p2::bindings::{cli, clocks, io, random};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable, StreamError, StreamResult};
use wasmtime_wasi::random::WasiRandom;
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::deterministic::{Monotonic, Stepping};
use super::directories::Directory;
use super::output::Stream;
use super::prices::Prices;
use super::{CallMode, Capability, InstanceContext, InstanceState, deterministic};
use crate::model::failure::Failure;
use crate::sandbox::store::HookStore;

/// The most random bytes at once: the host generates them, outside of the hook's own limits.
const MOST_RANDOM_BYTES: u64 = 64 << 10;

/// An instance's WASI context and resources.
pub(crate) struct Wasi {
    ctx: WasiCtx,
    table: ResourceTable,
    directories: Arc<[Directory]>,
    /// The clock, if it is deterministic.
    stepping: Option<Stepping>,
}

/// A context with nothing but the directories of the hook, and at most `handles` resources.
impl InstanceState for Wasi {
    fn new(cx: &InstanceContext<'_>) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(cx.setup.limits.handles);
        let mut builder = WasiCtxBuilder::new();
        builder
            .max_random_size(MOST_RANDOM_BYTES)
            .stdout(cx.output.stream(Stream::Stdout))
            .stderr(cx.output.stream(Stream::Stderr));
        let repeated = cx.runtime.deterministic;
        let mut stepping = repeated.map(|how| deterministic::repeat(&mut builder, how));
        if let Some(reel) = &cx.reel {
            reel.give(&mut builder);
            stepping = None;
        }
        Self {
            ctx: builder.build(),
            table,
            directories: cx.setup.directories.clone(),
            stepping,
        }
    }
}

impl Wasi {
    /// Returns the instance's resources.
    #[cfg(feature = "http")]
    pub(super) fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }

    /// Returns the bytes that the host holds for the instance's handles. `headers` is the most
    /// bytes of headers, if the instance can make requests.
    pub(crate) fn held(&mut self, headers: Option<usize>) -> usize {
        let prices = Prices::new(!self.directories.is_empty(), headers);
        let held = self.table.iter_mut().map(|resource| prices.of(resource));
        held.fold(0, usize::saturating_add)
    }

    /// Returns the directories that the hook was granted, and the instance's resources.
    pub(super) fn granted(&mut self) -> (Arc<[Directory]>, &mut ResourceTable) {
        (self.directories.clone(), &mut self.table)
    }
}

impl WasiView for HookStore {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.called().count_held();
        self.capabilities.log.take_output();
        WasiCtxView {
            ctx: &mut self.capabilities.wasi.ctx,
            table: &mut self.capabilities.wasi.table,
        }
    }
}

struct Steady;

impl HasData for Steady {
    type Data<'a> = Monotonic<'a>;
}

struct Table;

impl HasData for Table {
    type Data<'a> = &'a mut ResourceTable;
}

type Store = HookStore;

pub(super) const CLOCKS: Capability = Capability {
    waits: |function| function.starts_with("subscribe"),
    ..Capability::new(
        &["wasi:clocks/monotonic-clock", "wasi:clocks/wall-clock"],
        "read the clock",
        |linker, _| {
            clocks::wall_clock::add_to_linker::<_, WasiClocks>(linker, Store::clocks)?;
            clocks::monotonic_clock::add_to_linker::<_, Steady>(linker, |store| {
                let stepping = store.capabilities.wasi.stepping.clone();
                let wasi = store.clocks();
                Monotonic { wasi, stepping }
            })
        },
    )
};

pub(super) const RANDOM: Capability = Capability::new(
    &[
        "wasi:random/random",
        "wasi:random/insecure",
        "wasi:random/insecure-seed",
    ],
    "draw random numbers",
    |linker, _| {
        random::random::add_to_linker::<_, WasiRandom>(linker, |s| s.ctx().ctx.random())?;
        random::insecure::add_to_linker::<_, WasiRandom>(linker, |s| s.ctx().ctx.random())?;
        random::insecure_seed::add_to_linker::<_, WasiRandom>(linker, |s| s.ctx().ctx.random())
    },
);

pub(super) const IO: Capability = Capability::new(
    &["wasi:io/error", "wasi:io/poll", "wasi:io/streams"],
    "run a language runtime: its output is its log, its input is empty",
    |linker, mode| {
        io::error::add_to_linker::<_, Table>(linker, |s| s.ctx().table)?;
        match mode {
            CallMode::Sync => {
                poll::add_to_linker::<_, Direct>(linker, |s| DirectIo(s.ctx().table))?;
                streams::add_to_linker::<_, Direct>(linker, |s| DirectIo(s.ctx().table))
            }
            CallMode::Async => {
                io::poll::add_to_linker::<_, Table>(linker, |s| s.ctx().table)?;
                io::streams::add_to_linker::<_, Table>(linker, |s| s.ctx().table)
            }
        }
    },
);

pub(super) const CLI: Capability = Capability::new(
    &[
        "wasi:cli/environment",
        "wasi:cli/exit",
        "wasi:cli/stdin",
        "wasi:cli/stdout",
        "wasi:cli/stderr",
        "wasi:cli/terminal-input",
        "wasi:cli/terminal-output",
        "wasi:cli/terminal-stdin",
        "wasi:cli/terminal-stdout",
        "wasi:cli/terminal-stderr",
    ],
    "run a language runtime: no variables, no arguments, no terminal; to exit is to trap",
    |linker, _| {
        cli::exit::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::environment::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::stdin::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::stdout::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::stderr::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::terminal_input::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::terminal_output::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::terminal_stdin::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::terminal_stdout::add_to_linker::<_, WasiCli>(linker, Store::cli)?;
        cli::terminal_stderr::add_to_linker::<_, WasiCli>(linker, Store::cli)
    },
);

/// Streams for hooks that cannot wait. The streams never wait: the input is at its end and the
/// output takes everything.
struct DirectIo<'a>(&'a mut ResourceTable);

struct Direct;

impl HasData for Direct {
    type Data<'a> = DirectIo<'a>;
}

/// Returns the result of a stream operation that must complete at once.
fn at_once<T>(operation: impl Future<Output = StreamResult<T>>) -> StreamResult<T> {
    operation
        .now_or_never()
        .unwrap_or_else(|| Err(StreamError::Trap(cannot_wait())))
}

/// Returns the error for a hook that would have to wait.
fn cannot_wait() -> wasmtime::Error {
    let why = "it waits, and imports nothing that it could wait for";
    Failure::Trap(why.into()).into()
}

impl poll::Host for DirectIo<'_> {
    fn poll(&mut self, pollables: Vec<Resource<DynPollable>>) -> wasmtime::Result<Vec<u32>> {
        WaitingPoll::poll(self.0, pollables)
            .now_or_never()
            .unwrap_or_else(|| Err(cannot_wait()))
    }
}

impl poll::HostPollable for DirectIo<'_> {
    fn ready(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<bool> {
        WaitingPollable::ready(self.0, pollable)
            .now_or_never()
            .unwrap_or(Ok(false))
    }

    fn block(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<()> {
        WaitingPollable::block(self.0, pollable)
            .now_or_never()
            .unwrap_or_else(|| Err(cannot_wait()))
    }

    fn drop(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<()> {
        WaitingPollable::drop(self.0, pollable)
    }
}

impl streams::Host for DirectIo<'_> {
    fn convert_stream_error(
        &mut self,
        error: StreamError,
    ) -> wasmtime::Result<streams::StreamError> {
        Ok(waiting::Host::convert_stream_error(self.0, error)?.into())
    }
}

impl streams::HostInputStream for DirectIo<'_> {
    fn read(&mut self, stream: Resource<DynInputStream>, len: u64) -> StreamResult<Vec<u8>> {
        WaitingInput::read(self.0, stream, len)
    }

    fn blocking_read(
        &mut self,
        stream: Resource<DynInputStream>,
        len: u64,
    ) -> StreamResult<Vec<u8>> {
        at_once(WaitingInput::blocking_read(self.0, stream, len))
    }

    fn skip(&mut self, stream: Resource<DynInputStream>, len: u64) -> StreamResult<u64> {
        WaitingInput::skip(self.0, stream, len)
    }

    fn blocking_skip(&mut self, stream: Resource<DynInputStream>, len: u64) -> StreamResult<u64> {
        at_once(WaitingInput::blocking_skip(self.0, stream, len))
    }

    fn subscribe(
        &mut self,
        stream: Resource<DynInputStream>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        WaitingInput::subscribe(self.0, stream)
    }

    fn drop(&mut self, stream: Resource<DynInputStream>) -> wasmtime::Result<()> {
        WaitingInput::drop(self.0, stream)
            .now_or_never()
            .unwrap_or(Ok(()))
    }
}

impl streams::HostOutputStream for DirectIo<'_> {
    fn check_write(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<u64> {
        WaitingOutput::check_write(self.0, stream)
    }

    fn write(&mut self, stream: Resource<DynOutputStream>, bytes: Vec<u8>) -> StreamResult<()> {
        WaitingOutput::write(self.0, stream, bytes)
    }

    fn blocking_write_and_flush(
        &mut self,
        stream: Resource<DynOutputStream>,
        bytes: Vec<u8>,
    ) -> StreamResult<()> {
        at_once(WaitingOutput::blocking_write_and_flush(
            self.0, stream, bytes,
        ))
    }

    fn flush(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<()> {
        WaitingOutput::flush(self.0, stream)
    }

    fn blocking_flush(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<()> {
        at_once(WaitingOutput::blocking_flush(self.0, stream))
    }

    fn subscribe(
        &mut self,
        stream: Resource<DynOutputStream>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        WaitingOutput::subscribe(self.0, stream)
    }

    fn write_zeroes(&mut self, stream: Resource<DynOutputStream>, len: u64) -> StreamResult<()> {
        WaitingOutput::write_zeroes(self.0, stream, len)
    }

    fn blocking_write_zeroes_and_flush(
        &mut self,
        stream: Resource<DynOutputStream>,
        len: u64,
    ) -> StreamResult<()> {
        at_once(WaitingOutput::blocking_write_zeroes_and_flush(
            self.0, stream, len,
        ))
    }

    fn splice(
        &mut self,
        output: Resource<DynOutputStream>,
        input: Resource<DynInputStream>,
        len: u64,
    ) -> StreamResult<u64> {
        WaitingOutput::splice(self.0, output, input, len)
    }

    fn blocking_splice(
        &mut self,
        output: Resource<DynOutputStream>,
        input: Resource<DynInputStream>,
        len: u64,
    ) -> StreamResult<u64> {
        at_once(WaitingOutput::blocking_splice(self.0, output, input, len))
    }

    fn drop(&mut self, stream: Resource<DynOutputStream>) -> wasmtime::Result<()> {
        WaitingOutput::drop(self.0, stream)
            .now_or_never()
            .unwrap_or(Ok(()))
    }
}
