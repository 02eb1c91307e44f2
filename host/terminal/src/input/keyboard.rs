//! A person's keyboard: lines edited at the prompt, and plain lines while something runs.

use std::sync::mpsc as requests;
use std::sync::{OnceLock, PoisonError};

use tokio::sync::{Mutex, mpsc};

use super::editor::{Editing, Editor};
use super::plain::{Plain, Wake};
use super::{Bytes, Typed};
use crate::modes::Modes;

/// A keyboard. One thread reads, and only on request: the terminal echoes plain lines by itself,
/// and the editor does so at the prompt.
pub(super) struct Keyboard {
    editing: std::sync::Mutex<Option<Editing>>,
    reader: OnceLock<Option<Reader>>,
    modes: Modes,
}

struct Reader {
    requests: requests::Sender<Request>,
    wake: Wake,
    pending: Mutex<Pending>,
}

struct Pending {
    /// The thread's current request.
    request: Option<Request>,
    read: mpsc::Receiver<Read>,
}

/// A request to the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Request {
    Line,
    Prompt,
}

/// The thread's reply.
pub(super) enum Read {
    Line(Bytes),
    Typed(Typed),
    /// Nothing, since the prompt was requested meanwhile.
    #[cfg_attr(not(unix), expect(dead_code, reason = "a read is woken on Unix only"))]
    Stopped,
}

impl Keyboard {
    pub(super) fn new(editing: Editing) -> Self {
        Self {
            editing: std::sync::Mutex::new(Some(editing)),
            reader: OnceLock::new(),
            modes: Modes::of_keyboard(),
        }
    }

    /// Returns the next plain line; `None` at the end of the input. Dropping the future loses no
    /// line.
    pub(super) async fn line(&self) -> Option<Bytes> {
        match self.read(Request::Line).await? {
            Typed::Text(text) => Some(text.into_bytes()),
            Typed::Interrupt => None,
        }
    }

    /// Returns the next input at the prompt; `None` at the end of the input. Dropping the future
    /// loses nothing.
    pub(super) async fn at_prompt(&self) -> Option<Typed> {
        self.read(Request::Prompt).await
    }

    /// Restores the terminal.
    pub(super) fn release(&self) {
        crate::above::stop();
        self.modes.restore();
    }

    async fn read(&self, request: Request) -> Option<Typed> {
        let reader = self.reader.get_or_init(|| self.start()).as_ref()?;
        let mut pending = reader.pending.lock().await;
        loop {
            match pending.request {
                None => {
                    reader.requests.send(request).ok()?;
                    pending.request = Some(request);
                }
                Some(Request::Line) if request == Request::Prompt => reader.wake.wake(),
                Some(_) => {}
            }
            let read = pending.read.recv().await?;
            pending.request = None;
            match read {
                Read::Line(line) => return Some(Typed::Text(super::text(line))),
                Read::Typed(typed) => return Some(typed),
                Read::Stopped => {}
            }
        }
    }

    /// Starts the reading thread. The command does not wait for it at its end.
    fn start(&self) -> Option<Reader> {
        let mut editing = self.editing.lock().unwrap_or_else(PoisonError::into_inner);
        let editing = editing.take()?;
        let (ask, asked) = requests::channel();
        let (send, read) = mpsc::channel(1);
        let started = Plain::new().and_then(|(plain, wake)| {
            let work = move || serve(&asked, &send, plain, editing);
            std::thread::Builder::new().spawn(work)?;
            Ok(wake)
        });
        // Without the thread, the input ends before its first line.
        let wake = started
            .inspect_err(|error| tracing::error!("the terminal cannot be read: {error}"))
            .ok()?;
        Some(Reader {
            requests: ask,
            wake,
            pending: Mutex::new(Pending {
                request: None,
                read,
            }),
        })
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.release();
    }
}

fn serve(
    asked: &requests::Receiver<Request>,
    send: &mpsc::Sender<Read>,
    mut plain: Plain,
    editing: Editing,
) {
    let mut editor = match Editor::new(editing) {
        Ok(editor) => editor,
        Err(error) => {
            tracing::error!("lines cannot be edited at this terminal: {error}");
            return;
        }
    };
    for request in asked {
        let read = match request {
            Request::Line => plain.read(),
            Request::Prompt => editor.read(),
        };
        let Ok(Some(read)) = read else { return };
        if send.blocking_send(read).is_err() {
            return;
        }
    }
}
