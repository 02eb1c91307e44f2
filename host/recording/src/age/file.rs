//! The file format of age, version 1: a key of the file for each recipient, and chunks that are encrypted with it.
//!
//! The specification is at `age-encryption.org/v1`.

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use aws_lc_rs::{hkdf, hmac, rand};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::keys::{Identities, Identity, Recipient};
use crate::error::RecordingError;

/// The first line of every file.
const INTRODUCTION: &str = "age-encryption.org/v1\n";
const X25519_INFO: &[u8] = b"age-encryption.org/v1/X25519";
const X25519_STANZA: &str = "X25519";

/// The end of the header, before its checksum.
const END: &str = "---";

/// The size of a file key, and of the nonce from which the payload's key is derived.
const FILE_KEY: usize = 16;
const NONCE: usize = 16;

/// The size of a chunk's content, and of its authentication tag.
const CHUNK: usize = 64 << 10;
const TAG: usize = 16;

/// The length of a line in a stanza's body, if another line follows.
const COLUMNS: usize = 64;

/// The library fails only if the machine has no random numbers.
const FAILED: RecordingError = RecordingError::Encryption;

/// Returns whether these bytes are a file of age.
pub(crate) fn is_encrypted(bytes: &[u8]) -> bool {
    bytes.starts_with(INTRODUCTION.as_bytes())
}

/// Returns a file that each of the recipients can read.
pub(crate) fn encrypt(content: &[u8], recipients: &[Recipient]) -> Result<Vec<u8>, RecordingError> {
    let mut file_key = [0; FILE_KEY];
    rand::fill(&mut file_key).map_err(|_| FAILED)?;
    let mut header = INTRODUCTION.to_owned();
    for recipient in recipients {
        header.push_str(&wrapped(&file_key, recipient)?);
    }
    header.push_str(END);
    let checksum = hmac::sign(&header_key(&file_key)?, header.as_bytes());
    header.push(' ');
    STANDARD_NO_PAD.encode_string(checksum, &mut header);
    header.push('\n');
    let mut nonce = [0; NONCE];
    rand::fill(&mut nonce).map_err(|_| FAILED)?;
    let key = payload_key(&file_key, &nonce)?;
    let chunks = content.len().div_ceil(CHUNK).max(1);
    let length = header.len() + NONCE + content.len() + chunks * TAG;
    let mut file = Vec::with_capacity(length);
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(&nonce);
    for number in 0..chunks {
        let from = number * CHUNK;
        let to = content.len().min(from + CHUNK);
        let begun = file.len();
        file.extend_from_slice(content.get(from..to).unwrap_or_default());
        let chunk = file.get_mut(begun..).unwrap_or_default();
        let nonce = chunk_nonce(number, number + 1 == chunks);
        let tag = key.seal_in_place_separate_tag(nonce, Aad::empty(), chunk);
        file.extend_from_slice(tag.map_err(|_| FAILED)?.as_ref());
    }
    Ok(file)
}

/// Returns the file's content if one of the identities can read it.
pub(crate) fn decrypt(file: &[u8], identities: &Identities) -> Result<Vec<u8>, RecordingError> {
    if identities.is_empty() {
        return Err(RecordingError::NoIdentity);
    }
    let damaged = |what: &str| RecordingError::DamagedFile(what.to_owned());
    let (header, payload) = Header::parse(file).ok_or_else(|| damaged("its header"))?;
    let of_mine = |identity| header.stanzas.iter().find_map(|one| one.opened(identity));
    let file_key = identities.0.iter().find_map(of_mine);
    let file_key = file_key.ok_or(RecordingError::OtherIdentity)?;
    hmac::verify(&header_key(&file_key)?, header.signed, &header.checksum)
        .map_err(|_| damaged("its header has another checksum"))?;
    let (nonce, payload) = payload
        .split_at_checked(NONCE)
        .ok_or_else(|| damaged("it is cut off"))?;
    let key = payload_key(&file_key, nonce)?;
    let mut content = Vec::with_capacity(payload.len());
    let chunks = payload.len().div_ceil(CHUNK + TAG).max(1);
    for number in 0..chunks {
        let from = number * (CHUNK + TAG);
        let to = payload.len().min(from + CHUNK + TAG);
        let mut chunk = payload.get(from..to).unwrap_or_default().to_vec();
        let nonce = chunk_nonce(number, number + 1 == chunks);
        let open = key.open_in_place(nonce, Aad::empty(), &mut chunk);
        let open = open.map_err(|_| damaged("a part has another checksum, or it is cut off"))?;
        if open.is_empty() && number > 0 {
            return Err(damaged("its last part is empty"));
        }
        content.extend_from_slice(open);
    }
    Ok(content)
}

/// Returns a stanza: the file's key for one recipient.
fn wrapped(file_key: &[u8; FILE_KEY], recipient: &Recipient) -> Result<String, RecordingError> {
    let ephemeral = PrivateKey::generate(&X25519).map_err(|_| FAILED)?;
    let share = ephemeral.compute_public_key().map_err(|_| FAILED)?;
    let key = wrapping_key(&ephemeral, &recipient.0, share.as_ref(), &recipient.0);
    // The zero key and other points of low order give no shared secret.
    let key = key.ok_or_else(|| RecordingError::Recipient(format!("`{recipient}`")))?;
    let mut body = file_key.to_vec();
    key.seal_in_place_append_tag(zero_nonce(), Aad::empty(), &mut body)
        .map_err(|_| FAILED)?;
    let share = STANDARD_NO_PAD.encode(share.as_ref());
    let body = STANDARD_NO_PAD.encode(body);
    Ok(format!("-> {X25519_STANZA} {share}\n{body}\n"))
}

/// Returns the key that encrypts the file key, from one side's secret key and the other's public
/// key.
fn wrapping_key(
    mine: &PrivateKey,
    theirs: &[u8],
    share: &[u8],
    recipient: &[u8],
) -> Option<LessSafeKey> {
    let salt = [share, recipient].concat();
    agree(
        mine,
        UnparsedPublicKey::new(&X25519, theirs),
        (),
        |shared| derived(&salt, shared, X25519_INFO).map_err(drop),
    )
    .ok()
    .and_then(|bytes| aead(&bytes).ok())
}

fn derived(salt: &[u8], secret: &[u8], info: &[u8]) -> Result<[u8; 32], RecordingError> {
    let mut key = [0; 32];
    hkdf::Salt::new(hkdf::HKDF_SHA256, salt)
        .extract(secret)
        .expand(&[info], hkdf::HKDF_SHA256)
        .and_then(|made| made.fill(&mut key))
        .map_err(|_| FAILED)?;
    Ok(key)
}

fn aead(key: &[u8]) -> Result<LessSafeKey, RecordingError> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key).map_err(|_| FAILED)?;
    Ok(LessSafeKey::new(key))
}

fn header_key(file_key: &[u8]) -> Result<hmac::Key, RecordingError> {
    let key = derived(&[], file_key, b"header")?;
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &key))
}

fn payload_key(file_key: &[u8], nonce: &[u8]) -> Result<LessSafeKey, RecordingError> {
    aead(&derived(nonce, file_key, b"payload")?)
}

/// Returns the zero nonce, for a key that is used only once.
fn zero_nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}

/// Returns the nonce of a chunk: its number in 11 bytes, and a byte for the last chunk.
fn chunk_nonce(number: usize, is_last: bool) -> Nonce {
    let mut nonce = [0; 12];
    let counter = (number as u64).to_be_bytes();
    for (to, from) in nonce.iter_mut().skip(3).zip(counter) {
        *to = from;
    }
    if let Some(last) = nonce.last_mut() {
        *last = u8::from(is_last);
    }
    Nonce::assume_unique_for_key(nonce)
}

struct Header<'a> {
    stanzas: Vec<Stanza<'a>>,
    /// The bytes that the checksum covers.
    signed: &'a [u8],
    checksum: Vec<u8>,
}

struct Stanza<'a> {
    arguments: Vec<&'a str>,
    body: Vec<u8>,
}

impl<'a> Header<'a> {
    /// Returns the header and the bytes after it.
    fn parse(file: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let mut rest = file.strip_prefix(INTRODUCTION.as_bytes())?;
        let mut stanzas = Vec::new();
        loop {
            let (first, after) = line(rest)?;
            if let Some(checksum) = first.strip_prefix(END) {
                let before = file.len() - rest.len() + END.len();
                let checksum = checksum.strip_prefix(' ')?;
                let header = Self {
                    stanzas,
                    signed: file.get(..before)?,
                    checksum: STANDARD_NO_PAD.decode(checksum).ok()?,
                };
                return Some((header, after));
            }
            let arguments = first.strip_prefix("-> ")?.split(' ').collect();
            rest = after;
            let mut body = String::new();
            loop {
                let (next, after) = line(rest)?;
                rest = after;
                body.push_str(next);
                match next.len() {
                    COLUMNS => {}
                    0..COLUMNS => break,
                    _ => return None,
                }
            }
            let body = STANDARD_NO_PAD.decode(body).ok()?;
            stanzas.push(Stanza { arguments, body });
        }
    }
}

/// Returns the first line and the bytes after it.
fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(bytes.get(..end)?).ok()?;
    Some((line, bytes.get(end + 1..)?))
}

impl Stanza<'_> {
    /// Returns the key of the file, if it is for this identity.
    fn opened(&self, identity: &Identity) -> Option<[u8; FILE_KEY]> {
        let [kind, share] = self.arguments.as_slice() else {
            return None;
        };
        if *kind != X25519_STANZA || self.body.len() != FILE_KEY + TAG {
            return None;
        }
        let share = STANDARD_NO_PAD.decode(share).ok()?;
        let key = wrapping_key(&identity.secret, &share, &share, &identity.recipient.0)?;
        let mut body = self.body.clone();
        let open = key
            .open_in_place(zero_nonce(), Aad::empty(), &mut body)
            .ok()?;
        <[u8; FILE_KEY]>::try_from(&*open).ok()
    }
}
