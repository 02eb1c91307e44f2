//! `[[http]]`: the requests that a hook may send, and their answers.

use std::collections::BTreeMap;

use http::{HeaderName, HeaderValue, Method, StatusCode};
use portcullis::http::HttpFailure;
use portcullis::text::nearest;
use serde_json::{Map, Value};
use url::Url;

use super::CaseError;
use super::source::{Source, unknown_key};
use crate::play::{HttpAnswer, HttpEntry, HttpScript, Pattern, SentBody};

/// The keys of an entry.
pub(super) const KEYS: [&str; 8] = [
    "method", "url", "sent", "times", "status", "headers", "body", "json",
];
/// The key of an error in place of an answer.
pub(super) const ERROR: &str = "error";
/// The keys of `sent`.
pub(super) const SENT: [&str; 3] = ["headers", "body", "json"];

/// Reads the entries. Faults are added to the errors.
pub(super) fn http(source: &Source, errors: &mut Vec<CaseError>) -> HttpScript {
    let in_order = match source.value("http-in-order") {
        None => false,
        Some(Value::Bool(in_order)) => in_order,
        Some(_) => {
            errors.push(source.error(&["http-in-order"], "must be true or false".into()));
            false
        }
    };
    let tables = match source.value("http") {
        None => Vec::new(),
        Some(Value::Array(tables)) => tables,
        Some(_) => {
            let problem = "must be a list of tables; write [[http]] above each";
            errors.push(source.error(&["http"], problem.into()));
            Vec::new()
        }
    };
    let mut entries = Vec::new();
    for (index, table) in tables.into_iter().enumerate() {
        let index = index.to_string();
        let mut read = Read {
            source,
            errors,
            at: &index,
        };
        match table {
            Value::Object(table) => entries.extend(read.entry(table)),
            _ => read.wrong(&[], "must be a table; write [[http]] above it"),
        }
    }
    HttpScript { entries, in_order }
}

/// An entry that is being read.
struct Read<'a> {
    source: &'a Source,
    errors: &'a mut Vec<CaseError>,
    /// Its index.
    at: &'a str,
}

impl Read<'_> {
    fn wrong(&mut self, keys: &[&str], problem: impl Into<String>) {
        let keys = [&["http", self.at], keys].concat();
        self.errors.push(self.source.error(&keys, problem.into()));
    }

    fn entry(&mut self, mut table: Map<String, Value>) -> Option<HttpEntry> {
        let known: Vec<&str> = KEYS.into_iter().chain([ERROR]).collect();
        self.unknown(&[], &table, &known);
        let url = self.url(&table);
        let method = self.method(&table);
        let times = table.remove("times").and_then(|times| {
            let count = times.as_u64();
            if count.is_none() {
                self.wrong(
                    &["times"],
                    "must be a whole number, 0 or more; write times = 1",
                );
            }
            count
        });
        let (headers, body) = self.sent(&mut table);
        let answer = self.answer(&mut table);
        Some(HttpEntry {
            line: self.source.line_of(&["http", self.at]),
            method,
            url: url?,
            headers,
            body,
            times,
            answer: answer?,
        })
    }

    fn unknown(&mut self, at: &[&str], table: &Map<String, Value>, known: &[&str]) {
        for key in table.keys().filter(|key| !known.contains(&key.as_str())) {
            self.wrong(&[at, &[key.as_str()]].concat(), unknown_key(key, known));
        }
    }

    fn url(&mut self, table: &Map<String, Value>) -> Option<Pattern> {
        let Some(url) = table.get("url").and_then(Value::as_str) else {
            let problem = "must name a URL; write url = \"https://api.example.com/v1/*\"";
            self.wrong(&["url"], problem);
            return None;
        };
        let plain = plain(url);
        if plain.is_none() {
            let problem = "must begin with the server in full, such as https://api.example.com/; `*` stands for any text in the path and in the query";
            self.wrong(&["url"], problem);
        }
        plain.map(Pattern)
    }

    fn method(&mut self, table: &Map<String, Value>) -> Option<String> {
        let method = table.get("method")?;
        let text = method.as_str().unwrap_or_default();
        let known = text == text.to_ascii_uppercase() && Method::try_from(text).is_ok();
        if !known {
            self.wrong(&["method"], "must be a method, such as \"GET\" or \"POST\"");
        }
        known.then(|| text.to_owned())
    }

    /// Reads the required headers and the required body of the request.
    fn sent(
        &mut self,
        table: &mut Map<String, Value>,
    ) -> (BTreeMap<String, Pattern>, Option<SentBody>) {
        let mut sent = match table.remove("sent") {
            None => Map::new(),
            Some(Value::Object(sent)) => sent,
            Some(_) => {
                self.wrong(&["sent"], "must be a table; write sent.body = \"…\"");
                Map::new()
            }
        };
        self.unknown(&["sent"], &sent, &SENT);
        let headers = self.headers(&["sent", "headers"], sent.remove("headers"));
        let headers = headers
            .into_iter()
            .map(|(name, value)| (name.to_ascii_lowercase(), Pattern(value)))
            .collect();
        let body = match (sent.remove("body"), sent.remove("json")) {
            (Some(_), Some(_)) => {
                self.wrong(
                    &["sent", "json"],
                    "cannot stand beside `sent.body`; keep one",
                );
                None
            }
            (Some(Value::String(body)), None) => Some(SentBody::Text(Pattern(body))),
            (Some(_), None) => {
                self.wrong(
                    &["sent", "body"],
                    "must be a text; use `sent.json` for a table",
                );
                None
            }
            (None, json) => json.map(SentBody::Json),
        };
        (headers, body)
    }

    fn headers(&mut self, at: &[&str], value: Option<Value>) -> Vec<(String, String)> {
        let entries = match value {
            None => return Vec::new(),
            Some(Value::Object(entries)) => entries,
            Some(_) => {
                self.wrong(at, "must be a table of texts");
                return Vec::new();
            }
        };
        let mut headers = Vec::new();
        for (name, value) in entries {
            let text = value
                .as_str()
                .filter(|text| HeaderValue::try_from(*text).is_ok());
            match text {
                Some(text) if HeaderName::try_from(name.as_str()).is_ok() => {
                    headers.push((name, text.to_owned()));
                }
                _ => self.wrong(
                    &[at, &[&name]].concat(),
                    "must be a header's name and its text",
                ),
            }
        }
        headers
    }

    fn answer(&mut self, table: &mut Map<String, Value>) -> Option<HttpAnswer> {
        if let Some(error) = table.remove(ERROR) {
            for key in ["status", "headers", "body", "json"] {
                if table.contains_key(key) {
                    self.wrong(
                        &[key],
                        "cannot stand beside `error`: there is no response then",
                    );
                }
            }
            return self.failure(&error).map(HttpAnswer::Failure);
        }
        let status = match table.remove("status") {
            None => 200,
            Some(status) => {
                let status = status
                    .as_u64()
                    .and_then(|status| u16::try_from(status).ok());
                let status = status.filter(|status| {
                    (200..600).contains(status) && StatusCode::from_u16(*status).is_ok()
                });
                if status.is_none() {
                    self.wrong(&["status"], "must be a status from 200 to 599");
                }
                status?
            }
        };
        let mut headers = self.headers(&["headers"], table.remove("headers"));
        let body = match (table.remove("body"), table.remove("json")) {
            (Some(_), Some(_)) => {
                self.wrong(&["json"], "cannot stand beside `body`; keep one");
                return None;
            }
            (Some(Value::String(body)), None) => body.into_bytes(),
            (Some(_), None) => {
                self.wrong(&["body"], "must be a text; use `json` for a table");
                return None;
            }
            (None, None) => Vec::new(),
            (None, Some(json)) => {
                let names =
                    |(name, _): &(String, String)| name.eq_ignore_ascii_case("content-type");
                if !headers.iter().any(names) {
                    headers.push(("content-type".into(), "application/json".into()));
                }
                json.to_string().into_bytes()
            }
        };
        Some(HttpAnswer::Response {
            status,
            headers,
            body,
        })
    }

    fn failure(&mut self, error: &Value) -> Option<HttpFailure> {
        let name = error.as_str().unwrap_or_default();
        let failure = HttpFailure::from_name(name);
        if failure.is_none() {
            let names = HttpFailure::ALL.map(HttpFailure::name);
            let hint = match nearest(name, names.into_iter()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are: {}", names.join(", ")),
            };
            self.wrong(&[ERROR], format!("is not a way to fail; {hint}"));
        }
        failure
    }
}

/// Returns the scheme, the host and the port of an entry's URL.
pub(crate) fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + "://".len();
    let end = host + url.get(host..)?.find('/')?;
    url.get(..end)
}

/// Returns a URL in the form of requests: a complete server, in lower case and without the scheme's
/// default port, and a path, at least `/`.
fn plain(url: &str) -> Option<String> {
    let after = ["https://", "http://"]
        .into_iter()
        .find_map(|scheme| url.strip_prefix(scheme))?;
    let authority = after.split(['/', '?']).next()?;
    let rest = after.strip_prefix(authority)?;
    if authority.is_empty() || authority.contains(['*', '@', '#']) {
        return None;
    }
    let server = Url::parse(url.strip_suffix(rest)?).ok()?;
    let server = server.origin().ascii_serialization();
    let slash = if rest.starts_with('/') { "" } else { "/" };
    Some(format!("{server}{slash}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_as_requests_have_them() {
        for (url, wanted) in [
            (
                "https://API.example.com:443/v1/*",
                Some("https://api.example.com/v1/*"),
            ),
            ("https://api.example.com", Some("https://api.example.com/")),
            ("http://[::1]:8080?q=*", Some("http://[::1]:8080/?q=*")),
            ("http://localhost:80/a?B=*", Some("http://localhost/a?B=*")),
            ("https://*.example.com/", None),
            ("https://a@example.com/", None),
            ("https:///a", None),
            ("api.example.com/", None),
        ] {
            let plain = plain(url);
            assert_eq!(plain.as_deref(), wanted, "{url}");
            let server =
                wanted.and_then(|url| Some(url.rsplit_once('/')?.0.trim_end_matches("/v1")));
            assert_eq!(plain.as_deref().and_then(origin), server, "{url}");
        }
    }
}
