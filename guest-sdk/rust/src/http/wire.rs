//! A request over `wasi:http`.

use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{
    ErrorCode, Fields, IncomingResponse, Method, OutgoingBody, OutgoingRequest, RequestOptions,
    Scheme, http_error_code,
};
use wasip2::io::streams::StreamError;

use super::url::{Url, invalid};
use super::{Error, Request, Response};

/// What a body is written in: as much as the host takes at once.
const PIECE: usize = 4096;
/// What a body is read in.
const MOST: u64 = 64 << 10;

/// Sends a request.
pub(crate) fn send(request: &Request) -> Result<Response, Error> {
    let outgoing = head(request, &Url::parse(&request.url)?)?;
    let options = RequestOptions::new();
    if let Some(timeout) = request.timeout {
        let timeout = u64::try_from(timeout.as_nanos()).ok();
        // What the host does not take, its own limits stand for.
        let _ = options.set_connect_timeout(timeout);
        let _ = options.set_first_byte_timeout(timeout);
        let _ = options.set_between_bytes_timeout(timeout);
    }
    let body = match request.body.is_empty() {
        true => None,
        false => Some(outgoing.body().map_err(|()| invalid("it has no body"))?),
    };
    let pending = handle(outgoing, Some(options))?;
    if let Some(body) = body {
        write(body, &request.body)?;
    }
    pending.subscribe().block();
    match pending.get() {
        Some(Ok(response)) => read(&response?),
        _ => Err(Error::Failed("the host gave no response".into())),
    }
}

fn head(request: &Request, url: &Url<'_>) -> Result<OutgoingRequest, Error> {
    let mut headers = request.headers.clone();
    if !request.body.is_empty() {
        let length = request.body.len().to_string();
        headers.push(("content-length".into(), length.into_bytes()));
    }
    let headers =
        Fields::from_list(&headers).map_err(|e| invalid(&format!("its headers: {e:?}")))?;
    let outgoing = OutgoingRequest::new(headers);
    let set = |what: &str, set: Result<(), ()>| set.map_err(|()| invalid(what));
    set("its method", outgoing.set_method(&method(&request.method)))?;
    let scheme = match url.is_https {
        true => Scheme::Https,
        false => Scheme::Http,
    };
    set("its scheme", outgoing.set_scheme(Some(&scheme)))?;
    set("its server", outgoing.set_authority(Some(url.authority)))?;
    set("its path", outgoing.set_path_with_query(Some(url.path)))?;
    Ok(outgoing)
}

fn method(name: &str) -> Method {
    match name {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "DELETE" => Method::Delete,
        "OPTIONS" => Method::Options,
        "PATCH" => Method::Patch,
        other => Method::Other(other.to_owned()),
    }
}

fn write(body: OutgoingBody, bytes: &[u8]) -> Result<(), Error> {
    let stream = body.write().map_err(|()| invalid("its body"))?;
    for piece in bytes.chunks(PIECE) {
        if stream.blocking_write_and_flush(piece).is_err() {
            // The request has ended: its response, or what became of it, says why.
            return Ok(());
        }
    }
    drop(stream);
    Ok(OutgoingBody::finish(body, None)?)
}

fn read(response: &IncomingResponse) -> Result<Response, Error> {
    let status = response.status();
    let headers = response.headers().entries();
    let gone = |()| Error::Failed("its body is gone".into());
    let incoming = response.consume().map_err(gone)?;
    let stream = incoming.stream().map_err(gone)?;
    let mut body = Vec::new();
    loop {
        match stream.blocking_read(MOST) {
            Ok(piece) => body.extend(piece),
            Err(StreamError::Closed) => break,
            Err(StreamError::LastOperationFailed(error)) => {
                return Err(match http_error_code(&error) {
                    Some(code) => code.into(),
                    None => Error::Failed(error.to_debug_string()),
                });
            }
        }
    }
    Ok(Response {
        status,
        headers,
        body,
    })
}

impl From<ErrorCode> for Error {
    fn from(code: ErrorCode) -> Self {
        use ErrorCode as Code;
        let why = format!("{code:?}");
        match code {
            Code::HttpRequestDenied
            | Code::DestinationIpProhibited
            | Code::ConnectionLimitReached
            | Code::HttpRequestHeaderSectionSize(_) => Self::Refused(why),
            Code::DnsTimeout
            | Code::ConnectionTimeout
            | Code::ConnectionReadTimeout
            | Code::ConnectionWriteTimeout
            | Code::HttpResponseTimeout => Self::TimedOut(why),
            Code::HttpRequestMethodInvalid
            | Code::HttpRequestUriInvalid
            | Code::HttpRequestUriTooLong
            | Code::HttpRequestBodySize(_) => Self::Invalid(why),
            _ => Self::Failed(why),
        }
    }
}
