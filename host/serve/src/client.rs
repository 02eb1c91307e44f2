//! A client of the daemon's Unix socket. It needs no async runtime: its start would delay every event.

use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use portcullis::trace::TraceContext;
use portcullis_dialects::{AnsweredEvent, Dialect};
use socket2::{Domain, SockAddr, Socket, Type};

use crate::api::ErrorReply;
use crate::place::{DaemonId, check};

/// The wait before a request to a busy daemon is sent again.
const PAUSE: Duration = Duration::from_millis(20);
/// The maximum size of a response, in bytes.
const MOST_BYTES: usize = 64 << 20;
/// The maximum number of headers of a response.
const MOST_HEADERS: usize = 32;

/// The reason why the daemon has not answered an event.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The daemon cannot be reached, or ended before it began with the event: another process can answer it.
    #[error("{0}")]
    NotBegun(String),
    /// The daemon may have begun with the event.
    #[error("the daemon did not answer: {0}")]
    Begun(String),
}

/// Sends an event to the daemon of a directory, and waits for the answer until `until`. The event
/// is a part of the given trace.
///
/// # Errors
///
/// There is no answer. The error says whether the daemon may have begun.
pub fn answer(
    daemon: &DaemonId,
    dir: &Path,
    dialect: Dialect,
    event: &[u8],
    until: Instant,
    trace: Option<&TraceContext>,
) -> Result<AnsweredEvent, ClientError> {
    loop {
        let mut exchange = Exchange::open(&daemon.socket(dir), dir, until)?;
        let (status, body) = exchange.post(&format!("/v1/events/{dialect}"), event, trace)?;
        match status {
            200 => {
                let answered = serde_json::from_slice(&body);
                return answered.map_err(|error| ClientError::Begun(error.to_string()));
            }
            // The daemon has not begun, and holds the session: only it can answer soon.
            503 if Instant::now() + PAUSE < until => std::thread::sleep(PAUSE),
            503 => {
                return Err(ClientError::Begun(
                    "it is busy; it has too many calls".into(),
                ));
            }
            status => {
                let error = serde_json::from_slice::<ErrorReply>(&body);
                let error = error.map_or_else(|error| error.to_string(), |reply| reply.error);
                return Err(ClientError::Begun(format!("{error} (status {status})")));
            }
        }
    }
}

/// One request and its response.
struct Exchange {
    stream: UnixStream,
    until: Instant,
    /// Bytes that have been read and not yet used.
    read: Vec<u8>,
}

/// The number of bytes in one read.
const CHUNK: usize = 16 << 10;

impl Exchange {
    fn open(socket: &Path, dir: &Path, until: Instant) -> Result<Self, ClientError> {
        let unreached = |error: io::Error| {
            ClientError::NotBegun(match error.kind() {
                io::ErrorKind::NotFound => "no daemon runs for these hooks".into(),
                io::ErrorKind::ConnectionRefused => "the daemon of these hooks has ended".into(),
                _ => format!("the daemon cannot be reached: {error}"),
            })
        };
        // A directory that another user can write to must not decide anything.
        check(dir).map_err(unreached)?;
        let stream = connect(socket, until).map_err(unreached)?;
        Ok(Self {
            stream,
            until,
            read: Vec::new(),
        })
    }

    /// Sends the head, and the body once the server is ready to read it. Before that, the server has not begun.
    fn post(
        &mut self,
        path: &str,
        body: &[u8],
        trace: Option<&TraceContext>,
    ) -> Result<(u16, Vec<u8>), ClientError> {
        let trace = trace.into_iter().flat_map(TraceContext::headers);
        let trace: String = trace
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nexpect: 100-continue\r\nconnection: close\r\n{trace}\r\n",
            body.len()
        );
        let not_begun = |error: io::Error| {
            ClientError::NotBegun(format!("the daemon ended before it began: {error}"))
        };
        self.write(head.as_bytes()).map_err(not_begun)?;
        let (mut status, mut length) = self.head().map_err(not_begun)?;
        let begun = |error: io::Error| ClientError::Begun(error.to_string());
        if status == 100 {
            // A server that has not read the whole body begins nothing.
            self.write(body).map_err(not_begun)?;
            (status, length) = self.head().map_err(begun)?;
        }
        if length > MOST_BYTES {
            return Err(ClientError::Begun(format!("its answer has {length} bytes")));
        }
        while self.read.len() < length {
            self.more().map_err(begun)?;
        }
        self.read.truncate(length);
        Ok((status, std::mem::take(&mut self.read)))
    }

    /// Reads the head of a response: its status and the bytes of its body.
    fn head(&mut self) -> io::Result<(u16, usize)> {
        loop {
            let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
            let mut response = httparse::Response::new(&mut headers);
            let parsed = response.parse(&self.read).map_err(io::Error::other)?;
            if let httparse::Status::Complete(used) = parsed {
                let length = response.headers.iter();
                let mut length =
                    length.filter(|header| header.name.eq_ignore_ascii_case("content-length"));
                let length = length
                    .next()
                    .and_then(|header| str::from_utf8(header.value).ok());
                let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
                let status = response.code.unwrap_or(0);
                self.read.drain(..used);
                return Ok((status, length));
            }
            self.more()?;
        }
    }

    fn more(&mut self) -> io::Result<()> {
        let within = left(self.until)?;
        self.stream.set_read_timeout(Some(within))?;
        let mut chunk = [0; CHUNK];
        let count = match self.stream.read(&mut chunk) {
            Err(error) => return Err(timed_out(error)),
            Ok(count) => count,
        };
        let bytes = chunk.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the daemon ended",
            ));
        }
        self.read.extend_from_slice(bytes);
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.set_write_timeout(Some(left(self.until)?))?;
        self.stream.write_all(bytes).map_err(timed_out)
    }
}

/// Connects. A daemon that accepts no connections, such as a stopped process, has a bounded backlog; if that is
/// full, this waits until `until`.
fn connect(socket: &Path, until: Instant) -> io::Result<UnixStream> {
    let stream = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    stream.set_write_timeout(Some(left(until)?))?;
    stream
        .connect(&SockAddr::unix(socket)?)
        .map_err(timed_out)?;
    Ok(UnixStream::from(OwnedFd::from(stream)))
}

fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    (!left.is_zero()).then_some(left).ok_or_else(late)
}

/// Returns the error of a socket, with a message if the deadline has passed.
fn timed_out(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock => late(),
        _ => error,
    }
}

fn late() -> io::Error {
    io::Error::new(
        io::ErrorKind::TimedOut,
        "nothing was decided in time; raise --deadline",
    )
}
