//! Lines from the standard input, for whoever needs the next one.
//!
//! A read cannot be called back: if a turn is cancelled while somebody is asked, the line that is
//! typed next belongs to whoever asks next. So there is one reader for all.

use std::io::BufRead as _;
use std::sync::OnceLock;

use tokio::sync::{Mutex, mpsc};

/// Lines from the standard input.
#[derive(Debug, Default)]
pub struct Lines {
    reader: OnceLock<Mutex<mpsc::Receiver<String>>>,
}

impl Lines {
    /// The next line, without its end; nothing at the end of the input.
    pub async fn next(&self) -> Option<String> {
        self.reader.get_or_init(start).lock().await.recv().await
    }
}

/// Reads on a thread of its own: it is not waited for when the command ends.
fn start() -> Mutex<mpsc::Receiver<String>> {
    let (send, receive) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if send.blocking_send(line).is_err() {
                return;
            }
        }
    });
    Mutex::new(receive)
}
