//! One request and its response. They have a connection of their own and a time limit for each
//! part, and end no later than the call.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{Either, select};
use http::header::HOST;
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Request, Response, Uri};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use tokio::time::{Instant, Sleep, sleep_until, timeout, timeout_at};
use wasmtime_wasi_http::io::TokioIo;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

use super::super::rule::{HttpRule, Server};
use super::connect::connect;
use super::roots::Tls;
use super::usage::{Running, Usage};

/// The bytes that hyper reads ahead of the guest, and its minimum.
const READ_AHEAD: usize = 16 << 10;

/// The bytes of a header in addition to its name and value: `: ` and the line end.
const HEADER: usize = 4;

/// The future that drives a connection until its response has been read.
pub(super) type Driver = Box<dyn Future<Output = Result<(), Error>> + Send>;

/// An allowed request.
pub(super) struct Exchange {
    pub(super) server: Server,
    pub(super) rule: HttpRule,
    pub(super) tls: Tls,
    pub(super) usage: Arc<Usage>,
    pub(super) running: Running,
}

impl Exchange {
    /// Sends the request, and waits for the head of its response.
    pub(super) async fn send(
        self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
    ) -> Result<(Response<WasiBody>, Driver), Error> {
        let usage = self.usage.clone();
        let times = Times::of(&usage, options.unwrap_or_default());
        let cut = usage.cut.clone();
        let sending = timeout_at(times.end, self.sent(request, times));
        let sent = cut.run_until_cancelled_owned(sending).await;
        let in_time = sent.ok_or(Error::ConnectionTerminated)?;
        in_time.map_err(|_| Error::HttpResponseTimeout)?
    }

    async fn sent(
        self,
        mut request: Request<WasiBody>,
        times: Times,
    ) -> Result<(Response<WasiBody>, Driver), Error> {
        let usage = self.usage;
        let most = usage.limits().http_header_bytes;
        address(&mut request, &self.server)?;
        let head = request.uri().to_string().len() + section(request.headers());
        if head > most {
            return Err(Error::HttpRequestHeaderSectionSize(size(head)));
        }
        let connecting = async {
            let io = connect(&self.server, &self.rule, &self.tls, usage.clone()).await?;
            http1::Builder::new()
                .max_buf_size(READ_AHEAD.max(most))
                .max_header_size(most)
                .handshake(TokioIo::new(io))
                .await
                .map_err(|error| known(&usage, error))
        };
        let connected = timeout(times.connect, connecting).await;
        let (mut sender, connection) = connected.map_err(|_| Error::ConnectionTimeout)??;
        let mut connection = Box::pin(connection);
        let responding = Box::pin(sender.send_request(request));
        let first = async {
            match select(responding, &mut connection).await {
                Either::Left((response, _)) => (response, false),
                // The server closed the connection. A response received before that is valid.
                Either::Right((_, responding)) => (responding.await, true),
            }
        };
        let answered = timeout(times.first_byte, first).await;
        let (response, closed) = answered.map_err(|_| Error::ConnectionReadTimeout)?;
        let response = response.map_err(|error| known(&usage, error))?;
        let head = section(response.headers());
        if head > most {
            return Err(Error::HttpResponseHeaderSectionSize(size(head)));
        }
        let cut = usage.cut.clone();
        let driver: Driver = Box::new(async move {
            if !closed {
                let driven = timeout_at(times.end, connection);
                // The reader of the body gets the error.
                let _ = cut.run_until_cancelled_owned(driven).await;
            }
            Ok(())
        });
        let response = response.map(|incoming| {
            let body = ResponseBody {
                incoming,
                usage,
                between: times.between,
                silent: Box::pin(sleep_until(Instant::now() + times.between)),
                end: Box::pin(sleep_until(times.end)),
                _running: self.running,
            };
            body.boxed_unsync()
        });
        Ok((response, driver))
    }
}

/// The time limits of the parts: those that the guest requests, or less.
#[derive(Clone, Copy)]
struct Times {
    connect: Duration,
    first_byte: Duration,
    between: Duration,
    end: Instant,
}

impl Times {
    fn of(usage: &Usage, asked: RequestOptions) -> Self {
        let limits = usage.limits();
        let least = |asked: Option<Duration>, most: Duration| asked.map_or(most, |a| a.min(most));
        Self {
            connect: least(asked.connect_timeout, limits.http_connect),
            first_byte: least(asked.first_byte_timeout, limits.http_first_byte),
            between: least(asked.between_bytes_timeout, limits.http_between_bytes),
            end: Instant::now() + limits.http_total,
        }
    }
}

/// Addresses the request to the checked server: the name is the rule's, not the guest's text.
fn address(request: &mut Request<WasiBody>, server: &Server) -> Result<(), Error> {
    let host = HeaderValue::try_from(server.authority());
    let host = host.map_err(|_| Error::HttpRequestUriInvalid)?;
    request.headers_mut().insert(HOST, host);
    let path = request.uri().path_and_query().cloned();
    let path = path.filter(|path| !path.as_str().is_empty());
    let path = path.unwrap_or(PathAndQuery::from_static("/"));
    *request.uri_mut() = Uri::from(path);
    Ok(())
}

/// Returns the size of headers as sent.
fn section(headers: &HeaderMap) -> usize {
    let sizes = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + HEADER);
    sizes.sum()
}

fn size(bytes: usize) -> Option<u32> {
    u32::try_from(bytes).ok()
}

/// Returns the guest's error for a hyper error.
fn known(usage: &Usage, error: hyper::Error) -> Error {
    if let Some(failure) = usage.bytes_over() {
        return failure;
    }
    if error.is_parse_too_large() {
        return Error::HttpResponseHeaderSectionSize(None);
    }
    if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
        return Error::HttpResponseIncomplete;
    }
    match error.is_timeout() {
        true => Error::HttpResponseTimeout,
        false => Error::HttpProtocolError,
    }
}

/// A response's body. It fails if no data arrives for too long, or if it does not end in time.
struct ResponseBody {
    incoming: Incoming,
    usage: Arc<Usage>,
    between: Duration,
    /// The time at which no data has arrived for too long.
    silent: Pin<Box<Sleep>>,
    end: Pin<Box<Sleep>>,
    _running: Running,
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.incoming).poll_frame(cx) {
            this.silent.as_mut().reset(Instant::now() + this.between);
            return Poll::Ready(frame.map(|f| f.map_err(|error| known(&this.usage, error))));
        }
        if this.end.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Some(Err(Error::HttpResponseTimeout)));
        }
        ready!(this.silent.as_mut().poll(cx));
        Poll::Ready(Some(Err(Error::ConnectionReadTimeout)))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}
