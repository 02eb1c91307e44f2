//! Requests over `wasi:http`.

use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{
    ErrorCode, Fields, IncomingResponse, Method, OutgoingBody, OutgoingRequest, RequestOptions,
    Scheme, http_error_code,
};
use wasip2::io::streams::StreamError;

use super::failures;
use super::url::{Url, invalid};
use super::{Error, Request, Response};

/// The size of the pieces in which a body is written: as much as the host takes at once.
const PIECE: usize = 4096;
/// The size of the pieces in which a body is read.
const MOST: u64 = 64 << 10;

/// The reason why there is no response: a code from the host, or an error of this module.
enum Fault {
    Code(ErrorCode),
    Known(Error),
}

impl From<ErrorCode> for Fault {
    fn from(code: ErrorCode) -> Self {
        Self::Code(code)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Known(error)
    }
}

/// Sends a request.
pub(crate) fn send(request: &Request) -> Result<Response, Error> {
    let url = Url::parse(&request.url)?;
    exchange(request, &url).map_err(|fault| match fault {
        Fault::Code(code) => failure(&request.method, &url, &code),
        Fault::Known(error) => error,
    })
}

fn exchange(request: &Request, url: &Url<'_>) -> Result<Response, Fault> {
    let outgoing = head(request, url)?;
    let options = RequestOptions::new();
    if let Some(timeout) = request.timeout {
        let timeout = u64::try_from(timeout.as_nanos()).ok();
        // If the host does not accept a timeout, its own limits apply.
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
        _ => Err(Error::Failed("the host gave no response".into()).into()),
    }
}

fn head(request: &Request, url: &Url<'_>) -> Result<OutgoingRequest, Error> {
    let mut headers = request.headers.clone();
    if !request.body.is_empty() {
        let length = request.body.len().to_string();
        headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-length"));
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

fn write(body: OutgoingBody, bytes: &[u8]) -> Result<(), Fault> {
    let stream = body.write().map_err(|()| invalid("its body"))?;
    for piece in bytes.chunks(PIECE) {
        if stream.blocking_write_and_flush(piece).is_err() {
            // The request has ended: the response or the error says why.
            return Ok(());
        }
    }
    drop(stream);
    Ok(OutgoingBody::finish(body, None)?)
}

fn read(response: &IncomingResponse) -> Result<Response, Fault> {
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
                    None => Error::Failed(error.to_debug_string()).into(),
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

/// Returns the error for the host's code. The message names the request by its method and its server alone: the rest of
/// the URL may be secret.
fn failure(method: &str, url: &Url<'_>, code: &ErrorCode) -> Error {
    let server = url.authority.rsplit('@').next().unwrap_or_default();
    let scheme = if url.is_https { "https" } else { "http" };
    let request = format!("{method} {scheme}://{server}");
    let (error, words, said) = failures::of(code);
    let said = said.map(|said| format!(": {said}")).unwrap_or_default();
    error(format!(
        "{request}: {}{said}",
        words.replace("{}", &request)
    ))
}
