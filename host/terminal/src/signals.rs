//! Ctrl-C and SIGTERM, also while no task waits for them.

use std::io;

use futures::FutureExt as _;

#[cfg(unix)]
type Source = tokio::signal::unix::Signal;
#[cfg(windows)]
type Source = tokio::signal::windows::CtrlC;

/// A request of the user or the system to the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM. Not on Windows.
    Terminate,
}

impl Signal {
    /// Returns the exit code of a command that this signal ends.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// Receives every signal after [`Signals::listen`] or the first wait; until then a signal ends the
/// process. A signal between two waits is returned by the next wait. `tokio::signal::ctrl_c`,
/// called anew at each wait, would lose it.
#[derive(Default)]
pub struct Signals {
    heard: Option<Sources>,
}

struct Sources {
    interrupt: Option<Source>,
    terminate: Option<Source>,
}

impl Signals {
    /// Receives signals from now on.
    pub fn listen(&mut self) {
        self.heard.get_or_insert_with(listen);
    }

    /// Waits for a signal. If the wait is cancelled, no signal is lost.
    pub async fn next(&mut self) -> Signal {
        let Sources {
            interrupt,
            terminate,
        } = self.heard.get_or_insert_with(listen);
        tokio::select! {
            biased;
            () = received(terminate) => Signal::Terminate,
            () = received(interrupt) => Signal::Interrupt,
        }
    }

    /// Discards each Ctrl-C that came for an operation that has ended by itself.
    pub fn forget_interrupts(&mut self) {
        let sources = self.heard.get_or_insert_with(listen);
        while received(&mut sources.interrupt).now_or_never().is_some() {}
    }
}

/// Waits for a signal. Waits forever if signals cannot be received.
async fn received(source: &mut Option<Source>) {
    let received = match source {
        Some(source) => source.recv().await,
        None => None,
    };
    if received.is_none() {
        std::future::pending::<()>().await;
    }
}

fn listen() -> Sources {
    let [interrupt, terminate] = sources();
    Sources {
        interrupt: interrupt.ok(),
        terminate: terminate.ok(),
    }
}

#[cfg(unix)]
fn sources() -> [io::Result<Source>; 2] {
    use tokio::signal::unix::{SignalKind, signal};
    [SignalKind::interrupt(), SignalKind::terminate()].map(signal)
}

#[cfg(windows)]
fn sources() -> [io::Result<Source>; 2] {
    let none = io::Error::from(io::ErrorKind::Unsupported);
    [tokio::signal::windows::ctrl_c(), Err(none)]
}
