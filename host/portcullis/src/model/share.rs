//! The share of sessions in which a hook's answers count.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::Digest as _;

/// The share of sessions in which a hook's answers count: more than 0, at most 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Share(f64);

// The value is never NaN.
impl Eq for Share {}

/// An error for a number that is not a valid share.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("must be more than 0 and at most 1, such as 0.1 for every tenth session, and is {0}")]
pub struct NotAShare(f64);

impl Share {
    /// Returns the share, as `hooks.toml` writes it.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Returns whether a session belongs to the share. The result is the same in every process: the
    /// first 53 bits of the SHA-256 digest of the hook's id, a line feed and the session's id, as a
    /// fraction of 2⁵³, are less than the share. A larger share contains all sessions of a smaller
    /// one.
    pub fn has(self, hook: &str, session: &str) -> bool {
        let digest = sha2::Sha256::new()
            .chain_update(hook)
            .chain_update("\n")
            .chain_update(session)
            .finalize();
        let first = digest
            .first_chunk()
            .map_or(0, |bytes| u64::from_be_bytes(*bytes));
        // A float has 53 bits, so nothing is rounded.
        let fraction = (first >> 11) as f64 / (1_u64 << 53) as f64;
        fraction < self.0
    }
}

impl TryFrom<f64> for Share {
    type Error = NotAShare;

    fn try_from(share: f64) -> Result<Self, NotAShare> {
        match share > 0.0 && share <= 1.0 {
            true => Ok(Self(share)),
            false => Err(NotAShare(share)),
        }
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> Self {
        share.0
    }
}

/// Formats the share in percent: `10 %`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = (self.0 * 100.0 * 1e6).round() / 1e6;
        write!(f, "{percent} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(share: f64) -> Share {
        Share::try_from(share).expect("a share")
    }

    #[test]
    fn a_share_is_more_than_nothing_and_at_most_all() {
        for wrong in [0.0, -0.1, 1.000_001, f64::NAN, f64::INFINITY] {
            assert!(Share::try_from(wrong).is_err(), "{wrong}");
        }
        assert_eq!(share(0.1).to_string(), "10 %");
        assert_eq!(share(0.003).to_string(), "0.3 %");
        assert!((0..1_000).all(|n| share(1.0).has("h", &n.to_string())));
    }

    #[test]
    fn sessions_are_told_by_the_documented_hash() {
        // python3 -c 'import hashlib; d = hashlib.sha256(b"guard\nsession-1").digest(); print(int.from_bytes(d[:8], "big") / 2**64)'
        let place = 0.447_623_328_087_290_2;
        assert!(share(place + 1e-9).has("guard", "session-1"));
        assert!(!share(place - 1e-9).has("guard", "session-1"));
    }

    #[test]
    fn a_share_has_about_that_many_sessions_and_a_larger_one_has_them_too() {
        let sessions: Vec<String> = (0..10_000).map(|n| format!("s-{n}")).collect();
        let of = |hook, part| -> Vec<&String> {
            let has = |session: &&String| share(part).has(hook, session);
            sessions.iter().filter(has).collect()
        };
        let (tenth, half) = (of("guard", 0.1), of("guard", 0.5));
        assert!((850..1_150).contains(&tenth.len()), "{}", tenth.len());
        assert!((4_700..5_300).contains(&half.len()), "{}", half.len());
        assert!(tenth.iter().all(|session| half.contains(session)));
        // Another hook has other sessions in its share.
        let other = of("other", 0.1);
        let both = tenth
            .iter()
            .filter(|session| other.contains(session))
            .count();
        assert!(both < 200, "{both}");
    }
}
