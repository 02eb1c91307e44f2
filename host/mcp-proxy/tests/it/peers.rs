//! A client and a server that write lines.

use portcullis::{Hooks, NativeHook};
use portcullis_mcp_proxy::{HookOptions, RelayEnd, relay, transport};
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex,
    split,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The longest message, in bytes.
pub const MOST: usize = 100_000;

/// One end of a connection to the proxy.
pub struct Peer {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

impl Peer {
    /// Sends a line.
    pub async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.writer.write_all(line.as_ref()).await.unwrap();
        self.writer.write_all(b"\n").await.unwrap();
    }

    /// The next line; `None` if the proxy has closed the connection.
    pub async fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        self.reader.read_until(b'\n', &mut line).await.unwrap();
        line.pop()?;
        Some(String::from_utf8(line).unwrap())
    }

    /// The next line, as JSON.
    pub async fn json(&mut self) -> Value {
        let line = self.line().await.expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }
}

/// A client and a server with a proxy between them.
pub struct Peers {
    pub client: Peer,
    pub server: Peer,
    pub relay: JoinHandle<RelayEnd>,
    pub stop: CancellationToken,
}

impl Peers {
    /// With these hooks between them.
    pub fn new(hooks: impl IntoIterator<Item = NativeHook>) -> Self {
        Self::of(Hooks::none().with(hooks).unwrap(), HookOptions::default())
    }

    /// The same, with what is said of the hooks.
    pub fn of(hooks: Hooks, options: HookOptions) -> Self {
        let (client, to_client) = duplex(1 << 20);
        let (server, to_server) = duplex(1 << 20);
        let connection = |stream| {
            let (reader, writer) = split(stream);
            transport::over(reader, writer, MOST)
        };
        let (to_client, to_server) = (connection(to_client), connection(to_server));
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let relay =
            tokio::spawn(
                async move { relay(to_client, to_server, &hooks, options, stopped).await },
            );
        Self {
            client: peer(client),
            server: peer(server),
            relay,
            stop,
        }
    }
}

fn peer(stream: DuplexStream) -> Peer {
    let (reader, writer) = split(stream);
    Peer {
        reader: BufReader::new(reader),
        writer,
    }
}
