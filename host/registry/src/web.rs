//! Requests whose answers are bounded in bytes and time.

use std::time::Duration;

use reqwest::header::{ACCEPT, WWW_AUTHENTICATE};
use reqwest::{Client, ClientBuilder, RequestBuilder, StatusCode, redirect};
use url::Url;

use crate::error::Error;
use crate::reference::is_loopback;

/// How long a server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(15);
/// How long it may send nothing.
const SILENCE: Duration = Duration::from_secs(30);
/// How long all of an answer may take.
const WHOLE: Duration = Duration::from_secs(600);
/// How many redirects are followed.
const REDIRECTS: usize = 5;

/// How many bytes came, and how many are expected, if that is known.
pub(crate) type Progress<'a> = &'a (dyn Fn(u64, Option<u64>) + Sync);

/// A client for servers that nobody vouches for.
#[derive(Debug, Clone)]
pub(crate) struct Web {
    /// For other machines, through the proxy of the environment.
    away: Client,
    /// For this machine, where nothing is encrypted: a proxy could read and change it.
    here: Client,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// What it asks for instead of answering.
    pub(crate) challenges: Vec<String>,
    pub(crate) body: Vec<u8>,
}

impl Web {
    pub(crate) fn new() -> Result<Self, Error> {
        let client = |builder: ClientBuilder| {
            let built = builder
                .connect_timeout(CONNECT)
                .read_timeout(SILENCE)
                .timeout(WHOLE)
                .redirect(redirect::Policy::custom(follow))
                // An address may be a secret: registries redirect to some that are signed.
                .referer(false)
                .build();
            built.map_err(|error| Error::Server {
                url: "the HTTP client".into(),
                why: chain(&error),
            })
        };
        Ok(Self {
            away: client(Client::builder())?,
            here: client(Client::builder().no_proxy())?,
        })
    }

    pub(crate) fn get(&self, url: &Url, accept: &str) -> RequestBuilder {
        let client = match is_loopback(url) {
            true => &self.here,
            false => &self.away,
        };
        client.get(url.clone()).header(ACCEPT, accept)
    }
}

/// Sends a request, and reads at most so many bytes of the answer.
pub(crate) async fn send(
    request: RequestBuilder,
    most: u64,
    progress: Progress<'_>,
) -> Result<Answer, Error> {
    let failed = |error: reqwest::Error| Error::Server {
        url: error.url().map_or_else(|| "the server".into(), shown),
        why: chain(&error),
    };
    let mut response = request.send().await.map_err(failed)?;
    let url = shown(response.url());
    let too_large = || Error::TooLarge {
        what: url.clone(),
        most,
    };
    let expected = response.content_length();
    if expected.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let challenges = response.headers().get_all(WWW_AUTHENTICATE).iter();
    let challenges = challenges.filter_map(|value| Some(value.to_str().ok()?.to_owned()));
    let challenges = challenges.collect();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if (body.len() + chunk.len()) as u64 > most {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
        progress(body.len() as u64, expected);
    }
    Ok(Answer {
        status: response.status(),
        challenges,
        body,
    })
}

/// An address without what it asks: registries redirect to addresses that are signed for a while.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    portcullis::text::sanitize_for_terminal(url.as_str())
}

/// An error with its causes: reqwest's own text leaves out why a connection failed.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let said = next.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = next.source();
    }
    portcullis::text::sanitize_for_terminal(&text)
}

/// Whether nobody else can read or change what is sent to an address that another one leads to.
pub(crate) fn is_safe(from: &Url, to: &Url) -> bool {
    to.scheme() == "https" || (is_loopback(from) && is_loopback(to))
}

fn follow(attempt: redirect::Attempt<'_>) -> redirect::Action {
    let first = attempt.previous().first();
    if !first.is_some_and(|first| is_safe(first, attempt.url())) {
        return attempt.error("it redirects to an address without encryption");
    }
    match attempt.previous().len() > REDIRECTS {
        true => attempt.error("it redirects too often"),
        false => attempt.follow(),
    }
}
