//! Compilation in this process.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::contract::text::sanitize_for_terminal;

use cpu_time::ProcessTime;
use tokio_util::sync::CancellationToken;
use wasmtime::Engine;
use wasmtime::component::Component;

use super::LoadFault;
use super::child::POLL;

/// Compiles on a separate thread. A compilation cannot be stopped: one that takes too long runs to
/// its end, and its result is dropped.
///
/// The limit is reached once both the wall time and the process's processor time exceed it, so that
/// a busy machine alone does not make a component fail.
pub(super) fn compile(
    engine: &Engine,
    bytes: Arc<Vec<u8>>,
    most: Duration,
    cancel: &CancellationToken,
) -> Result<Component, LoadFault> {
    let (done, result) = sync_channel(1);
    let engine = engine.clone();
    let work = move || {
        // Sending fails if the receiver has given up after the limit.
        let _ = done.send(Component::from_binary(&engine, &bytes));
    };
    std::thread::Builder::new()
        .name("portcullis-compile".into())
        .spawn(work)
        .map_err(|e| LoadFault::Compiler(format!("there is no thread for it: {e}")))?;
    let (began, at) = (ProcessTime::now(), Instant::now());
    loop {
        match result.recv_timeout(POLL.min(most)) {
            Ok(compiled) => {
                return compiled
                    .map_err(|e| LoadFault::Invalid(sanitize_for_terminal(&format!("{e:#}"))));
            }
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                return Err(LoadFault::CompileCancelled);
            }
            Err(RecvTimeoutError::Timeout) if at.elapsed() >= most && began.elapsed() >= most => {
                return Err(LoadFault::CompilesTooLong { most });
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(LoadFault::Compiler("the compiler panicked".into()));
            }
        }
    }
}
