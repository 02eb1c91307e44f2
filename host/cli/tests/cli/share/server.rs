//! A server on loopback with the responses of a test.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A server, and the requests that it got.
pub struct Server {
    pub address: String,
    heads: Arc<Mutex<Vec<String>>>,
}

/// A request: its first line and its headers, in lower case but for the first line.
pub struct Request {
    pub method: String,
    pub path: String,
    pub head: String,
}

/// An answer.
#[derive(Clone)]
pub struct Answer {
    status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Answer {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: String::new(),
            body: body.into(),
        }
    }

    pub fn with(mut self, header: &str, value: &str) -> Self {
        self.headers.push_str(&format!("{header}: {value}\r\n"));
        self
    }
}

impl Server {
    /// Answers every request with the result of `answer`.
    pub fn new(answer: impl Fn(&Request) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = heads.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = request(&mut stream);
                seen.lock().unwrap().push(request.head.clone());
                let Answer {
                    status,
                    headers,
                    body,
                } = answer(&request);
                let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n{headers}\r\n");
                // A client that has read enough closes the connection.
                let _ = stream.write_all(head.as_bytes());
                let _ = stream.write_all(&body);
            }
        });
        Self { address, heads }
    }

    /// Returns the requests so far.
    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

fn request(stream: &mut TcpStream) -> Request {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) > 0 {
        head.push(byte[0]);
    }
    let text = String::from_utf8(head).unwrap();
    let (line, headers) = text.split_once("\r\n").unwrap_or((&text, ""));
    let headers = headers.to_lowercase();
    let length = headers
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length: u64 = length.map_or(0, |length| length.parse().unwrap());
    std::io::copy(&mut stream.take(length), &mut std::io::sink()).unwrap();
    let mut words = line.split(' ').map(str::to_owned);
    Request {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        head: format!("{line}\n{headers}"),
    }
}
