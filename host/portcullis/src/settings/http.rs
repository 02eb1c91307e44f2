//! `[http]`, `grants.http` and the limits of requests.

use std::path::PathBuf;
use std::time::Duration;

use super::check::{Check, MOST_CALLS};
use super::file;
use crate::model::limits::HttpLimits;
use crate::sandbox::capabilities::HttpRule;

/// What holds for all requests of hooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpSettings {
    /// Files of certificates (PEM) of authorities that are believed beside those of the web.
    pub roots: Vec<PathBuf>,
}

/// Limits of requests that differ from the defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpOverrides {
    /// Requests in a call.
    pub requests: Option<u64>,
    /// Requests at once.
    pub concurrent: Option<usize>,
    /// Bytes sent in a call.
    pub request_bytes: Option<u64>,
    /// Bytes received in a call.
    pub response_bytes: Option<u64>,
    /// Bytes of headers.
    pub header_bytes: Option<usize>,
    /// Until there is a connection.
    pub connect: Option<Duration>,
    /// Until a response begins.
    pub first_byte: Option<Duration>,
    /// Between pieces of a response.
    pub between_bytes: Option<Duration>,
    /// A request in all.
    pub total: Option<Duration>,
}

impl HttpOverrides {
    /// These limits over the given ones.
    pub(super) fn over(&self, base: &HttpLimits) -> HttpLimits {
        HttpLimits {
            requests: self.requests.unwrap_or(base.requests),
            concurrent: self.concurrent.unwrap_or(base.concurrent),
            request_bytes: self.request_bytes.unwrap_or(base.request_bytes),
            response_bytes: self.response_bytes.unwrap_or(base.response_bytes),
            header_bytes: self.header_bytes.unwrap_or(base.header_bytes),
            connect: self.connect.unwrap_or(base.connect),
            first_byte: self.first_byte.unwrap_or(base.first_byte),
            between_bytes: self.between_bytes.unwrap_or(base.between_bytes),
            total: self.total.unwrap_or(base.total),
        }
    }
}

impl Check<'_> {
    pub(super) fn http(&mut self, http: file::Http) -> HttpSettings {
        let dir = self.source.dir();
        let roots = http.roots.iter().map(|file| dir.join(file)).collect();
        HttpSettings { roots }
    }

    pub(super) fn http_rules(&mut self, id: &str, lines: &[String]) -> Vec<HttpRule> {
        let mut rules = Vec::new();
        for line in lines {
            match line.parse() {
                Ok(rule) => rules.push(rule),
                Err(problem) => {
                    let line = crate::contract::text::sanitize_for_terminal(line);
                    let at = &["hooks", id, "grants", "http"];
                    let error = self.source.error(at, format!("`{line}` {problem}"));
                    self.errors.push(error);
                }
            }
        }
        rules
    }

    pub(super) fn http_limits(&mut self, limits: &file::Limits, at: &[&str]) -> HttpOverrides {
        let requests = self.number(limits.http_requests, at, "http-requests", MOST_CALLS);
        let concurrent = self.number(limits.http_concurrent, at, "http-concurrent", MOST_CALLS);
        let request_bytes = self.size(limits.http_request_bytes, at, "http-request-bytes");
        let response_bytes = self.size(limits.http_response_bytes, at, "http-response-bytes");
        HttpOverrides {
            requests: requests.map(|n| n as u64),
            concurrent: concurrent.map(|n| n as usize),
            request_bytes: request_bytes.map(|n| n as u64),
            response_bytes: response_bytes.map(|n| n as u64),
            header_bytes: self
                .number(
                    limits.http_header_bytes,
                    at,
                    "http-header-bytes",
                    MOST_HEADER_BYTES,
                )
                .map(|n| n as usize),
            connect: self.millis(limits.http_connect_ms, at, "http-connect-ms"),
            first_byte: self.millis(limits.http_first_byte_ms, at, "http-first-byte-ms"),
            between_bytes: self.millis(limits.http_between_bytes_ms, at, "http-between-bytes-ms"),
            total: self.millis(limits.http_total_ms, at, "http-total-ms"),
        }
    }
}

/// The most bytes of headers that may be set: they are held in the host's memory, once for each handle.
pub(super) const MOST_HEADER_BYTES: i64 = 1 << 20;
