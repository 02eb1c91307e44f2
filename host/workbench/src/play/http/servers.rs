//! Answers requests from the entries of a case, and records the requests.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use portcullis::http::{HttpFailure, HttpResponder};
use portcullis::secrets::Secrets;
use portcullis::trace::TraceEventKind;
use serde_json::{Map, Value, json};

use super::{HttpAnswer, HttpEntry, HttpScript};
use crate::play::Record;

/// Servers with the answers of a case.
pub(in crate::play) struct ScriptedServers {
    script: HttpScript,
    secrets: Secrets,
    record: Arc<Record>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// The number of requests that each entry has answered.
    counts: Vec<u64>,
    /// The entry that answered last, if the order matters.
    last: usize,
    requests: Vec<Value>,
    problems: Vec<String>,
}

impl ScriptedServers {
    pub(in crate::play) fn new(script: HttpScript, secrets: Secrets, record: Arc<Record>) -> Self {
        let counts = vec![0; script.entries.len()];
        let seen = Seen {
            counts,
            ..Seen::default()
        };
        Self {
            script,
            secrets,
            record,
            seen: Mutex::new(seen),
        }
    }

    /// Takes the requests since the last call.
    pub(in crate::play) fn take_requests(&self) -> Vec<Value> {
        std::mem::take(&mut self.seen().requests)
    }

    /// Takes the descriptions of requests that differ from the entries.
    pub(in crate::play) fn take_problems(&self) -> Vec<String> {
        let mut seen = self.seen();
        let mut problems = std::mem::take(&mut seen.problems);
        for (index, (entry, count)) in self.script.entries.iter().zip(&seen.counts).enumerate() {
            let wanted = match entry.times {
                Some(times) if times != *count => format!("be requested {}", counted(times)),
                None if *count == 0 => "be requested".to_owned(),
                _ => continue,
            };
            problems.push(format!(
                "{} ({} {}) was to {wanted}, and was requested {}",
                entry.name(index),
                entry.method.as_deref().unwrap_or("any method,"),
                self.secrets.redact(&entry.url.0),
                counted(*count)
            ));
        }
        problems
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // The lists are intact even after a panic elsewhere.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the entry that answers a request.
    fn choose(&self, seen: &Seen, request: &Request<Bytes>) -> Option<usize> {
        let open = |index: usize, entry: &HttpEntry| {
            entry
                .times
                .is_none_or(|times| seen.counts.get(index).is_some_and(|count| *count < times))
        };
        let fits = |(index, entry): &(usize, &HttpEntry)| {
            open(*index, entry) && entry.differences(request).is_empty()
        };
        let mut entries = self.script.entries.iter().enumerate();
        if !self.script.in_order {
            return Some(entries.find(fits)?.0);
        }
        for (index, entry) in entries.skip(seen.last) {
            if fits(&(index, entry)) {
                return Some(index);
            }
            let count = seen.counts.get(index).copied().unwrap_or_default();
            if !entry.is_done(count) {
                return None;
            }
        }
        None
    }

    /// Returns the first entry that still needs a request, if the order matters.
    fn due(&self, seen: &Seen) -> Option<(usize, &HttpEntry)> {
        let entries = self.script.entries.iter().zip(&seen.counts).enumerate();
        let mut left = entries.skip(seen.last);
        let (index, (entry, _)) = left.find(|(_, (entry, count))| !entry.is_done(**count))?;
        self.script.in_order.then_some((index, entry))
    }

    /// Returns the report of an unanswered request.
    fn unanswered(&self, seen: &Seen, request: &Request<Bytes>) -> String {
        let asked = format!("{} {}", request.method(), request.uri());
        let write = format!(
            "write [[http]], method = \"{}\", url = \"{}\", status = 200",
            request.method(),
            request.uri()
        );
        let mut near: Vec<_> = self
            .script
            .entries
            .iter()
            .enumerate()
            .map(|(index, entry)| (entry.differences(request), entry.name(index), index))
            .collect();
        near.sort_by_key(|(differences, ..)| differences.len());
        let why = match near.first() {
            None => "which no entry of `[[http]]` answers".to_owned(),
            Some((differences, name, index)) if differences.is_empty() => {
                match self.due(seen).filter(|(due, _)| due != index) {
                    Some((due, entry)) => {
                        let due = entry.name(due);
                        return format!(
                            "the hook sent {asked}, which {name} answers; `http-in-order` is set, and {due} is due"
                        );
                    }
                    None if self.script.in_order => {
                        format!("which {name} answers no more: all entries have been requested")
                    }
                    None => format!("which {name} answers no more: its `times` are used up"),
                }
            }
            Some((differences, name, _)) => format!(
                "which no entry of `[[http]]` answers; the nearest is {name}: {}",
                differences.join(", ")
            ),
        };
        format!("the hook sent {asked}, {why}; {write}")
    }

    /// Returns a request in the form that cases compare.
    fn described<B>(&self, request: &Request<B>, body: &[u8]) -> Map<String, Value> {
        let mut record = Map::new();
        let mut put = |key: &str, value: Value| drop(record.insert(key.into(), value));
        put("method", request.method().as_str().into());
        put(
            "url",
            self.secrets.redact(&request.uri().to_string()).into(),
        );
        let headers = self.headers(request.headers());
        if !headers.is_empty() {
            put("headers", headers.into());
        }
        // Parsed before redaction, because JSON may contain a secret with escapes.
        match serde_json::from_slice::<Value>(body) {
            Ok(json @ (Value::Object(_) | Value::Array(_))) => {
                put("json", self.secrets.redact_json(json));
            }
            _ if body.is_empty() => {}
            _ => put(
                "body",
                self.secrets.redact(&String::from_utf8_lossy(body)).into(),
            ),
        }
        record
    }

    fn push(&self, seen: &mut Seen, record: Map<String, Value>) {
        let request = Value::from(record);
        let what = TraceEventKind::Request {
            request: request.clone(),
        };
        self.record.trace(|tracer| tracer.note(what));
        seen.requests.push(request);
    }

    fn headers(&self, headers: &HeaderMap) -> Map<String, Value> {
        let names = headers.keys().map(|name| {
            let values = headers.get_all(name).iter();
            let texts: Vec<_> = values
                .map(|value| String::from_utf8_lossy(value.as_bytes()))
                .collect();
            (
                name.to_string(),
                self.secrets.redact(&texts.join(", ")).into(),
            )
        });
        names.collect()
    }
}

impl HttpResponder for ScriptedServers {
    fn respond(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpFailure> {
        let mut record = self.described(&request, request.body());
        let mut seen = self.seen();
        let chosen = self.choose(&seen, &request);
        let answer = match chosen {
            None => {
                let problem = self
                    .secrets
                    .redact(&self.unanswered(&seen, &request))
                    .into_owned();
                seen.problems.push(problem);
                Err(HttpFailure::Denied)
            }
            Some(index) => {
                seen.last = index;
                if let Some(count) = seen.counts.get_mut(index) {
                    *count += 1;
                }
                let answer = self.script.entries.get(index).map(|entry| &entry.answer);
                answer.map_or(Err(HttpFailure::Denied), response)
            }
        };
        let (key, value) = match &answer {
            Ok(response) => ("status", json!(response.status().as_u16())),
            Err(failure) => ("error", json!(failure.name())),
        };
        record.insert(key.into(), value);
        self.push(&mut seen, record);
        answer
    }

    fn refused(&self, request: Request<()>, why: &'static str) {
        let mut record = self.described(&request, &[]);
        record.insert("error".into(), HttpFailure::Denied.name().into());
        let mut seen = self.seen();
        let request = request.map(|()| Bytes::new());
        let method = request.method();
        let problem = match self.script.entries.iter().any(|entry| {
            entry
                .method
                .as_ref()
                .is_none_or(|wanted| method == wanted.as_str())
                && entry.url.fits(&request.uri().to_string())
        }) {
            true => format!(
                "the hook sent {method} {}, which it may not: {why}; add it to its grants: http = [\"{method} {}\"]",
                request.uri(),
                origin(&request)
            ),
            false => format!("{} ({why})", self.unanswered(&seen, &request)),
        };
        let problem = self.secrets.redact(&problem).into_owned();
        seen.problems.push(problem);
        self.push(&mut seen, record);
    }
}

fn origin(request: &Request<Bytes>) -> String {
    let uri = request.uri();
    let authority = uri.authority().map(|authority| authority.as_str());
    format!(
        "{}://{}",
        uri.scheme_str().unwrap_or("https"),
        authority.unwrap_or_default()
    )
}

fn response(answer: &HttpAnswer) -> Result<Response<Bytes>, HttpFailure> {
    match answer {
        HttpAnswer::Failure(failure) => Err(*failure),
        HttpAnswer::Response {
            status,
            headers,
            body,
        } => {
            let mut response = Response::builder().status(*status);
            for (name, value) in headers {
                response = response.header(name, value);
            }
            // Checked when the case was parsed.
            response
                .body(body.clone().into())
                .map_err(|_| HttpFailure::ResponseIncomplete)
        }
    }
}

fn counted(times: u64) -> String {
    match times {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        times => format!("{times} times"),
    }
}
