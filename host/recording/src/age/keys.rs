//! Keys in the text form of age.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use aws_lc_rs::agreement::{PrivateKey, X25519};
use bech32::{Bech32, Hrp};

use crate::error::RecordingError;

/// The length of both keys.
const KEY: usize = 32;

/// The most bytes of a file of identities.
const LARGEST: u64 = 1 << 16;

const PUBLIC: &str = "age";
const SECRET: &str = "age-secret-key-";

/// An age public key, such as `age1…`. The matching identity reads files encrypted for it.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient(pub(super) [u8; KEY]);

impl FromStr for Recipient {
    type Err = RecordingError;

    fn from_str(text: &str) -> Result<Self, RecordingError> {
        key(text.trim(), PUBLIC).map(Self).ok_or_else(|| {
            // A secret key entered here by mistake must not appear in a log.
            let is_secret = text.trim().to_ascii_lowercase().starts_with(SECRET);
            RecordingError::Recipient(match is_secret {
                true => "a secret key".to_owned(),
                false => format!("`{text}`"),
            })
        })
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hrp = Hrp::parse(PUBLIC).map_err(|_| fmt::Error)?;
        bech32::encode_to_fmt::<Bech32, _>(f, hrp, &self.0).map_err(|_| fmt::Error)
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns the key after the prefix; `None` if the text is not such a key.
fn key(text: &str, prefix: &str) -> Option<[u8; KEY]> {
    let checked = bech32::primitives::decode::CheckedHrpstring::new::<Bech32>(text).ok()?;
    let is_kind = checked.hrp().to_lowercase() == prefix;
    let bytes: Vec<u8> = checked.byte_iter().collect();
    bytes.try_into().ok().filter(|_| is_kind)
}

/// A secret key, with its public one.
pub(super) struct Identity {
    pub(super) secret: PrivateKey,
    pub(super) recipient: Recipient,
}

impl Identity {
    fn new(bytes: &[u8]) -> Option<Self> {
        let secret = PrivateKey::from_private_key(&X25519, bytes).ok()?;
        let public = secret.compute_public_key().ok()?;
        let recipient = Recipient(public.as_ref().try_into().ok()?);
        Some(Self { secret, recipient })
    }
}

/// The secret keys for reading encrypted calls. Default: none.
#[derive(Default)]
pub struct Identities(pub(super) Vec<Identity>);

impl Identities {
    /// Adds the identities of a file that `age-keygen` made, one a line; lines that begin with `#`
    /// are comments.
    ///
    /// # Errors
    ///
    /// The file cannot be read, has no identity, or has an identity that is not an X25519 key of
    /// age.
    pub fn read(&mut self, file: &Path) -> Result<(), RecordingError> {
        let wrong = |cause: String| RecordingError::Identity {
            file: file.display().to_string(),
            cause,
        };
        let length = std::fs::metadata(file).map_err(|e| wrong(e.to_string()))?;
        if length.len() > LARGEST {
            return Err(wrong(format!("it has more than {LARGEST} bytes")));
        }
        let text = std::fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
        self.add(&text).map_err(wrong)
    }

    /// Adds the identities of a text, as [`Identities::read`] does. The error never contains a key.
    fn add(&mut self, text: &str) -> Result<(), String> {
        let lines = text.lines().enumerate();
        let lines = lines.map(|(index, line)| (index + 1, line.trim()));
        let before = self.0.len();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let identity = key(line, SECRET).and_then(|bytes| Identity::new(&bytes));
            let Some(identity) = identity else {
                return Err(format!(
                    "line {number} is no `AGE-SECRET-KEY-1…`; `age-keygen -o FILE` makes one"
                ));
            };
            self.0.push(identity);
        }
        match self.0.len() == before {
            true => Err("it has no identity; `age-keygen -o FILE` makes one".to_owned()),
            false => Ok(()),
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the public keys of the identities.
    pub fn recipients(&self) -> impl Iterator<Item = &Recipient> {
        self.0.iter().map(|identity| &identity.recipient)
    }
}

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.recipients()).finish()
    }
}
