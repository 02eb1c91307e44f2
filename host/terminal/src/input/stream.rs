//! Lines of a pipe or a file, read ahead.

use std::io::{self, BufRead, Read as _};
use std::sync::OnceLock;

use tokio::sync::{Mutex, mpsc};

use super::{Bytes, LONGEST};

/// Lines from the standard input.
#[derive(Debug, Default)]
pub(super) struct Stream {
    reader: OnceLock<Mutex<mpsc::Receiver<Bytes>>>,
}

impl Stream {
    /// Returns the next line; `None` at the end of the input. Dropping the future loses no line.
    pub(super) async fn next(&self) -> Option<Bytes> {
        self.reader.get_or_init(start).lock().await.recv().await
    }
}

/// Starts the reading thread. The command does not wait for it at its end.
fn start() -> Mutex<mpsc::Receiver<Bytes>> {
    let (send, receive) = mpsc::channel(1);
    let reading = std::thread::Builder::new().spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(line)) = read_line(&mut input) {
            if send.blocking_send(line).is_err() {
                return;
            }
        }
    });
    // Without the thread, the input ends before its first line.
    if let Err(error) = reading {
        tracing::error!("there is no thread to read the standard input: {error}");
    }
    Mutex::new(receive)
}

pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Bytes>> {
    let mut line = Vec::new();
    let most = LONGEST as u64 + 1;
    if input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() > LONGEST {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_line_breaks_and_are_bounded() {
        let mut long = vec![b'x'; LONGEST + 10];
        long.push(b'\n');
        let mut input: &[u8] = &[&b"a\r\n\n\xff\n"[..], &long, b"end"].concat();
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        let lengths: Vec<usize> = lines.iter().map(Vec::len).collect();
        assert_eq!(lengths, [1, 0, 1, LONGEST + 1, 3]);
        assert_eq!((&lines[0][..], &lines[4][..]), (&b"a"[..], &b"end"[..]));
    }
}
