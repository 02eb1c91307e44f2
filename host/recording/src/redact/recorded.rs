//! Redaction of the parts of a recorded call. The host's own values, such as ids, times and seeds,
//! stay.

use portcullis::recording::{Body, TapedInterface, World};
use portcullis::secrets::Secrets;
use serde_json::Value;

use super::{Found, Redaction, bytes_of};

pub(super) const UNFIT: &str = "it does not fit its type without what must not be kept";

impl Redaction {
    /// Redacts a hook's setup.
    pub(crate) fn setup(&self, setup: &mut Value, secrets: &Secrets, found: &mut Found) {
        if let Some(config) = setup.get_mut("config") {
            *config = self.value(config.take(), secrets, found);
        }
        if let Some(grants) = setup.get_mut("grants") {
            self.texts(grants, secrets, found);
        }
    }

    /// Redacts the line of a call, whose world and shared values are redacted already.
    pub(crate) fn call(&self, line: &mut Value, secrets: &Secrets, fits: impl Fn(&Value) -> bool) {
        let mut found = Found::default();
        let Some(fields) = line.as_object_mut() else {
            return;
        };
        for (name, value) in fields.iter_mut() {
            match name.as_str() {
                "session" | "context" | "views" | "directories" => {
                    self.texts(value, secrets, &mut found);
                }
                "subject" => {
                    let (plain, of_subject) = self.shaped(value.take(), secrets, &fits);
                    *value = plain;
                    found.add(of_subject);
                }
                "outcome" => self.outcome(value, secrets, &mut found),
                _ => {}
            }
        }
        if found.rule {
            fields.insert("redacted".to_owned(), true.into());
        }
        let world = fields.get_mut("world").and_then(Value::as_object_mut);
        if let (Some(why), Some(world)) = (found.missing, world) {
            world.entry("missing").or_insert_with(|| why.into());
        }
    }

    /// Redacts a value that has a type. If the redacted value does not fit its type, the call
    /// cannot be replayed.
    pub(crate) fn shaped(
        &self,
        value: Value,
        secrets: &Secrets,
        fits: impl Fn(&Value) -> bool,
    ) -> (Value, Found) {
        let mut found = Found::default();
        let value = self.value(value, secrets, &mut found);
        if (found.rule || found.reshaped) && !fits(&value) {
            found.misses(UNFIT);
        }
        (value, found)
    }

    /// Redacts the result of a call.
    pub(crate) fn outcome(&self, outcome: &mut Value, secrets: &Secrets, found: &mut Found) {
        for name in ["value", "said"] {
            if let Some(value) = outcome.get_mut(name) {
                *value = self.value(value.take(), secrets, found);
            }
        }
        for text in ["/status/completed/rejection", "/status/failed/message"] {
            if let Some(text) = outcome.pointer_mut(text) {
                self.texts(text, secrets, found);
            }
        }
    }

    /// Redacts the results that a call got from the world.
    pub(crate) fn world(&self, world: &mut World, secrets: &Secrets, found: &mut Found) {
        for call in &mut world.calls {
            let mut found_here = Found::default();
            let is_state = matches!(
                TapedInterface::of(&call.interface),
                Some(TapedInterface::State | TapedInterface::SharedState)
            );
            for value in std::iter::once(&mut call.arguments).chain(call.returned.as_mut()) {
                *value = match value.take() {
                    Value::Array(list) if is_state => {
                        let list = list.into_iter();
                        list.map(|value| self.of_state(value, secrets, &mut found_here))
                            .collect()
                    }
                    other => self.value(other, secrets, &mut found_here),
                };
            }
            if found_here.reshaped {
                found_here.misses(UNFIT);
            }
            found.add(found_here);
        }
        for request in &mut world.requests {
            let mut plain = |text: &mut String| {
                *text = self.plain_text(text, secrets, &mut found.rule);
            };
            plain(&mut request.method);
            plain(&mut request.url);
            let response = request.response.as_mut();
            let headers = response.map(|response| &mut response.headers);
            for (name, value) in request
                .headers
                .iter_mut()
                .chain(headers.into_iter().flatten())
            {
                plain(name);
                plain(value);
            }
            self.body(&mut request.body, secrets, found);
            if let Some(response) = &mut request.response {
                self.body(&mut response.body, secrets, found);
            }
        }
    }

    /// Redacts an argument or a result of a state function, where lists of numbers are bytes.
    fn of_state(&self, value: Value, secrets: &Secrets, found: &mut Found) -> Value {
        if let Some(bytes) = bytes_of(&value) {
            let plain = self.bytes(&bytes, secrets, found);
            return plain.map_or(value, Value::from);
        }
        match value {
            // A result. Its keys are the contract's.
            Value::Object(map) => {
                let entries = map.into_iter();
                Value::Object(
                    entries
                        .map(|(key, value)| (key, self.of_state(value, secrets, found)))
                        .collect(),
                )
            }
            other => self.value(other, secrets, found),
        }
    }

    fn body(&self, body: &mut Body, secrets: &Secrets, found: &mut Found) {
        if let Some(text) = &mut body.text {
            *text = self.plain_text(text, secrets, &mut found.rule);
        }
        if let Some(plain) = self.bytes(&body.bytes, secrets, found) {
            body.bytes = plain;
        }
    }
}
