//! Records requests and their responses while they are transferred.

use std::pin::Pin;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use wasmtime_wasi_http::{Error, WasiBody};

use super::exchange::Driver;
use super::{Sending, head};
use crate::model::http_responder::HttpFailure;
use crate::model::recording::{Exchanged, SharedExchange, WorldRequest, WorldResponse};
use crate::sandbox::tape::Reel;

/// Records a request, and its body while it is sent.
pub(super) fn request(
    request: Request<WasiBody>,
    reel: &Arc<Reel>,
) -> (Request<WasiBody>, Option<SharedExchange>) {
    let address = head(&request);
    let exchange = reel.sends(WorldRequest {
        method: request.method().to_string(),
        url: address.uri().to_string(),
        headers: headers(request.headers()),
        ..WorldRequest::default()
    });
    let kept = exchange.clone();
    let request = request.map(|inner| passing(inner, kept, Side::Sent));
    (request, Some(exchange))
}

/// Records the response to a request.
pub(super) async fn response(
    sending: Sending,
    exchange: SharedExchange,
) -> Result<
    (
        Response<WasiBody>,
        Box<dyn Future<Output = Result<(), Error>> + Send>,
    ),
    Error,
> {
    match Box::into_pin(sending).await {
        Err(error) => {
            hold(&exchange).request.failure = Some(failure(&error).name().to_owned());
            Err(error)
        }
        Ok((response, driver)) => {
            hold(&exchange).request.response = Some(WorldResponse {
                status: response.status().as_u16(),
                headers: headers(response.headers()),
                ..WorldResponse::default()
            });
            let response = response.map(|inner| passing(inner, exchange, Side::Received));
            let driver: Driver = driver;
            Ok((response, driver))
        }
    }
}

fn headers(map: &HeaderMap) -> Vec<(String, String)> {
    let headers = map.iter();
    headers
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.to_string(), value.into_owned())
        })
        .collect()
}

/// Returns the failure that a replayed request reports for this error.
fn failure(error: &Error) -> HttpFailure {
    match error {
        Error::HttpRequestDenied | Error::DestinationIpProhibited => HttpFailure::Denied,
        Error::DnsError { .. } | Error::DnsTimeout => HttpFailure::Dns,
        Error::ConnectionRefused => HttpFailure::ConnectionRefused,
        Error::ConnectionTimeout => HttpFailure::ConnectionTimeout,
        Error::TlsCertificateError => HttpFailure::Certificate,
        Error::HttpResponseTimeout | Error::ConnectionReadTimeout => HttpFailure::ResponseTimeout,
        _ => HttpFailure::ResponseIncomplete,
    }
}

fn hold(exchange: &SharedExchange) -> MutexGuard<'_, Exchanged> {
    exchange.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy)]
enum Side {
    Sent,
    Received,
}

/// A body whose pieces are recorded while they are transferred.
struct PassingBody {
    inner: WasiBody,
    exchange: SharedExchange,
    side: Side,
}

fn passing(inner: WasiBody, exchange: SharedExchange, side: Side) -> WasiBody {
    let body = PassingBody {
        inner,
        exchange,
        side,
    };
    body.boxed_unsync()
}

impl Body for PassingBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        let polled = Pin::new(&mut this.inner).poll_frame(cx);
        if let Poll::Ready(Some(frame)) = &polled {
            let mut exchange = hold(&this.exchange);
            let passing = match this.side {
                Side::Sent => &mut exchange.sent,
                Side::Received => &mut exchange.received,
            };
            match frame {
                Ok(frame) => {
                    if let Some(piece) = frame.data_ref() {
                        passing.add(piece);
                    }
                }
                Err(_) => passing.breaks(),
            }
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
