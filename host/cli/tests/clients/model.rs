//! A scripted model on loopback. It has a command run, and then reports that all is done. It speaks the Messages API
//! and the Responses API, with server-sent events.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The model, until it is dropped.
pub struct Model {
    address: std::net::SocketAddr,
    script: Arc<Script>,
}

struct Script {
    shell: String,
    requests: Mutex<Vec<Value>>,
    ended: std::sync::atomic::AtomicBool,
}

impl Model {
    /// Starts a model that has this command run.
    pub fn start(shell: &str) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let script = Arc::new(Script {
            shell: shell.to_owned(),
            requests: Mutex::default(),
            ended: false.into(),
        });
        let serving = script.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if serving.ended.load(std::sync::atomic::Ordering::SeqCst) {
                    return;
                }
                let (Ok(stream), script) = (stream, serving.clone()) else {
                    return;
                };
                // A client that disconnects is not an error.
                std::thread::spawn(move || drop(script.serve(stream)));
            }
        });
        Ok(Self { address, script })
    }

    /// Returns its URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.script.requests.lock().expect("no panic").clone()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.script
            .ended
            .store(true, std::sync::atomic::Ordering::SeqCst);
        // Wakes the listener.
        drop(TcpStream::connect(self.address));
    }
}

impl Script {
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let (mut first, mut length) = (String::new(), 0);
        reader.read_line(&mut first)?;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let events = match serde_json::from_slice::<Value>(&body) {
            Ok(body) => {
                let events = match first.contains("/responses") {
                    true => self.responses(&body),
                    false => self.messages(&body),
                };
                self.requests.lock().expect("no panic").push(body);
                events
            }
            Err(_) => Vec::new(),
        };
        let events = events.iter().map(|event| {
            let kind = event["type"].as_str().unwrap_or_default();
            format!("event: {kind}\ndata: {event}\n\n")
        });
        let text: String = events.collect();
        let mut stream = stream;
        write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
            text.len()
        )
    }

    fn messages(&self, request: &Value) -> Vec<Value> {
        let last = request["messages"]
            .as_array()
            .and_then(|messages| messages.last());
        let ran = last.is_some_and(|message| message.to_string().contains("tool_result"));
        let done = ran || request["tools"].as_array().is_none_or(Vec::is_empty);
        let (block, delta, stop) = match done {
            true => (
                json!({"type": "text", "text": ""}),
                json!({"type": "text_delta", "text": "All done."}),
                "end_turn",
            ),
            false => (
                json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}),
                json!({
                    "type": "input_json_delta",
                    "partial_json": json!({"command": self.shell, "description": "It"}).to_string(),
                }),
                "tool_use",
            ),
        };
        vec![
            json!({"type": "message_start", "message": {
                "id": "msg_1", "type": "message", "role": "assistant", "model": request["model"], "content": [],
                "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1},
            }}),
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({
                "type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
                "usage": {"output_tokens": 5},
            }),
            json!({"type": "message_stop"}),
        ]
    }

    fn responses(&self, request: &Value) -> Vec<Value> {
        let input = request["input"].as_array();
        let mut input = input.into_iter().flatten();
        let item = match input.any(|item| item["type"] == "function_call_output") {
            true => json!({
                "type": "message", "role": "assistant", "id": "m1",
                "content": [{"type": "output_text", "text": "All done."}],
            }),
            false => json!({
                "type": "function_call", "call_id": "c1", "name": "exec_command",
                "arguments": json!({"cmd": self.shell}).to_string(),
            }),
        };
        vec![
            json!({"type": "response.created", "response": {"id": "r1"}}),
            json!({"type": "response.output_item.done", "item": item}),
            json!({"type": "response.completed", "response": {"id": "r1", "usage": {
                "input_tokens": 0, "input_tokens_details": null, "output_tokens": 0,
                "output_tokens_details": null, "total_tokens": 0,
            }}}),
        ]
    }
}
