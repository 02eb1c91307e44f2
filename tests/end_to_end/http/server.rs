//! Servers on loopback: good ones, slow ones, malicious ones.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

/// A server's answer to a request.
#[derive(Clone)]
pub enum Answer {
    /// 200 and this text.
    Text(&'static str),
    /// 200 and a text, after this time.
    After(Duration),
    /// 302 to this URL.
    Redirect(String),
    /// A body of this many bytes.
    Bytes(usize),
    /// A header of this many bytes.
    Header(usize),
    /// A body that never ends, as fast as possible.
    Endless,
    /// A byte of the body each time, forever.
    Drip(Duration),
    /// A byte of the head each second.
    DripHead,
    /// No answer.
    Never,
    /// 200, once another server has a connection.
    Behind(Behind),
}

/// Another server.
#[derive(Clone)]
pub struct Behind(Arc<Seen>);

/// A server. It ends with the test.
pub struct Server {
    port: u16,
    seen: Arc<Seen>,
    task: AbortHandle,
}

#[derive(Default)]
struct Seen {
    /// The heads of all requests.
    heads: Mutex<Vec<String>>,
    bytes: AtomicUsize,
    connected: AtomicUsize,
    open: AtomicUsize,
}

impl Server {
    pub async fn new(answer: Answer) -> Self {
        Self::of(move |stream, seen| {
            let answer = answer.clone();
            async move {
                serve(stream, &answer, &seen).await;
            }
        })
        .await
    }

    /// Starts a server with this protocol.
    async fn of<F>(speak: impl Fn(TcpStream, Arc<Seen>) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let seen = Arc::new(Seen::default());
        let sees = seen.clone();
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                sees.connected.fetch_add(1, Ordering::SeqCst);
                sees.open.fetch_add(1, Ordering::SeqCst);
                let (spoken, seen) = (speak(stream, sees.clone()), sees.clone());
                connections.spawn(async move {
                    spoken.await;
                    seen.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self {
            port,
            seen,
            task: task.abort_handle(),
        }
    }

    /// Starts a server that speaks TLS, with this certificate.
    pub async fn tls(config: Arc<tokio_rustls::rustls::ServerConfig>) -> Self {
        let acceptor = tokio_rustls::TlsAcceptor::from(config);
        Self::of(move |stream, seen| {
            let acceptor = acceptor.clone();
            async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    serve(stream, &Answer::Text("secure"), &seen).await;
                }
            }
        })
        .await
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Starts a server that answers once this one has a connection.
    pub async fn behind(&self) -> Self {
        Self::new(Answer::Behind(Behind(self.seen.clone()))).await
    }

    /// Returns its address as a URL.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns the line that grants these methods.
    pub fn grant(&self, methods: &str) -> String {
        format!("{methods} {}", self.url())
    }

    /// Returns the heads of the requests that reached it.
    pub fn heads(&self) -> Vec<String> {
        let heads = self.seen.heads.lock();
        heads.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of bytes that reached it.
    pub fn bytes(&self) -> usize {
        self.seen.bytes.load(Ordering::SeqCst)
    }

    /// Returns the number of connections that reached it.
    pub fn connected(&self) -> usize {
        self.seen.connected.load(Ordering::SeqCst)
    }

    /// Waits until a request has reached it.
    pub async fn asked(&self) {
        until("a request", || !self.heads().is_empty()).await;
    }

    /// Waits until its peers have closed all connections.
    pub async fn closed(&self) {
        let open = || self.seen.open.load(Ordering::SeqCst);
        until("all connections closed", || open() == 0).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn until(what: &str, is: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < Duration::from_secs(10), "no {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Answers one request, and then waits until the peer has closed the connection.
async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, answer: &Answer, seen: &Seen) {
    let head = read_head(&mut stream, seen).await;
    if head.is_empty() {
        return;
    }
    let heads = seen.heads.lock();
    heads.unwrap_or_else(PoisonError::into_inner).push(head);
    let (mut reader, mut writer) = tokio::io::split(stream);
    let gone = async {
        let mut rest = [0; 1024];
        while let Ok(1..) = count(seen, reader.read(&mut rest).await) {}
    };
    let answering = async {
        // The peer may be gone: the test is about that.
        let _ = write(&mut writer, answer).await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = gone => {}
        () = answering => {}
    }
}

fn count(seen: &Seen, read: std::io::Result<usize>) -> std::io::Result<usize> {
    if let Ok(bytes) = read {
        seen.bytes.fetch_add(bytes, Ordering::SeqCst);
    }
    read
}

async fn read_head(stream: &mut (impl AsyncRead + Unpin), seen: &Seen) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match count(seen, stream.read(&mut byte).await) {
            Ok(1) => head.push(byte[0]),
            _ => return String::new(),
        }
    }
    String::from_utf8_lossy(&head).into_owned()
}

async fn write(stream: &mut (impl AsyncWrite + Unpin), answer: &Answer) -> std::io::Result<()> {
    let whole = |status: &str, header: &str, body: &str| {
        format!(
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\n{header}\r\n{body}",
            body.len()
        )
    };
    let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    match answer {
        Answer::Text(text) => stream.write_all(whole("200 OK", "", text).as_bytes()).await,
        Answer::After(time) => {
            tokio::time::sleep(*time).await;
            stream
                .write_all(whole("200 OK", "", "late").as_bytes())
                .await
        }
        Answer::Redirect(to) => {
            let text = whole("302 Found", &format!("location: {to}\r\n"), "");
            stream.write_all(text.as_bytes()).await
        }
        Answer::Bytes(bytes) => {
            let text = whole("200 OK", "", &"x".repeat(*bytes));
            stream.write_all(text.as_bytes()).await
        }
        Answer::Header(bytes) => {
            let header = format!("x-long: {}\r\n", "x".repeat(*bytes));
            let text = whole("200 OK", &header, "with a header");
            stream.write_all(text.as_bytes()).await
        }
        Answer::Endless => {
            stream.write_all(chunked).await?;
            let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
            loop {
                stream.write_all(chunk.as_bytes()).await?;
            }
        }
        Answer::Drip(pause) => {
            stream.write_all(chunked).await?;
            loop {
                stream.write_all(b"1\r\nx\r\n").await?;
                tokio::time::sleep(*pause).await;
            }
        }
        Answer::DripHead => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nx-slow: ").await?;
            loop {
                stream.write_all(b"x").await?;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
        Answer::Never => Ok(()),
        Answer::Behind(Behind(other)) => {
            let open = || other.open.load(Ordering::SeqCst);
            until("a connection to the other server", || open() > 0).await;
            stream.write_all(whole("200 OK", "", "").as_bytes()).await
        }
    }
}
