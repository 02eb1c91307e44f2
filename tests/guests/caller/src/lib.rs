//! A hook that sends the requests that the user names, and answers with the responses:
//!
//! - `GET URL`, or any other method;
//! - `POST URL BYTES`: with a body of this size;
//! - `head URL BYTES`: with a header of this size;
//! - `host URL NAME`: with another `host`;
//! - `follow URL`: follows a redirect;
//! - `times URL N`: one after another;
//! - `at-once URL N`: all together;
//! - `leave URL OTHER`: waits not for this response, but for that of the other request;
//! - `within URL MS`: with this time limit for each part;
//! - `key URL`: with its secret `KEY`, in a header and in the path.

use std::time::Duration;

use portcullis_sdk::prelude::*;
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{Fields, FutureIncomingResponse, OutgoingRequest, Scheme};

/// The caller.
pub struct Caller;

#[hook(
    id = "caller",
    description = "Sends the requests that the user names.",
    kind = "test"
)]
impl Caller {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let said = content::text();
        let words: Vec<&str> = said.split_whitespace().collect();
        let text = send(&words).unwrap_or_else(|error| error.to_string());
        Ok(call.transform_text(text))
    }
}

fn send(words: &[&str]) -> HookResult<String> {
    let number = |text: &str| text.parse::<usize>();
    Ok(match words {
        ["head", url, bytes] => {
            let value = "x".repeat(number(bytes)?);
            shown(&http::get(*url).header("x-long", value).send()?)
        }
        ["host", url, name] => shown(&http::get(*url).header("host", name).send()?),
        ["follow", url] => {
            let first = http::get(*url).send()?;
            match first.header("location") {
                Some(next) => shown(&http::get(next).send()?),
                None => shown(&first),
            }
        }
        ["times", url, times] => {
            for _ in 0..number(times)? {
                http::get(*url).send()?;
            }
            "all".to_owned()
        }
        ["at-once", url, times] => {
            let begun: Vec<_> = (0..number(times)?)
                .map(|_| begin(url))
                .collect::<Result<_, _>>()?;
            let ended = begun.iter().map(end);
            ended.collect::<Vec<_>>().join(" ")
        }
        ["leave", url, other] => {
            // Never dropped: the host must end the request.
            std::mem::forget(begin(url)?);
            http::get(*other).send()?;
            "left".to_owned()
        }
        ["within", url, ms] => {
            let timeout = Duration::from_millis(number(ms)? as u64);
            shown(&http::get(*url).timeout(timeout).send()?)
        }
        ["key", url] => {
            let key = secrets::get("KEY").ok_or_else(|| Error::failed("no KEY"))?;
            info!(key = %key, "it is sent");
            let request = http::get(format!("{url}/{key}?{key}")).header("authorization", &key);
            shown(&request.send()?)
        }
        [method, url] => shown(&http::Request::new(*method, *url).send()?),
        [method, url, bytes] => {
            let body = vec![b'x'; number(bytes)?];
            shown(&http::Request::new(*method, *url).body(body).send()?)
        }
        _ => return Err(Error::failed("what shall it send?")),
    })
}

fn shown(response: &http::Response) -> String {
    match response.bytes().len() {
        0..=200 => format!("{} {}", response.status(), response.text()),
        length => format!("{} and {length} bytes", response.status()),
    }
}

/// Sends a request, without waiting for the response.
fn begin(url: &str) -> HookResult<FutureIncomingResponse> {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (server, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let request = OutgoingRequest::new(Fields::new());
    let wrong = |()| Error::failed("no such request");
    request.set_scheme(Some(&Scheme::Http)).map_err(wrong)?;
    request.set_authority(Some(server)).map_err(wrong)?;
    request.set_path_with_query(Some(path)).map_err(wrong)?;
    Ok(handle(request, None)?)
}

fn end(response: &FutureIncomingResponse) -> String {
    response.subscribe().block();
    match response.get() {
        Some(Ok(Ok(response))) => response.status().to_string(),
        Some(Ok(Err(error))) => format!("{error:?}"),
        _ => "nothing".to_owned(),
    }
}
