//! Ids of checkpoints.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::basics::text;

/// Enough digits for the milliseconds until the year 10889.
const TIME_DIGITS: usize = 12;
const RANDOM_DIGITS: usize = 32;

/// The id of a checkpoint: the time it was made and 16 random bytes, both in lower-case hexadecimal
/// digits. Ids sort by age and cannot be guessed from each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CheckpointId(String);

impl CheckpointId {
    /// Creates the id of a checkpoint made at this time, in milliseconds since the Unix epoch. The
    /// bytes must be random, because the id is sufficient to resume the turn.
    pub fn new(made_ms: u64, random: [u8; 16]) -> Self {
        let random = u128::from_be_bytes(random);
        Self(format!("{made_ms:012x}-{random:032x}"))
    }

    /// Returns the id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CheckpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for CheckpointId {
    type Err = BadCheckpointId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |text: &str| text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        match text.split_once('-') {
            Some((time, random))
                if (TIME_DIGITS..=16).contains(&time.len())
                    && random.len() == RANDOM_DIGITS
                    && digits(time)
                    && digits(random) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(BadCheckpointId(text::prefix(text, 80).to_owned())),
        }
    }
}

impl TryFrom<String> for CheckpointId {
    type Error = BadCheckpointId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<CheckpointId> for String {
    fn from(id: CheckpointId) -> Self {
        id.0
    }
}

/// A text that is not a [`CheckpointId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a checkpoint id: an id is 12 hexadecimal digits, a hyphen and 32 hexadecimal \
     digits; copy it as it was printed when the turn was suspended"
)]
pub struct BadCheckpointId(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip() {
        for (made_ms, random) in [
            (0, [0; 16]),
            (1_700_000_000_000, [7; 16]),
            (u64::MAX, [255; 16]),
        ] {
            let id = CheckpointId::new(made_ms, random);
            assert_eq!(id.to_string().parse(), Ok(id.clone()));
            let json = serde_json::to_string(&id).unwrap();
            assert_eq!(serde_json::from_str::<CheckpointId>(&json).unwrap(), id);
        }
        assert!(CheckpointId::new(9, [255; 16]) < CheckpointId::new(10, [0; 16]));
    }

    #[test]
    fn other_texts_are_refused() {
        let good = CheckpointId::new(1, [1; 16]).to_string();
        let cases = [
            ("empty", String::new()),
            ("no hyphen", good.replace('-', "")),
            (
                "upper case",
                CheckpointId::new(1, [0xab; 16]).to_string().to_uppercase(),
            ),
            ("too long", format!("{good}0")),
            ("too short", good[1..].to_owned()),
            ("another text", "../../etc/passwd".into()),
        ];
        for (name, text) in cases {
            let error = text.parse::<CheckpointId>().unwrap_err();
            assert!(
                error.to_string().contains("not a checkpoint id"),
                "{name}: {error}"
            );
            assert!(
                serde_json::from_value::<CheckpointId>(text.into()).is_err(),
                "{name}"
            );
        }
    }
}
