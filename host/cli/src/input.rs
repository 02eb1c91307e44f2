//! Lines from the standard input, from one reader for all.
//!
//! A read cannot be cancelled: if a turn is cancelled while a person is asked, the next line belongs
//! to the next question. So all share one reader.

use std::io::BufRead as _;
use std::sync::OnceLock;

use tokio::sync::{Mutex, mpsc};

/// Lines from the standard input.
#[derive(Debug, Default)]
pub struct Lines {
    reader: OnceLock<Mutex<mpsc::Receiver<String>>>,
}

impl Lines {
    /// The next line, without its line break; `None` at the end of the input.
    pub async fn next(&self) -> Option<String> {
        self.reader.get_or_init(start).lock().await.recv().await
    }
}

/// Reads on its own thread, which the end of the command does not wait for.
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
