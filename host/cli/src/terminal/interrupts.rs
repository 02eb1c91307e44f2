//! Ctrl-C, heard also while nobody waits for it.

use std::io;

use futures::FutureExt as _;

#[cfg(unix)]
type Signal = tokio::signal::unix::Signal;
#[cfg(windows)]
type Signal = tokio::signal::windows::CtrlC;

/// Hears every Ctrl-C from the first wait on; until then it ends the process. One that comes while
/// nobody waits is told at the next wait: `tokio::signal::ctrl_c`, called anew at each wait, would
/// not have heard it.
#[derive(Default)]
pub struct Interrupts {
    heard: Option<Signal>,
}

impl Interrupts {
    /// Waits for one. Nothing is lost where the wait is given up.
    pub async fn next(&mut self) {
        if self.heard.is_none() {
            self.heard = listen().ok();
        }
        let told = match &mut self.heard {
            Some(heard) => heard.recv().await,
            None => None,
        };
        // Where it cannot be told, it never comes.
        if told.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Forgets those that were meant for what has ended by itself.
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
