//! Addresses that cannot be listened on.

use std::io;

/// What to do if an address cannot be listened on, to be put behind the cause; empty if that is not known.
pub fn listen_fix(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::AddrInUse => "; stop the process that listens there, or name another port",
        io::ErrorKind::AddrNotAvailable => "; name an address of this machine",
        io::ErrorKind::PermissionDenied => "; name a port from 1024 on",
        _ => "",
    }
}
