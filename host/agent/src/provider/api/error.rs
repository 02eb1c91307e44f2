//! The kinds of the client library's errors.
//!
//! The kind is derived from the HTTP status and the machine-readable `type` or `code` in the body.
//! The exception is a prompt that is too long for Anthropic: only its message differs from that of
//! other bad requests.

use std::time::{Duration, SystemTime};

use genai::Error;
use genai::webc::{Error as WebError, StreamTimeout};
use portcullis::ErrorReport;
use portcullis::points::llm_error::ProviderErrorKind as Kind;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::provider::ProviderError;

/// The start of Anthropic's message about a prompt that is too long.
const TOO_LONG: &str = "prompt is too long";

/// The longest accepted wait.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Converts an error of the client library.
pub(super) fn classify(error: &Error) -> ProviderError {
    match error {
        Error::HttpError {
            status,
            body,
            headers,
            ..
        } => of_status(status.as_u16(), body, headers),
        Error::WebModelCall { webc_error, .. } | Error::WebAdapterCall { webc_error, .. } => {
            of_web(webc_error)
        }
        Error::WebStream { error, cause, .. } => of_stream(&**error, cause),
        Error::ChatResponse { body, .. } => of_body(body),
        Error::Resolver { resolver_error, .. } => {
            ProviderError::new(Kind::Auth, resolver_error.to_string())
        }
        Error::RequiresApiKey { .. } | Error::NoAuthResolver { .. } | Error::NoAuthData { .. } => {
            ProviderError::new(Kind::Auth, error.to_string())
        }
        // The error's own text contains the whole request.
        Error::ChatResponseGeneration { cause, .. } => ProviderError::new(
            Kind::Server,
            format!("the response cannot be understood: {cause}"),
        ),
        Error::NoChatResponse { .. }
        | Error::InvalidJsonResponseElement { .. }
        | Error::StreamParse { .. }
        | Error::JsonValueExt(_)
        | Error::SerdeJson(_) => ProviderError::new(
            Kind::Server,
            format!("the response cannot be understood: {error}"),
        ),
        Error::ChatReqHasNoMessages { .. }
        | Error::LastChatMessageIsNotUser { .. }
        | Error::MessageRoleNotSupported { .. }
        | Error::MessageContentTypeNotSupported { .. }
        | Error::AdapterNotSupported { .. } => {
            ProviderError::new(Kind::BadRequest, error.to_string())
        }
        other => ProviderError::new(Kind::Other, other.to_string()),
    }
}

fn of_web(error: &WebError) -> ProviderError {
    match error {
        WebError::ResponseFailedStatus {
            status,
            body,
            headers,
        } => of_status(status.as_u16(), body, headers),
        WebError::Reqwest(error) => of_transport(error),
        // The error's own text contains the whole body.
        WebError::ResponseFailedNotJson { content_type, .. } => ProviderError::new(
            Kind::Server,
            format!("the response is `{content_type}`, not JSON; is the base URL right?"),
        ),
        WebError::ResponseFailedInvalidJson { cause, .. } => {
            ProviderError::new(Kind::Server, format!("the response is not JSON: {cause}"))
        }
        WebError::JsonValueExt(error) => ProviderError::new(
            Kind::Server,
            format!("the response cannot be understood: {error}"),
        ),
    }
}

fn of_stream(error: &(dyn std::error::Error + 'static), cause: &str) -> ProviderError {
    if let Some(error) = error.downcast_ref::<Error>() {
        classify(error)
    } else if let Some(timeout) = error.downcast_ref::<StreamTimeout>() {
        ProviderError::new(Kind::Timeout, timeout.to_string())
    } else if let Some(error) = error.downcast_ref::<reqwest::Error>() {
        of_transport(error)
    } else {
        ProviderError::new(Kind::Network, cause)
    }
}

fn of_transport(error: &reqwest::Error) -> ProviderError {
    let kind = if error.is_timeout() {
        Kind::Timeout
    } else {
        Kind::Network
    };
    // The source describes the cause; the error itself usually only names the location.
    ProviderError::new(kind, ErrorReport::line(error))
}

fn of_status(status: u16, body: &str, headers: &HeaderMap) -> ProviderError {
    let (kind, words) = match serde_json::from_str::<Value>(body) {
        Ok(body) => {
            let error = body.get("error").unwrap_or(&body);
            (of_code(error), said(error))
        }
        Err(_) => (None, None),
    };
    let words = words.unwrap_or_else(|| match body.trim() {
        "" => "the provider gives no reason".to_owned(),
        body => body.to_owned(),
    });
    ProviderError::new(kind.unwrap_or_else(|| of_number(status)), words)
        .with_status(status)
        .with_retry_after(retry_after(headers))
}

/// Returns an error in the middle of a stream.
fn of_body(body: &Value) -> ProviderError {
    let error = body.get("error").unwrap_or(body);
    let words = said(error).unwrap_or_else(|| body.to_string());
    ProviderError::new(of_code(error).unwrap_or(Kind::Server), words)
}

fn said(error: &Value) -> Option<String> {
    match error {
        Value::String(words) => Some(words.clone()),
        error => error
            .get("message")
            .and_then(Value::as_str)
            .map(str::to_owned),
    }
}

/// Returns the kind according to the body's `code`, or else its `type`; `None` if the status is
/// more precise.
fn of_code(error: &Value) -> Option<Kind> {
    let text = |key| error.get(key).and_then(Value::as_str);
    let known = |code: &str| match code {
        "context_length_exceeded" | "request_too_large" | "string_above_max_length" => {
            Some(Kind::ContextLength)
        }
        "rate_limit_error" | "rate_limit_exceeded" => Some(Kind::RateLimited),
        "overloaded_error" => Some(Kind::Overloaded),
        "timeout_error" => Some(Kind::Timeout),
        // The status is that of too many requests, but waiting does not help.
        "authentication_error"
        | "permission_error"
        | "invalid_api_key"
        | "insufficient_quota"
        | "billing_error" => Some(Kind::Auth),
        "api_error" | "server_error" => Some(Kind::Server),
        "invalid_request_error" if text("message").is_some_and(|m| m.starts_with(TOO_LONG)) => {
            Some(Kind::ContextLength)
        }
        "invalid_request_error" | "not_found_error" | "model_not_found" => Some(Kind::BadRequest),
        _ => None,
    };
    text("code")
        .and_then(known)
        .or_else(|| text("type").and_then(known))
}

fn of_number(status: u16) -> Kind {
    match status {
        401 | 403 => Kind::Auth,
        408 | 504 => Kind::Timeout,
        413 => Kind::ContextLength,
        429 => Kind::RateLimited,
        503 | 529 => Kind::Overloaded,
        400..=499 => Kind::BadRequest,
        500..=599 => Kind::Server,
        _ => Kind::Other,
    }
}

/// Returns the wait that the provider asks for: milliseconds, seconds or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let seconds = |text: &str, unit: f64| {
        let n: f64 = text.parse().ok()?;
        Duration::try_from_secs_f64(n * unit).ok()
    };
    let wait = text("retry-after-ms")
        .and_then(|ms| seconds(ms, 0.001))
        .or_else(|| {
            let text = text("retry-after")?;
            seconds(text, 1.0).or_else(|| {
                let when = httpdate::parse_http_date(text).ok()?;
                Some(when.duration_since(SystemTime::now()).unwrap_or_default())
            })
        })?;
    Some(wait.min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_go_by_code_then_status() {
        for (status, body, kind) in [
            (
                400,
                r#"{"error":{"code":"context_length_exceeded","type":"invalid_request_error","message":"m"}}"#,
                Kind::ContextLength,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}"#,
                Kind::ContextLength,
            ),
            (
                400,
                r#"{"error":{"type":"invalid_request_error","message":"rate limit overloaded"}}"#,
                Kind::BadRequest,
            ),
            (401, "", Kind::Auth),
            (403, "<html>", Kind::Auth),
            (
                404,
                r#"{"error":{"type":"not_found_error"}}"#,
                Kind::BadRequest,
            ),
            (408, "", Kind::Timeout),
            (413, "", Kind::ContextLength),
            (
                429,
                r#"{"error":{"code":"insufficient_quota","type":"insufficient_quota"}}"#,
                Kind::Auth,
            ),
            (
                429,
                r#"{"error":{"code":null,"type":"requests","message":"slow down"}}"#,
                Kind::RateLimited,
            ),
            (500, r#"{"error":"boom"}"#, Kind::Server),
            (503, "", Kind::Overloaded),
            (
                529,
                r#"{"error":{"type":"overloaded_error"}}"#,
                Kind::Overloaded,
            ),
            (302, "", Kind::Other),
        ] {
            let error = of_status(status, body, &HeaderMap::new());
            assert_eq!(error.kind, kind, "{status} {body}");
            assert_eq!(error.status, Some(status));
        }
    }

    #[test]
    fn the_providers_words_are_found() {
        let words = |body| of_status(500, body, &HeaderMap::new()).message;
        assert_eq!(words(r#"{"error":{"message":"broken"}}"#), "broken");
        assert_eq!(words(r#"{"error":"boom"}"#), "boom");
        assert_eq!(words(r#"{"message":"plain"}"#), "plain");
        assert_eq!(words("<html>"), "<html>");
        assert_eq!(words(" "), "the provider gives no reason");
    }

    #[test]
    fn waits_are_read_in_all_forms() {
        let wait = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            retry_after(&headers)
        };
        assert_eq!(wait("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(wait("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(
            wait("retry-after-ms", "250"),
            Some(Duration::from_millis(250))
        );
        assert_eq!(wait("retry-after", "-1"), None);
        assert_eq!(wait("retry-after", "soon"), None);
        assert_eq!(wait("retry-after", "1e30"), None);
        assert_eq!(wait("retry-after", "99999999"), Some(LONGEST_WAIT));
        let past = wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT");
        assert_eq!(past, Some(Duration::ZERO));
    }
}
