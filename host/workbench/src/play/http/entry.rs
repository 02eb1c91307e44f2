//! A request that a case expects, and its answer.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::Request;
use portcullis::http::HttpFailure;
use serde_json::Value;

use super::Pattern;

/// An expected request, and its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpEntry {
    /// The line of the case's file, counted from 1.
    pub line: Option<usize>,
    /// The method; `None` for any.
    pub method: Option<String>,
    /// The URL.
    pub url: Pattern,
    /// Headers that the request must have, by their names in lower case.
    pub headers: BTreeMap<String, Pattern>,
    /// The required body; `None` for any.
    pub body: Option<SentBody>,
    /// The number of requests that the entry answers; `None` for one or more.
    pub times: Option<u64>,
    /// The answer.
    pub answer: HttpAnswer,
}

/// The required body of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum SentBody {
    /// This text.
    Text(Pattern),
    /// JSON with at least these keys and values in each object.
    Json(Value),
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum HttpAnswer {
    /// A response.
    Response {
        /// The status.
        status: u16,
        /// The headers.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// No response.
    Failure(HttpFailure),
}

impl HttpEntry {
    /// Returns descriptions of a request's differences; empty if the request fits.
    pub(super) fn differences(&self, request: &Request<Bytes>) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(method) = &self.method
            && request.method() != method.as_str()
        {
            found.push(format!("its `method` is {method}"));
        }
        if !self.url.fits(&request.uri().to_string()) {
            found.push(format!("its `url` is {}", self.url.0));
        }
        for (name, wanted) in &self.headers {
            let values = request.headers().get_all(name).iter();
            let fits = values
                .filter_map(|value| value.to_str().ok())
                .any(|value| wanted.fits(value));
            if !fits {
                found.push(format!("its `sent.headers.{name}` is `{}`", wanted.0));
            }
        }
        match &self.body {
            Some(SentBody::Text(wanted))
                if !wanted.fits(&String::from_utf8_lossy(request.body())) =>
            {
                found.push(format!("its `sent.body` is `{}`", wanted.0));
            }
            Some(SentBody::Json(wanted)) => {
                let sent = serde_json::from_slice(request.body()).ok();
                if !sent.is_some_and(|sent: Value| holds(&sent, wanted)) {
                    found.push(format!("its `sent.json` is {wanted}"));
                }
            }
            _ => {}
        }
        found
    }

    /// Returns the entry's name in messages.
    pub(super) fn name(&self, index: usize) -> String {
        let line = self.line.map(|line| format!(" in line {line}"));
        format!(
            "entry {} of `[[http]]`{}",
            index + 1,
            line.unwrap_or_default()
        )
    }

    /// Returns whether the entry has answered enough requests.
    pub(super) fn is_done(&self, count: u64) -> bool {
        count >= self.times.unwrap_or(1)
    }
}

/// Returns whether a value contains everything that another one names. Lists are compared item by
/// item.
fn holds(sent: &Value, wanted: &Value) -> bool {
    match (sent, wanted) {
        (Value::Object(sent), Value::Object(wanted)) => wanted
            .iter()
            .all(|(key, wanted)| sent.get(key).is_some_and(|sent| holds(sent, wanted))),
        (Value::Array(sent), Value::Array(wanted)) => {
            sent.len() == wanted.len() && sent.iter().zip(wanted).all(|(a, b)| holds(a, b))
        }
        (sent, wanted) => crate::case::same(sent, wanted),
    }
}
