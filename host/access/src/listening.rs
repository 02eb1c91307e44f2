//! Addresses that cannot be listened on.

use std::io;

/// Returns the fix for an address that cannot be listened on, to follow the cause; empty if no fix
/// is known.
pub fn listen_fix(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::AddrInUse => "; stop the process that listens there, or name another port",
        io::ErrorKind::AddrNotAvailable => "; name an address of this machine",
        io::ErrorKind::PermissionDenied => "; name a port from 1024 on",
        _ => "",
    }
}
