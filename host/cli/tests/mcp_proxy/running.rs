//! A proxy that runs for more than one call.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use super::peers::{SERVER, TOKEN, proxy};

/// A proxy that listens. Dropping it ends it.
pub struct Listening {
    child: Child,
    pub url: String,
    /// The lines of its standard error after that of the address.
    pub said: Receiver<String>,
}

impl Listening {
    /// Starts the proxy in front of this server.
    pub fn start(hooks: &Path, server: &[String]) -> Self {
        let mut words = [
            "--listen",
            "127.0.0.1:0",
            "--listen-token-env",
            "MCP_TOKEN",
            "--",
        ]
        .map(str::to_owned)
        .to_vec();
        words.extend_from_slice(server);
        let mut child = command(&proxy(hooks, &words))
            .env("MCP_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the proxy starts");
        let mut lines = BufReader::new(child.stderr.take().expect("its standard error")).lines();
        let url = lines.find_map(|line| {
            let line = line.expect("a line");
            line.strip_prefix("listening on ").map(str::to_owned)
        });
        let (send, said) = channel();
        // The output is read to the end, so that the process can write it.
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self {
            child,
            url: url.expect("the address"),
            said,
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A proxy with its client, over the standard streams.
pub struct Running {
    child: Child,
    to_proxy: ChildStdin,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Running {
    pub fn start(hooks: &Path, options: &[&str]) -> Self {
        let mut words: Vec<String> = options.iter().map(ToString::to_string).collect();
        words.extend(["--", "sh", "-c", SERVER].map(str::to_owned));
        let mut child = command(&proxy(hooks, &words))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the proxy starts");
        Self {
            to_proxy: child.stdin.take().expect("its input"),
            lines: BufReader::new(child.stdout.take().expect("its output")).lines(),
            child,
        }
    }

    /// Calls the server's tool. Returns all messages until another request is answered.
    pub fn call(&mut self, id: u32) -> Vec<Value> {
        let params = json!({"name": "t", "arguments": {}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        writeln!(self.to_proxy, "{call}").expect("it reads");
        let mut came = vec![self.line()];
        let ping = json!({"jsonrpc": "2.0", "id": "last", "method": "ping"});
        writeln!(self.to_proxy, "{ping}").expect("it reads");
        loop {
            let line = self.line();
            if line["id"] == "last" {
                return came;
            }
            came.push(line);
        }
    }

    fn line(&mut self) -> Value {
        let line = self.lines.next().expect("a line").expect("text");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Closes the connection, and waits for the end.
    pub fn end(mut self) {
        drop(self.to_proxy);
        self.child.wait().expect("it ends");
    }
}

fn command(words: &[String]) -> Command {
    let (program, arguments) = words.split_first().expect("a program");
    let mut command = Command::new(program);
    command.args(arguments);
    command
}
