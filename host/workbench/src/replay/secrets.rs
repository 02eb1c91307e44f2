//! Placeholders for secrets during a replay.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::recording::World;
use portcullis::secrets::{SecretError, SecretSource, Secrets};
use serde_json::{Map, Value};

/// Texts that replace secrets, of the same lengths.
#[derive(Clone)]
pub(super) struct StandIns {
    texts: Arc<BTreeMap<String, String>>,
    /// The redaction of all placeholders. The recorded calls contain none of the secrets.
    pub(super) all: Arc<Secrets>,
}

impl StandIns {
    /// Creates placeholders for secrets with these names and lengths.
    pub(super) fn new(lengths: &BTreeMap<String, usize>) -> Self {
        let stand_in = |(name, length): (&String, &usize)| {
            let text = format!("stand-in-for-{name}-").repeat(length / 14 + 1);
            (name.clone(), text.chars().take(*length).collect())
        };
        let texts: BTreeMap<String, String> = lengths.iter().map(stand_in).collect();
        Self {
            all: Arc::new(Secrets::of(texts.clone())),
            texts: Arc::new(texts),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Replaces the recorded names of secrets by the placeholders.
    fn put_into(&self, text: &str) -> Option<String> {
        let mut put = None;
        for (name, secret) in &*self.texts {
            let written = format!("[secret {name}]");
            let text = put.as_deref().unwrap_or(text);
            if text.contains(&written) {
                put = Some(text.replace(&written, secret));
            }
        }
        put
    }

    /// Does the same for a file's content.
    pub(super) fn put_into_file(&self, content: &[u8]) -> Vec<u8> {
        let put = std::str::from_utf8(content)
            .ok()
            .and_then(|text| self.put_into(text));
        put.map_or_else(|| content.to_vec(), String::into_bytes)
    }

    /// Does the same for a list of bytes in JSON.
    fn put_into_list(&self, list: &[Value]) -> Option<Vec<u8>> {
        let bytes = list.iter().map(|byte| u8::try_from(byte.as_u64()?).ok());
        let bytes = bytes.collect::<Option<Vec<u8>>>()?;
        let text = std::str::from_utf8(&bytes).ok()?;
        self.put_into(text).map(String::into_bytes)
    }

    /// Does the same for all texts, keys and bytes of a value.
    pub(super) fn put(&self, value: Value) -> Value {
        match value {
            _ if self.is_empty() => value,
            Value::String(text) => Value::String(self.put_into(&text).unwrap_or(text)),
            Value::Array(list) => match self.put_into_list(&list) {
                Some(bytes) => bytes.into(),
                None => list.into_iter().map(|value| self.put(value)).collect(),
            },
            Value::Object(map) => Value::Object(
                map.into_iter()
                    .map(|(key, value)| (self.put_into(&key).unwrap_or(key), self.put(value)))
                    .collect::<Map<_, _>>(),
            ),
            other => other,
        }
    }

    /// Returns a world with placeholders for secrets.
    pub(super) fn restored(&self, world: &World) -> World {
        if self.is_empty() {
            return world.clone();
        }
        let put = serde_json::to_value(world).map(|value| self.put(value));
        put.and_then(serde_json::from_value)
            .unwrap_or_else(|_| world.clone())
    }
}

impl SecretSource for StandIns {
    fn read(&self, name: &str) -> Result<String, SecretError> {
        let unknown = || SecretError("the recording does not name it".to_owned());
        self.texts.get(name).cloned().ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn stand_ins_are_put_into_texts_keys_and_bytes() {
        let secrets = StandIns::new(&BTreeMap::from([("KEY".to_owned(), 5)]));
        let value = json!([{ "[secret KEY]": "a [secret KEY]" }, b"[secret KEY]", b"other", [1]]);
        let put = json!([{ "stand": "a stand" }, b"stand", b"other", [1]]);
        assert_eq!(secrets.put(value), put);
    }
}
