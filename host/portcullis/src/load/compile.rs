//! Compiling a component, for no longer than it may take.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::LoadFault;

/// Compiles on a thread of its own. A compilation cannot be stopped: one that takes too long goes on
/// until it ends, and nobody takes what comes of it.
pub(super) fn compile(
    engine: &Engine,
    bytes: Arc<Vec<u8>>,
    most: Duration,
) -> Result<Component, LoadFault> {
    let (done, result) = sync_channel(1);
    let engine = engine.clone();
    let work = move || {
        // Nobody listens any more if it took too long.
        let _ = done.send(Component::from_binary(&engine, &bytes));
    };
    std::thread::Builder::new()
        .name("portcullis-compile".into())
        .spawn(work)
        .map_err(|e| LoadFault::Compiler(format!("there is no thread for it: {e}")))?;
    match result.recv_timeout(most) {
        Ok(compiled) => {
            compiled.map_err(|e| LoadFault::Invalid(crate::text::printable(&format!("{e:#}"))))
        }
        Err(RecvTimeoutError::Timeout) => Err(LoadFault::CompilesTooLong { most }),
        Err(RecvTimeoutError::Disconnected) => {
            Err(LoadFault::Compiler("the compiler panicked".into()))
        }
    }
}
