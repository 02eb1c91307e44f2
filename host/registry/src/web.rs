//! Requests whose answers are bounded in bytes and time.

use std::time::Duration;

use portcullis::ErrorReport;
use portcullis::settings::is_loopback;
use reqwest::header::{ACCEPT, LINK, WWW_AUTHENTICATE};
use reqwest::{Client, ClientBuilder, RequestBuilder, StatusCode, redirect};
use url::Url;

use crate::error::Error;

/// The most time that a server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(15);
/// The most time between two reads of an answer.
const SILENCE: Duration = Duration::from_secs(30);
/// The most time that a whole answer may take.
pub(crate) const WHOLE: Duration = Duration::from_secs(600);
/// The most redirects that are followed.
const REDIRECTS: usize = 5;

/// The bytes received, and the bytes expected, if known.
pub(crate) type Progress<'a> = &'a (dyn Fn(u64, Option<u64>) + Sync);

/// A client for servers that are not trusted.
#[derive(Debug, Clone)]
pub(crate) struct Web {
    /// The client for other machines, through the environment's proxy.
    away: Client,
    /// The client for this machine, without encryption: a proxy could read and change it.
    here: Client,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// The challenges that the server sent instead of an answer.
    pub(crate) challenges: Vec<String>,
    /// The address at which a partial list continues.
    pub(crate) next: Option<Url>,
    /// Empty unless it succeeded.
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Returns whether the server has nothing there, or nothing for this client.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(
            self.status,
            StatusCode::NOT_FOUND | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN
        )
    }

    /// Returns the body of a successful answer. `what` names the request's target.
    pub(crate) fn found(self, what: &str) -> Result<Vec<u8>, Error> {
        match self.status {
            status if status.is_success() => Ok(self.body),
            _ if self.is_missing() => Err(Error::NotFound(what.to_owned())),
            status => Err(Error::Server {
                url: what.to_owned(),
                why: format!("the server answers {status}"),
            }),
        }
    }
}

impl Web {
    pub(crate) fn new() -> Result<Self, Error> {
        let client = |builder: ClientBuilder| {
            let built = builder
                .connect_timeout(CONNECT)
                .read_timeout(SILENCE)
                .timeout(WHOLE)
                .redirect(redirect::Policy::custom(follow))
                // An address may be a secret: some redirects of registries lead to signed addresses.
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

/// Sends a request, and reads at most `most` bytes of the answer. The body of an unsuccessful answer is not read.
pub(crate) async fn send(
    request: RequestBuilder,
    most: u64,
    progress: Progress<'_>,
) -> Result<Answer, Error> {
    let failed = |error: reqwest::Error| Error::Server {
        url: error.url().map_or_else(|| "the server".into(), shown),
        // The error's own text would contain the whole address, with the query.
        why: chain(&error.without_url()),
    };
    let mut response = request.send().await.map_err(failed)?;
    let url = shown(response.url());
    let too_large = || Error::TooLarge {
        what: url.clone(),
        most,
    };
    let challenges = response.headers().get_all(WWW_AUTHENTICATE).iter();
    let challenges = challenges.filter_map(|value| Some(value.to_str().ok()?.to_owned()));
    let challenges = challenges.collect();
    let mut links = response.headers().get_all(LINK).iter();
    let next = links.find_map(|link| next(response.url(), link.to_str().ok()?));
    let status = response.status();
    let mut body = Vec::new();
    if !status.is_success() {
        return Ok(Answer {
            status,
            challenges,
            next,
            body,
        });
    }
    let expected = response.content_length();
    if expected.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if (body.len() + chunk.len()) as u64 > most {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
        progress(body.len() as u64, expected);
    }
    Ok(Answer {
        status,
        challenges,
        next,
        body,
    })
}

/// Returns the address of the next page, in the one form that registries use: `<ADDRESS>;
/// rel="next"`.
fn next(page: &Url, link: &str) -> Option<Url> {
    let (address, rest) = link.trim_start().strip_prefix('<')?.split_once('>')?;
    let is_next = rest.split([';', ',']).any(|part| {
        let part = part.trim();
        part == "rel=\"next\"" || part == "rel=next"
    });
    is_next.then(|| page.join(address).ok()).flatten()
}

/// Returns an address without its query and without a password: registries redirect to signed
/// addresses, which are valid for some time.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    // This fails only for an address that can have neither.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    portcullis::text::sanitize_for_terminal(url.as_str())
}

/// Returns an error with its causes: reqwest's own text leaves out why a connection failed.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    portcullis::text::sanitize_for_terminal(&ErrorReport::line(error))
}

/// Returns whether an address may redirect to another one: no third party can read or change the
/// request, and no remote server can direct a request to this machine.
pub(crate) fn is_safe(from: &Url, to: &Url) -> bool {
    let stays_as_it_was = to.scheme() == "https" || from.scheme() == "http";
    match is_loopback(to) {
        true => is_loopback(from) && stays_as_it_was,
        false => to.scheme() == "https",
    }
}

fn follow(attempt: redirect::Attempt<'_>) -> redirect::Action {
    let last = attempt.previous().last();
    if !last.is_some_and(|last| is_safe(last, attempt.url())) {
        return attempt.error(
            "it redirects to an address without encryption, or from another machine to this one",
        );
    }
    match attempt.previous().len() > REDIRECTS {
        true => attempt.error("it redirects too often"),
        false => attempt.follow(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_of_a_redirect_stays_encrypted_and_off_this_machine() {
        for (from, to, is) in [
            ("https://a.example/", "https://b.example/", true),
            ("https://a.example/", "http://b.example/", false),
            ("http://localhost/", "http://127.0.0.1:9/", true),
            ("http://localhost/", "https://localhost/", true),
            ("http://localhost/", "https://a.example/", true),
            ("http://localhost/", "http://a.example/", false),
            ("https://localhost/", "http://localhost/", false),
            ("https://a.example/", "http://127.0.0.1:9999/x", false),
            ("https://a.example/", "https://localhost/", false),
        ] {
            let url = |text: &str| Url::parse(text).unwrap();
            assert_eq!(is_safe(&url(from), &url(to)), is, "{from} {to}");
        }
    }

    #[test]
    fn nothing_secret_of_an_address_is_shown() {
        let url = Url::parse("https://me:secret@example.com/a?X-Amz-Signature=s").unwrap();
        assert_eq!(shown(&url), "https://example.com/a");
    }

    #[test]
    fn a_list_continues_where_its_link_leads() {
        let page = Url::parse("https://example.com/v2/a/referrers/x").unwrap();
        for (link, leads) in [
            (
                "</v2/a/referrers/x?last=b>; rel=\"next\"",
                Some("https://example.com/v2/a/referrers/x?last=b"),
            ),
            ("</v2/a>; rel=\"prev\"", None),
            ("/v2/a; rel=\"next\"", None),
        ] {
            let found = next(&page, link);
            assert_eq!(found.as_ref().map(Url::as_str), leads, "{link}");
        }
    }
}
