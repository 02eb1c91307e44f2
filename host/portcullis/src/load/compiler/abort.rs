//! The reason for an aborted compilation.
//!
//! Rust aborts if memory cannot be allocated. The allocator has then set `errno` to `ENOMEM`, and
//! nothing in between changes it. Any other abort is reported as it is.

use std::sync::atomic::Ordering;

use nix::errno::Errno;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

use super::exit::Exit;
use super::worker::WRITTEN;

/// Installs a handler, so that an abort from lack of memory has its own exit code.
pub(super) fn report_memory() -> nix::Result<()> {
    let action = SigAction::new(
        SigHandler::Handler(on_abort),
        SaFlags::empty(),
        SigSet::empty(),
    );
    // SAFETY: the handler reads `errno` and ends the process. A signal handler may do both.
    unsafe { sigaction(Signal::SIGABRT, &action) }.map(drop)
}

extern "C" fn on_abort(_: i32) {
    if Errno::last() == Errno::ENOMEM {
        let exit = match WRITTEN.load(Ordering::Relaxed) {
            true => Exit::Compiled,
            false => Exit::OverMemory,
        };
        // SAFETY: `_exit` ends the process without running more of its code.
        unsafe { libc::_exit(exit.code()) }
    }
    // Returning from the handler aborts.
}
