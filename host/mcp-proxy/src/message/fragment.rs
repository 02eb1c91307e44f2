//! The known part of a message that is not kept: its id, and whether it is a request.

/// The longest id that is kept, in bytes.
const LONGEST_ID: usize = 256;

/// The known part of a message that cannot be passed on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The id as JSON, if it was found and is not too long.
    pub id: Option<String>,
    /// Whether the message has a method, and so is a request or a notification.
    pub has_method: bool,
}

/// A scanner for the id of an object that arrives in pieces, which are not kept.
#[derive(Debug, Default)]
pub struct Scanner {
    found: Fragment,
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The string or the value that is being read at the top level of the object.
    kept: Vec<u8>,
    reads: Reads,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Reads {
    #[default]
    Key,
    Id,
    Other,
}

impl Scanner {
    /// Reads more bytes.
    pub fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.byte(*byte);
        }
    }

    /// Returns the part that was found.
    pub fn finish(self) -> Fragment {
        self.found
    }

    fn byte(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                if self.depth == 1 {
                    self.value_ends();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.key_ends(),
            b',' if self.depth == 1 => self.value_ends(),
            byte if byte.is_ascii_whitespace() => {}
            byte => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        // One more byte shows that the id is too long.
        if self.depth == 1 && self.reads != Reads::Other && self.kept.len() <= LONGEST_ID {
            self.kept.push(byte);
        }
    }

    fn key_ends(&mut self) {
        if self.reads != Reads::Key {
            return;
        }
        let key = std::mem::take(&mut self.kept);
        self.found.has_method |= key == b"\"method\"";
        self.reads = match key == b"\"id\"" {
            true => Reads::Id,
            false => Reads::Other,
        };
    }

    fn value_ends(&mut self) {
        let value = std::mem::take(&mut self.kept);
        if self.reads == Reads::Id && value.len() <= LONGEST_ID {
            let id = String::from_utf8(value).ok();
            self.found.id = id.filter(|id| matches!(super::Id::parse(id), Ok(Some(_))));
        }
        self.reads = Reads::Key;
    }
}
