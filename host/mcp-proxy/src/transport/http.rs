//! A server that speaks streamable HTTP.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures::TryStreamExt as _;
use parking_lot::Mutex;
use portcullis::ErrorReport;
use portcullis_agent::{McpError, McpHttpConfig};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use tokio::io::{AsyncBufRead, AsyncReadExt as _};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::io::StreamReader;
use tokio_util::sync::CancellationToken;

use super::headers::{LAST_EVENT, SESSION, Sent, VERSION};
use super::sse::Events;
use super::{Connection, Frame, WAITING, lines, next};
use crate::message::own::{self, SERVER_ERROR};
use crate::message::{Id, Kind, Message, fields, string};

/// The time limit for the server to answer `initialize`. It may first start something.
const INITIALIZING: Duration = Duration::from_secs(60);

/// The time limit for the server to accept a message that needs no answer.
const ACCEPTING: Duration = Duration::from_secs(30);

/// The time limit for the last messages of a session, and then for its end.
const CLOSING: Duration = Duration::from_secs(1);

/// The delay before the stream of the server's own messages is opened again.
const AGAIN: Duration = Duration::from_secs(1);

/// A server that speaks streamable HTTP.
#[derive(Debug)]
struct Http {
    client: Client,
    url: String,
    token: Option<String>,
    most: usize,
    session: Mutex<Session>,
    frames: mpsc::Sender<Frame>,
}

/// The session's id and protocol version, as the server states them.
#[derive(Debug, Default, Clone)]
struct Session {
    id: Option<String>,
    version: Option<String>,
}

/// Connects to a server that speaks streamable HTTP. Sends nothing until there is a message. A
/// message of more than `most` bytes is not kept.
///
/// # Errors
///
/// The address or the token cannot be used.
pub fn connect(config: &McpHttpConfig, most: usize) -> Result<Connection, McpError> {
    let (client, token) = config.client()?;
    let (frames, incoming) = mpsc::channel(WAITING);
    let (outgoing, queue) = mpsc::channel(WAITING);
    let closing = CancellationToken::new();
    let http = Arc::new(Http {
        client,
        url: config.url.clone(),
        token,
        most,
        session: Mutex::default(),
        frames,
    });
    let ended = tokio::spawn(run(http, queue, closing.clone()));
    Ok(Connection {
        incoming,
        outgoing,
        // Each message has its own time limit.
        ending: closing.child_token(),
        closing,
        ended,
    })
}

/// Sends messages until the connection is closed.
async fn run(http: Arc<Http>, mut queue: mpsc::Receiver<String>, closing: CancellationToken) {
    let mut running = JoinSet::new();
    let mut requests: HashMap<Id, AbortHandle> = HashMap::new();
    let late = async {
        closing.cancelled().await;
        tokio::time::sleep(CLOSING).await;
    };
    tokio::pin!(late);
    while let Some(text) = next(&mut queue, &closing).await.map(String::from) {
        while running.try_join_next().is_some() {}
        requests.retain(|_, request| !request.is_finished());
        let sent = Sent::read(&text);
        if let Some(request) = sent.cancels.as_ref().and_then(|id| requests.remove(id)) {
            // Without a session, a request is cancelled by closing its stream.
            request.abort();
            continue;
        }
        let is_concurrent = sent.is_answered && sent.method != "initialize";
        let is_initialized = sent.method == "notifications/initialized";
        let stateless = sent.id.clone().filter(|_| sent.version.is_some());
        let sending = http.clone().send(text, sent);
        match is_concurrent {
            // The answer may take long.
            true => {
                let request = running.spawn(sending);
                requests.extend(stateless.map(|id| (id, request)));
            }
            // Later messages depend on this one.
            false => tokio::select! {
                () = sending => {}
                () = &mut late => {
                    tracing::warn!("the server takes too long; what was to be sent to it is dropped");
                    break;
                }
            },
        }
        if is_initialized {
            running.spawn(http.clone().listen());
        }
    }
    running.shutdown().await;
    let session = http.session.lock().clone();
    if session.id.is_some() {
        let end = http.with_headers(http.client.delete(&http.url), &Sent::default());
        // A server need not support the end of a session.
        let _ = tokio::time::timeout(CLOSING, end.send()).await;
    }
}

impl Http {
    /// Sends a message and passes on the server's answer. A request always has an answer.
    async fn send(self: Arc<Self>, text: String, sent: Sent) {
        let exchanged = self.exchange(text, &sent);
        let exchanged = match limit(&sent) {
            None => exchanged.await,
            Some(limit) => match tokio::time::timeout(limit, exchanged).await {
                Ok(exchanged) => exchanged,
                Err(_) => Err(format!("it takes longer than {} s", limit.as_secs()).into()),
            },
        };
        let failed = match exchanged {
            Ok(true) => return,
            Ok(false) if sent.id.is_none() => return,
            Ok(false) => "the server did not answer the request".to_owned(),
            Err(error) => format!("the server cannot be reached: {}", words(&*error)),
        };
        match &sent.id {
            Some(id) => {
                let error = own::error(Some(id.json()), SERVER_ERROR, &failed);
                self.pass(Frame::Message(error)).await;
            }
            None => tracing::warn!("a message did not reach the server: {failed}"),
        }
    }

    /// Sends a message. Returns whether it was answered.
    async fn exchange(
        &self,
        text: String,
        sent: &Sent,
    ) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
        let request = self.client.post(&self.url);
        let request = request
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json");
        let response = self.with_headers(request, sent).body(text).send().await?;
        let status = response.status();
        if let Some(id) = header(response.headers(), SESSION)
            && sent.method == "initialize"
        {
            self.session.lock().id = Some(id);
        }
        let kind = header(response.headers(), CONTENT_TYPE.as_str()).unwrap_or_default();
        let is_answered = match kind.split(';').next().unwrap_or_default().trim() {
            // The status shows whether the server accepted the message. A body may have no end.
            _ if !sent.is_answered => false,
            "text/event-stream" if status.is_success() => {
                let mut events = Events::new(reader(response), self.most);
                self.pass_events(&mut events, sent).await?
            }
            "application/json" => self.pass_body(response, sent).await?,
            _ => false,
        };
        match is_answered || status.is_success() {
            true => Ok(is_answered),
            false => Err(format!("it answers with HTTP {status}").into()),
        }
    }

    async fn pass_body(&self, response: Response, sent: &Sent) -> io::Result<bool> {
        let is_success = response.status().is_success();
        let mut body = Vec::new();
        let most = u64::try_from(self.most).unwrap_or(u64::MAX);
        let mut reader = reader(response).take(most.saturating_add(1));
        reader.read_to_end(&mut body).await?;
        if body.len() > self.most {
            return Err(io::Error::other("its answer is over the limit"));
        }
        let frame = lines::text(body);
        let is_answered = self.is_answer(&frame, sent);
        if is_answered || is_success {
            self.pass(frame).await;
        }
        Ok(is_answered)
    }

    async fn pass_events<R: AsyncBufRead + Unpin>(
        &self,
        events: &mut Events<R>,
        sent: &Sent,
    ) -> io::Result<bool> {
        let mut is_answered = false;
        while let Some(frame) = events.next().await? {
            is_answered |= self.is_answer(&frame, sent);
            self.pass(frame).await;
            // Later messages wait for this answer, and the server may keep the stream open.
            if is_answered && sent.method == "initialize" {
                break;
            }
        }
        Ok(is_answered)
    }

    /// Returns whether the frame answers the sent message. Reads the session's version from the
    /// answer to `initialize`.
    fn is_answer(&self, frame: &Frame, sent: &Sent) -> bool {
        let text = match (frame, &sent.id) {
            (Frame::Message(text), Some(_)) => text,
            (Frame::TooLong(found) | Frame::NotText(found), Some(id)) => {
                return found.id.as_deref() == Some(id.json());
            }
            (_, None) => return false,
        };
        let Ok(message) = Message::parse(text.as_str()) else {
            return false;
        };
        let is_answer = matches!(&message.kind, Kind::Answer { id } if *id == sent.id);
        if is_answer && sent.method == "initialize" {
            let version = message.result().and_then(|result| {
                let [version] = fields(result, ["protocolVersion"]).ok()?;
                string(version?).ok()
            });
            self.session.lock().version = version;
        }
        is_answer
    }

    /// Passes on the server's own messages, if the server has a stream for them.
    async fn listen(self: Arc<Self>) {
        let mut last: Option<String> = None;
        loop {
            let request = self
                .client
                .get(&self.url)
                .header(ACCEPT, "text/event-stream");
            let mut request = self.with_headers(request, &Sent::default());
            if let Some(last) = &last {
                request = request.header(LAST_EVENT, last);
            }
            match request.send().await {
                Ok(response) if response.status() == StatusCode::METHOD_NOT_ALLOWED => return,
                Ok(response) if response.status().is_success() => {
                    let mut events = Events::new(reader(response), self.most);
                    if let Err(error) = self.pass_events(&mut events, &Sent::default()).await {
                        tracing::debug!("the server's stream broke: {error}");
                    }
                    last = events.last_id.or(last);
                }
                Ok(response) => tracing::debug!("there is no stream: HTTP {}", response.status()),
                Err(error) => tracing::debug!("there is no stream: {error}"),
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    fn with_headers(&self, mut request: RequestBuilder, sent: &Sent) -> RequestBuilder {
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let session = self.session.lock().clone();
        let session_id = session.id.filter(|_| sent.method != "initialize");
        let version = sent.version.clone().or(session.version);
        let session_headers = [(SESSION, session_id), (VERSION, version)];
        for (name, value) in session_headers.into_iter().chain(sent.headers()) {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        request
    }

    async fn pass(&self, frame: Frame) {
        // The frame is dropped once the relay has ended.
        let _ = self.frames.send(frame).await;
    }
}

/// Returns the time limit for a message and its answer. A request other than `initialize` has none.
fn limit(sent: &Sent) -> Option<Duration> {
    match (sent.is_answered, sent.method.as_str()) {
        (true, "initialize") => Some(INITIALIZING),
        (true, _) => None,
        (false, _) => Some(ACCEPTING),
    }
}

fn reader(response: Response) -> impl AsyncBufRead + Unpin {
    StreamReader::new(Box::pin(response.bytes_stream().map_err(io::Error::other)))
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

/// Returns an error with its causes, as text.
fn words(error: &(dyn std::error::Error + Send + Sync)) -> String {
    portcullis::text::sanitize_for_terminal(&ErrorReport::line(error))
}
