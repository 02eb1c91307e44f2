//! Ctrl-C, also while no task waits for it.

use std::io;

use futures::FutureExt as _;

#[cfg(unix)]
type Signal = tokio::signal::unix::Signal;
#[cfg(windows)]
type Signal = tokio::signal::windows::CtrlC;

/// Receives every Ctrl-C from the first wait on; until then Ctrl-C ends the process. One that comes
/// between two waits is returned by the next. `tokio::signal::ctrl_c`, called anew at each wait,
/// would lose it.
#[derive(Default)]
pub struct Interrupts {
    heard: Option<Signal>,
}

impl Interrupts {
    /// Waits for a Ctrl-C. Canceling the wait loses none.
    pub async fn next(&mut self) {
        if self.heard.is_none() {
            self.heard = listen().ok();
        }
        let received = match &mut self.heard {
            Some(heard) => heard.recv().await,
            None => None,
        };
        // If signals cannot be received, none comes.
        if received.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Discards those that came for an operation that has ended by itself.
    pub fn forget(&mut self) {
        while self.next().now_or_never().is_some() {}
    }
}

#[cfg(unix)]
fn listen() -> io::Result<Signal> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::interrupt())
}

#[cfg(windows)]
fn listen() -> io::Result<Signal> {
    tokio::signal::windows::ctrl_c()
}
