//! Finding the built-in kinds in one pass over the text.
//!
//! Each kind has anchors: the bytes at which the pass stops and calls it. Until its match is
//! accepted, a kind reads only a fixed distance around an anchor, or bytes that it does not read
//! again at later anchors. So the cost is linear in the length of any text.

mod assigned;
mod bearer;
mod bytes;
mod card;
mod email;
mod iban;
mod jwt;
mod key_block;
mod national;
mod phone;
mod ssn;
mod token;
mod url_password;
mod webhook;

use std::fmt::{self, Debug, Formatter};
use std::ops::Range;

/// Searches `text` around the byte at `at`, but not before `from`, where the last match ended.
type Find = fn(text: &[u8], from: usize, at: usize) -> Option<Range<usize>>;

/// Decides whether a match counts, by its kind and its range. Of a long match, it gets the beginning.
pub type Accept<'a> = &'a dyn Fn(&str, &Range<usize>) -> bool;

/// One kind of secret or personal data.
pub struct Kind {
    /// The name of the kind in `[REDACTED:kind]`.
    pub name: &'static str,
    is_personal: bool,
    anchors: &'static [u8],
    /// The number of bytes after an anchor that the kind reads until its match is accepted: a long
    /// match that is refused may begin again at each anchor within it.
    reach: usize,
    find: Find,
}

/// The reach of kinds that do not read the same byte from many anchors.
const ALL_OF_IT: usize = usize::MAX;

const DIGITS: &[u8] = b"0123456789";

/// All kinds. If several match at one byte, the first one wins.
pub static ALL: &[Kind] = &[
    Kind {
        name: "private-key",
        is_personal: false,
        anchors: b"-",
        reach: 512,
        find: key_block::find,
    },
    Kind {
        name: "jwt",
        is_personal: false,
        anchors: b".",
        reach: ALL_OF_IT,
        find: jwt::find,
    },
    Kind {
        name: "aws-key",
        is_personal: false,
        anchors: b"A",
        reach: ALL_OF_IT,
        find: token::aws,
    },
    Kind {
        name: "github-token",
        is_personal: false,
        anchors: b"g",
        reach: ALL_OF_IT,
        find: token::github,
    },
    Kind {
        name: "api-key",
        is_personal: false,
        anchors: b"AShgnrsxdlptw",
        reach: 512,
        find: token::api_key,
    },
    Kind {
        name: "bearer",
        is_personal: false,
        anchors: b"Bb",
        reach: ALL_OF_IT,
        find: bearer::find,
    },
    Kind {
        name: "secret",
        is_personal: false,
        anchors: b"=:i",
        reach: 128,
        find: assigned::find,
    },
    Kind {
        name: "url-password",
        is_personal: false,
        anchors: b"@",
        reach: ALL_OF_IT,
        find: url_password::find,
    },
    Kind {
        name: "webhook",
        is_personal: false,
        anchors: b"hd",
        reach: 512,
        find: webhook::find,
    },
    Kind {
        name: "email",
        is_personal: true,
        anchors: b"@",
        reach: ALL_OF_IT,
        find: email::find,
    },
    Kind {
        name: "credit-card",
        is_personal: true,
        anchors: DIGITS,
        reach: ALL_OF_IT,
        find: card::find,
    },
    Kind {
        name: "iban",
        is_personal: true,
        anchors: b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        reach: ALL_OF_IT,
        find: iban::find,
    },
    Kind {
        name: "ssn",
        is_personal: true,
        anchors: DIGITS,
        reach: ALL_OF_IT,
        find: ssn::find,
    },
    Kind {
        name: "national-id",
        is_personal: true,
        anchors: b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        reach: ALL_OF_IT,
        find: national::find,
    },
    Kind {
        name: "phone",
        is_personal: true,
        anchors: b"+(0123456789",
        reach: ALL_OF_IT,
        find: phone::find,
    },
];

/// Returns the kinds of secrets.
pub fn secrets() -> Vec<&'static Kind> {
    ALL.iter().filter(|kind| !kind.is_personal).collect()
}

/// Returns the kinds of personal data.
pub fn personal() -> Vec<&'static Kind> {
    ALL.iter().filter(|kind| kind.is_personal).collect()
}

/// A search for some of the kinds.
pub struct Finder {
    kinds: Vec<&'static Kind>,
    /// For each byte, a bit for each kind that it anchors.
    anchored: [u32; 256],
}

impl Finder {
    /// Creates a search for these kinds.
    pub fn new(kinds: impl Iterator<Item = &'static Kind>) -> Self {
        let kinds: Vec<_> = kinds.collect();
        let mut anchored = [0; 256];
        for (place, kind) in kinds.iter().enumerate() {
            for &byte in kind.anchors {
                anchored[usize::from(byte)] |= 1 << place;
            }
        }
        Self { kinds, anchored }
    }

    /// Returns all matches, in order and without overlap.
    pub fn find(&self, text: &str) -> Vec<(&'static str, Range<usize>)> {
        self.find_accepted(text, &|_, _| true)
    }

    /// Returns all accepted matches, in order and without overlap. A refused match hides no other:
    /// matches within it and matches that overlap it are found.
    pub fn find_accepted(
        &self,
        text: &str,
        accept: Accept<'_>,
    ) -> Vec<(&'static str, Range<usize>)> {
        let mut found = Vec::new();
        let (mut from, mut at) = (0, 0);
        while let Some(&byte) = text.as_bytes().get(at) {
            let kinds = self.anchored[usize::from(byte)];
            at = match self.find_at(text, from, at, kinds, accept) {
                Some((name, span)) => {
                    from = span.end;
                    found.push((name, span));
                    from
                }
                None => at + 1,
            };
        }
        found
    }

    fn find_at(
        &self,
        text: &str,
        from: usize,
        at: usize,
        mut kinds: u32,
        accept: Accept<'_>,
    ) -> Option<(&'static str, Range<usize>)> {
        while kinds != 0 {
            let kind = self.kinds[kinds.trailing_zeros() as usize];
            if let Some(span) = kind.find_accepted(text, from, at, accept) {
                return Some((kind.name, span));
            }
            kinds &= kinds - 1;
        }
        None
    }
}

impl Kind {
    fn find_accepted(
        &self,
        text: &str,
        from: usize,
        at: usize,
        accept: Accept<'_>,
    ) -> Option<Range<usize>> {
        let seen = text.floor_char_boundary(at.saturating_add(self.reach));
        let bytes = text.as_bytes();
        let span = (self.find)(&bytes[..seen], from, at)?;
        if !accept(self.name, &span) {
            return None;
        }
        match seen < text.len() {
            true => (self.find)(bytes, from, at),
            false => Some(span),
        }
    }
}

impl Debug for Finder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.kinds.iter().map(|kind| kind.name))
            .finish()
    }
}

#[cfg(test)]
mod tests;
