//! Reads calls of WASI from the spans that `wasmtime-wasi` creates for them.
//!
//! Its bindings are generated with `tracing`: each call is a span with the names of the interface
//! and the function, an event with the arguments and one with the result. The events leave out
//! lists.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Dispatch, Event, Metadata, Subscriber};

use crate::contract::json::Excerpt;
use crate::contract::linked::{Called, Watcher};

/// The name of the spans, and the crates that make them.
const SPAN: &str = "wit-bindgen import";
const CRATES: &str = "wasmtime_wasi";
/// Marks the ids of spans that are kept here.
const OWN: u64 = 1 << 63;

/// A subscriber that takes the spans of calls, and passes on everything else to its former
/// subscriber.
pub(super) struct Spans {
    watcher: Arc<dyn Watcher + Send + Sync>,
    outer: Dispatch,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    calls: HashMap<u64, Call>,
    /// The entered spans, innermost last.
    entered: Vec<u64>,
}

struct Call {
    interface: String,
    function: String,
    arguments: Map<String, Value>,
    returned: Option<String>,
    began: Instant,
}

impl Spans {
    pub(super) fn new(watcher: Arc<dyn Watcher + Send + Sync>) -> Self {
        Self {
            watcher,
            outer: tracing::dispatcher::get_default(Clone::clone),
            open: Mutex::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether metadata belongs to a call: to its span, or to an event in it.
fn is_call(metadata: &Metadata<'_>) -> bool {
    metadata.target().starts_with(CRATES)
        && (metadata.name() == SPAN || metadata.target().contains("::bindings::"))
}

fn own(id: &Id) -> Option<u64> {
    let id = id.into_u64();
    (id & OWN != 0).then_some(id)
}

impl Subscriber for Spans {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        match is_call(metadata) {
            true => Interest::sometimes(),
            false => self.outer.register_callsite(metadata),
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        is_call(metadata) || self.outer.enabled(metadata)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        if !is_call(span.metadata()) {
            return self.outer.new_span(span);
        }
        let mut fields = Fields::default();
        span.record(&mut fields);
        let mut open = self.open();
        let id = OWN | open.next;
        open.next += 1;
        let call = Call {
            interface: interface(span.metadata().target(), &fields.take("module")),
            function: fields.take("function"),
            arguments: Map::new(),
            returned: None,
            began: Instant::now(),
        };
        open.calls.insert(id, call);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        if own(span).is_none() {
            self.outer.record(span, values);
        }
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        if own(span).is_none() {
            self.outer.record_follows_from(span, follows);
        }
    }

    fn event(&self, event: &Event<'_>) {
        if !is_call(event.metadata()) {
            return self.outer.event(event);
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut open = self.open();
        let Open { calls, entered, .. } = &mut *open;
        let Some(call) = entered.last().and_then(|id| calls.get_mut(id)) else {
            return;
        };
        match fields.take("message").as_str() {
            "return" => {
                let redact = |bytes: &[u8]| self.watcher.redact(bytes);
                call.returned = Some(Excerpt::new(&redact).text(&fields.take("result")));
            }
            _ => {
                let redact = |bytes: &[u8]| self.watcher.redact(bytes);
                let excerpt = Excerpt::new(&redact);
                let fields = fields.0.iter();
                call.arguments = fields.map(|field| argument(field, &excerpt)).collect();
            }
        }
    }

    fn enter(&self, span: &Id) {
        match own(span) {
            Some(id) => self.open().entered.push(id),
            None => self.outer.enter(span),
        }
    }

    fn exit(&self, span: &Id) {
        match own(span) {
            Some(id) => {
                let mut open = self.open();
                if let Some(at) = open.entered.iter().rposition(|entered| *entered == id) {
                    open.entered.remove(at);
                }
            }
            None => self.outer.exit(span),
        }
    }

    fn clone_span(&self, id: &Id) -> Id {
        match own(id) {
            Some(_) => id.clone(),
            None => self.outer.clone_span(id),
        }
    }

    fn try_close(&self, id: Id) -> bool {
        let Some(own) = own(&id) else {
            return self.outer.try_close(id);
        };
        let Some(call) = self.open().calls.remove(&own) else {
            return false;
        };
        self.watcher.show(Called {
            interface: &call.interface,
            function: &call.function,
            arguments: call.arguments.into(),
            returned: match call.returned {
                Some(text) => Ok(returned(&text)),
                None => Err("it did not return".to_owned()),
            },
            began: call.began,
            took: call.began.elapsed(),
            fuel: None,
        });
        true
    }
}

/// Returns the interface of a bindings module: `…::clocks::wall_clock` is `wasi:clocks/wall-clock`.
fn interface(target: &str, name: &str) -> String {
    let package = target.rsplit("::").nth(1).unwrap_or_default();
    format!("wasi:{}/{name}", package.replace('_', "-"))
}

/// Returns an argument with its name in the contract.
fn argument((name, value): &(&'static str, String), excerpt: &Excerpt<'_>) -> (String, Value) {
    let name = name.trim_end_matches('_').replace('_', "-");
    (name, excerpt.text(&numbered(value)).into())
}

/// Returns the value that a function returned; null if it returned none.
fn returned(text: &str) -> Value {
    let inner = text.strip_prefix("Ok(").and_then(|t| t.strip_suffix(')'));
    match inner.unwrap_or(text) {
        "()" => Value::Null,
        text => numbered(text).into(),
    }
}

/// Returns the text with `#1` for a resource handle such as `Resource { rep: 1, state: "own" }`.
fn numbered(text: &str) -> String {
    let mut parts = text.split("Resource { rep: ");
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (handle, rest) = part.split_once(" }").unwrap_or((part, ""));
        let number = handle.split(',').next().unwrap_or_default();
        numbered.push('#');
        numbered.push_str(number);
        numbered.push_str(rest);
    }
    numbered
}

/// The fields of a span or an event, as texts.
#[derive(Default)]
struct Fields(Vec<(&'static str, String)>);

impl Fields {
    fn take(&mut self, name: &str) -> String {
        match self.0.iter().position(|(field, _)| *field == name) {
            Some(at) => self.0.remove(at).1,
            None => String::new(),
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push((field.name(), format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), value.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_numbers() {
        let own = "Ok(Ok(Resource { rep: 3, state: \"own (not in table)\" }))";
        assert_eq!(returned(own), "Ok(#3)");
        assert_eq!(returned("Ok(())"), Value::Null);
        assert_eq!(numbered("[Resource { rep: 1, x: 2 }, 5]"), "[#1, 5]");
    }

    #[test]
    fn interfaces_have_the_name_of_the_contract() {
        let target = "wasmtime_wasi::p2::bindings::clocks::wall_clock";
        assert_eq!(interface(target, "wall-clock"), "wasi:clocks/wall-clock");
    }
}
