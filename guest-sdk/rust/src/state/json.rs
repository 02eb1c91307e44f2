//! The JSON form of values in state.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Error;

/// Returns the bytes of a value.
pub(crate) fn encode<T: Serialize + ?Sized>(key: &str, value: &T) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|fault| json(key, &fault))
}

/// Returns the value of these bytes.
pub(crate) fn decode<T: DeserializeOwned>(key: &str, bytes: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(|fault| json(key, &fault))
}

fn json(key: &str, fault: &serde_json::Error) -> Error {
    Error::Json {
        key: key.to_owned(),
        reason: fault.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, decode, encode};

    #[test]
    fn a_number_is_its_digits() {
        assert_eq!(encode("total", &-12_i64), Ok(b"-12".to_vec()));
        assert_eq!(decode("total", b"-12"), Ok(-12_i64));
    }

    #[test]
    fn a_fault_names_the_key() {
        let fault = decode::<u8>("total", b"\"x\"").expect_err("a string is no number");
        assert!(matches!(fault, Error::Json { key, .. } if key == "total"));
    }
}
