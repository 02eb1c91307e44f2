//! A client and a server that write lines.

use portcullis::{Hooks, NativeHook};
use portcullis_mcp_proxy::transport::{self, Connection};
use portcullis_mcp_proxy::{HookOptions, RelayEnd, relay};
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex,
    split,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The maximum number of bytes of a message.
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

    /// Returns the next line; `None` if the proxy has closed the connection.
    pub async fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        self.reader.read_until(b'\n', &mut line).await.unwrap();
        line.pop()?;
        Some(String::from_utf8(line).unwrap())
    }

    /// Returns the next line, as JSON.
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
    /// Returns peers with these hooks between them.
    pub fn new(hooks: impl IntoIterator<Item = NativeHook>) -> Self {
        Self::of(Hooks::none().with(hooks).unwrap(), HookOptions::default())
    }

    /// Returns peers with these hooks and options.
    pub fn of(hooks: Hooks, options: HookOptions) -> Self {
        let (server, to_server) = ends();
        let Fronted {
            client,
            relay,
            stop,
        } = Fronted::of(to_server, hooks, options);
        Self {
            client,
            server,
            relay,
            stop,
        }
    }
}

/// A client with a proxy in front of a server.
pub struct Fronted {
    pub client: Peer,
    pub relay: JoinHandle<RelayEnd>,
    pub stop: CancellationToken,
}

impl Fronted {
    /// Returns a client with a proxy in front of this server.
    pub fn of(server: Connection, hooks: Hooks, options: HookOptions) -> Self {
        let (client, to_client) = ends();
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let relay =
            tokio::spawn(async move { relay(to_client, server, &hooks, options, stopped).await });
        Self {
            client,
            relay,
            stop,
        }
    }
}

/// Returns a client with a proxy in front of this server, with these hooks.
pub fn client_of(server: Connection, hooks: impl IntoIterator<Item = NativeHook>) -> Peer {
    let hooks = Hooks::none().with(hooks).unwrap();
    Fronted::of(server, hooks, HookOptions::default()).client
}

/// Returns the two ends of a connection: the peer's and the proxy's.
pub fn ends() -> (Peer, Connection) {
    let (own, of_proxy) = duplex(1 << 20);
    let (reader, writer) = split(of_proxy);
    let connection = transport::over(reader, writer, MOST);
    let (reader, writer) = split(own);
    let reader = BufReader::new(reader);
    (Peer { reader, writer }, connection)
}
