//! What an aborted compilation was aborted for.
//!
//! Rust aborts where memory cannot be allocated. The allocator has set `errno` to `ENOMEM` then, and
//! nothing in between sets it anew; any other abort is reported as what it is.

use std::sync::atomic::Ordering;

use nix::errno::Errno;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

use super::exit::Exit;
use super::worker::WRITTEN;

/// From now on, an abort for want of memory ends the process with an exit code of its own.
pub(super) fn report_memory() -> nix::Result<()> {
    let action = SigAction::new(
        SigHandler::Handler(on_abort),
        SaFlags::empty(),
        SigSet::empty(),
    );
    // SAFETY: the handler reads `errno` and ends the process, both of which a handler may do.
    unsafe { sigaction(Signal::SIGABRT, &action) }.map(drop)
}

extern "C" fn on_abort(_: i32) {
    if Errno::last() == Errno::ENOMEM {
        let exit = match WRITTEN.load(Ordering::Relaxed) {
            true => Exit::Compiled,
            false => Exit::OverMemory,
        };
        // SAFETY: ends the process without running anything of it.
        unsafe { libc::_exit(exit.code()) }
    }
    // To return from the handler aborts.
}
