//! Requests that the embedder answers in place of a server.

use bytes::{Bytes, BytesMut};
use futures::stream;
use http::{Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt as _, Full, StreamBody};
use tokio::time::timeout;
use wasmtime_wasi_http::{Error, WasiBody};

use super::exchange::{Driver, Exchange};
use super::usage::Usage;
use crate::model::http_responder::{HttpFailure, HttpServers};
use crate::model::recording::Body;

impl Exchange {
    /// Answers the request without a connection. The limits are those of a request to a server.
    pub(super) async fn answer(
        self,
        request: Request<WasiBody>,
        servers: HttpServers,
    ) -> Result<(Response<WasiBody>, Driver), Error> {
        let Self {
            server,
            usage,
            running,
            ..
        } = self;
        let cut = usage.cut.clone();
        let answering = async {
            let (mut head, body) = request.into_parts();
            head.uri = server
                .address(&head.uri)
                .ok_or(Error::HttpRequestUriInvalid)?;
            let body = whole(body, &usage).await?;
            let response = servers
                .0
                .respond(Request::from_parts(head, body))
                .map_err(error)?;
            drop(running);
            if !usage.receive(response.body().len()) {
                return Err(usage.bytes_over().unwrap_or(Error::HttpProtocolError));
            }
            let mut response = response;
            let recorded = response.extensions_mut().remove::<Body>();
            let response = response.map(|bytes| match recorded {
                None => Full::new(bytes)
                    .map_err(|never| match never {})
                    .boxed_unsync(),
                Some(recorded) => {
                    StreamBody::new(stream::iter(split(bytes, &recorded))).boxed_unsync()
                }
            });
            let driver: Driver = Box::new(std::future::ready(Ok(())));
            Ok((response, driver))
        };
        let answering = timeout(usage.limits().http_total, answering);
        let answered = cut.run_until_cancelled_owned(answering).await;
        let in_time = answered.ok_or(Error::ConnectionTerminated)?;
        in_time.map_err(|_| Error::HttpResponseTimeout)?
    }
}

/// Splits a body into its recorded pieces.
fn split(mut bytes: Bytes, recorded: &Body) -> Vec<Result<Frame<Bytes>, Error>> {
    let Body { pieces, broken, .. } = recorded;
    let mut frames = Vec::new();
    for length in pieces {
        let piece = bytes.split_to((*length).min(bytes.len()));
        frames.push(Ok(Frame::data(piece)));
    }
    if !bytes.is_empty() {
        frames.push(Ok(Frame::data(bytes)));
    }
    if *broken {
        frames.push(Err(Error::HttpResponseIncomplete));
    }
    frames
}

/// Reads a whole body, holding no more than may be sent.
async fn whole(mut body: WasiBody, usage: &Usage) -> Result<Bytes, Error> {
    let mut bytes = BytesMut::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            if !usage.may_send(data.len()) {
                return Err(usage.bytes_over().unwrap_or(Error::HttpProtocolError));
            }
            usage.sent(data.len());
            bytes.extend_from_slice(&data);
        }
    }
    Ok(bytes.freeze())
}

fn error(failure: HttpFailure) -> Error {
    match failure {
        HttpFailure::Denied => Error::HttpRequestDenied,
        HttpFailure::Dns => Error::DnsError {
            rcode: Some("address not available".into()),
            info_code: None,
        },
        HttpFailure::ConnectionRefused => Error::ConnectionRefused,
        HttpFailure::ConnectionTimeout => Error::ConnectionTimeout,
        HttpFailure::Certificate => Error::TlsCertificateError,
        HttpFailure::ResponseTimeout => Error::HttpResponseTimeout,
        HttpFailure::ResponseIncomplete => Error::HttpResponseIncomplete,
    }
}
