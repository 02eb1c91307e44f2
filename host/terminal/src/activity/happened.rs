//! A hook's host call, on one line.

use portcullis::trace::TraceEventKind;
use serde_json::Value;

use crate::line::Line;
use crate::style::{ERROR, GOOD, NOTE};
use crate::{Printable, text};

/// The longest list of arguments, and the longest result, in columns.
const LONGEST: usize = 100;

/// Returns the line for an event in a hook call.
pub fn happened(what: &TraceEventKind) -> Line {
    match what {
        TraceEventKind::Call {
            interface,
            function,
            arguments,
            returned,
            error,
        } => {
            let interface = interface
                .strip_prefix("portcullis:hooks/")
                .unwrap_or(interface);
            let called = format!("{interface}.{function}({})", listed(arguments));
            let called = Line::new().plain(cut(called));
            match error {
                Some(error) => called.with(ERROR, cut(format!(" ✗ {error}"))),
                None if returned.is_null() => called,
                None => called.with(GOOD, cut(format!(" → {returned}"))),
            }
        }
        TraceEventKind::Log { line } => Line::styled(NOTE, Printable::line(format!("log {line}"))),
        TraceEventKind::Request { request } => {
            let part = |key: &str| match request.get(key) {
                None => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
            };
            let answer = format!("{}{}", part("status"), part("error"));
            let sent = format!("request {} {} → {answer}", part("method"), part("url"));
            Line::styled(NOTE, Printable::line(sent))
        }
    }
}

fn cut(text: String) -> Printable {
    text::cut(&Printable::line(text), LONGEST)
}

/// Returns the arguments, without brackets around them.
fn listed(arguments: &Value) -> String {
    match arguments {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            items.join(", ")
        }
        Value::Object(named) => {
            let items = named.iter().map(|(name, value)| match value {
                Value::String(text) => format!("{name}: {text}"),
                other => format!("{name}: {other}"),
            });
            items.collect::<Vec<_>>().join(", ")
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
