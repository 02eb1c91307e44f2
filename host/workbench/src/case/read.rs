//! Collecting all errors of a value in the JSON form.

use portcullis::json::JsonError;
use serde_json::Value;

/// The maximum number of errors of one value.
const MOST: usize = 50;

/// Reads a value with `read`, which reports the first error in it. The entry with the error is
/// removed, and the rest is read again. Returns the result for the rest, if it can be read, and the
/// errors.
pub(super) fn read_all<T>(
    mut value: Value,
    read: impl Fn(&Value) -> Result<T, JsonError>,
) -> (Option<T>, Vec<JsonError>) {
    let mut errors = Vec::new();
    let mut taken: Vec<Vec<String>> = Vec::new();
    while errors.len() < MOST {
        let error = match read(&value) {
            Ok(read) => return (Some(read), errors),
            Err(error) => error,
        };
        let keys = keys(&error);
        let entry = take(&mut value, &keys);
        // A record may lack an entry because the entry was removed.
        if !taken.iter().any(|taken| taken.starts_with(&keys)) {
            errors.push(error);
        }
        match entry {
            Some(entry) => taken.push(entry),
            None => break,
        }
    }
    (None, errors)
}

/// Returns the keys of an error's position, including a key that is not known.
pub(super) fn keys(error: &JsonError) -> Vec<String> {
    let keys = error.path.split('/').skip(1);
    let keys = keys.map(|key| key.replace("~1", "/").replace("~0", "~"));
    keys.chain(error.unknown.clone()).collect()
}

/// Removes the entry at the end of a path, or the list on the path. Returns the path of the removed
/// value.
fn take(value: &mut Value, keys: &[String]) -> Option<Vec<String>> {
    let mut here = value;
    for (index, key) in keys.iter().enumerate() {
        let entries = here.as_object_mut()?;
        let is_last = index + 1 == keys.len() || !entries.get(key)?.is_object();
        if is_last {
            entries.remove(key)?;
            return keys.get(..=index).map(<[String]>::to_vec);
        }
        here = entries.get_mut(key)?;
    }
    None
}
