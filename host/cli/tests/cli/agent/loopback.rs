//! A server on the loopback that answers JSON with JSON.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

type Answer = dyn Fn(&Value) -> (u16, Value) + Send + Sync;

/// A server on the loopback. It records the requests.
pub struct Loopback {
    pub url: String,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Loopback {
    /// Starts a server that answers every request with the status and the body that `answer`
    /// returns.
    pub fn new(answer: impl Fn(&Value) -> (u16, Value) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (record, answer): (_, Arc<Answer>) = (asked.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (record, answer) = (record.clone(), answer.clone());
                // A client that closes its connection early is no failure of the test.
                std::thread::spawn(move || serve(stream, &record, &*answer).ok());
            }
        });
        Self { url, asked }
    }

    /// Returns the requests so far: their headers, in lower case, and their bodies.
    pub fn asked(&self) -> Vec<(String, Value)> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(
    mut stream: TcpStream,
    record: &Mutex<Vec<(String, Value)>>,
    answer: &Answer,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        let line = line.to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        headers.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let (status, reply) = answer(&body);
    record.lock().unwrap().push((headers, body));
    let reply = match reply {
        Value::Null => String::new(),
        reply => reply.to_string(),
    };
    write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{reply}",
        reply.len()
    )
}

/// Returns a whole response in OpenAI's protocol.
pub fn completion(text: &str) -> Value {
    serde_json::json!({
        "id": "c", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{
            "index": 0, "finish_reason": "stop",
            "message": { "role": "assistant", "content": text },
        }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5 },
    })
}
