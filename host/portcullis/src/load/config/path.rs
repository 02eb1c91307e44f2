//! Keys of a configuration, in the notation of `hooks.toml`.

use serde_json::Value;

/// Returns the keys of a JSON pointer.
pub(super) fn keys_of(pointer: &str) -> Vec<String> {
    let keys = pointer.split('/').skip(1);
    keys.map(|key| key.replace("~1", "/").replace("~0", "~"))
        .collect()
}

/// Returns the path of a key in a table, such as `config.words[1]."a key"`; `place` is the path of
/// the table.
pub(super) fn path(place: &str, table: &Value, keys: &[&str]) -> String {
    let mut path = place.to_owned();
    let mut within = Some(table);
    for key in keys {
        match within {
            Some(Value::Array(_)) => path.extend(["[", key, "]"]),
            _ => push_key(&mut path, key),
        }
        within = match within {
            Some(Value::Array(items)) => key.parse().ok().and_then(|at: usize| items.get(at)),
            within => within.and_then(|value| value.get(key)),
        };
    }
    path
}

/// Adds a key to the path of its table.
pub(super) fn push_key(path: &mut String, key: &str) {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    path.push('.');
    match !key.is_empty() && key.chars().all(is_bare) {
        true => path.push_str(key),
        // JSON escapes are valid in TOML.
        false => path.push_str(&Value::from(key).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::path;

    #[test]
    fn keys_are_written_as_in_toml() {
        let table = json!({ "a/b": [{ "3": { "gpt-4.1": 1 } }] });
        let keys = ["a/b", "0", "3", "gpt-4.1"];
        assert_eq!(
            path("config", &table, &keys),
            "config.\"a/b\"[0].3.\"gpt-4.1\""
        );
        let keys = ["", "a\"b"];
        assert_eq!(path("config", &json!({}), &keys), r#"config.""."a\"b""#);
    }
}
