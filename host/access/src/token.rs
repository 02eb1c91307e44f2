//! The bearer token.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The number of random bytes in a generated token.
const RANDOM_BYTES: usize = 32;
/// The minimum number of bytes in a token that is not generated.
const FEWEST_BYTES: usize = 16;

/// The bearer token that a request must carry, kept as a hash.
#[derive(Clone)]
pub struct Token(blake3::Hash);

/// The reason why there is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// The token is easy to guess.
    #[error("the token has fewer than {FEWEST_BYTES} bytes; choose a longer one")]
    Short,
    /// The system provides no random bytes.
    #[error("the system gives no random bytes for a token: {0}")]
    NoRandom(getrandom::Error),
}

impl Token {
    /// Creates a token from a given text.
    ///
    /// # Errors
    ///
    /// The text has fewer than 16 bytes.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        match text.len() < FEWEST_BYTES {
            true => Err(TokenError::Short),
            false => Ok(Self(blake3::hash(text.as_bytes()))),
        }
    }

    /// Creates a token of 32 random bytes. Returns the token and its text, which is not kept.
    ///
    /// # Errors
    ///
    /// The system provides no random bytes.
    pub fn random() -> Result<(Self, String), TokenError> {
        let mut bytes = [0; RANDOM_BYTES];
        getrandom::fill(&mut bytes).map_err(TokenError::NoRandom)?;
        let text = URL_SAFE_NO_PAD.encode(bytes);
        Ok((Self(blake3::hash(text.as_bytes())), text))
    }

    /// Returns whether a text is the token. The comparison of the hashes takes constant time.
    pub fn is(&self, text: &[u8]) -> bool {
        blake3::hash(text) == self.0
    }

    /// Returns whether the value of a header `Authorization` has the token.
    pub(crate) fn is_in(&self, header: Option<&[u8]>) -> bool {
        let token = header.and_then(|header| header.strip_prefix(b"Bearer "));
        token.is_some_and(|token| self.is(token))
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_token_is_refused() {
        assert_eq!(Token::new("0123456789abcde").err(), Some(TokenError::Short));
        let (token, text) = Token::random().expect("random bytes");
        assert!(token.is_in(Some(format!("Bearer {text}").as_bytes())));
        assert_ne!(Token::random().expect("random bytes").1, text);
    }
}
