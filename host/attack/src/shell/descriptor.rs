//! A hostile hook's descriptor in its memory.

use crate::attack::Header;

/// The descriptor's address.
pub(super) const AT: u32 = 1024;

/// Returns the bytes of the record and of its texts, as the text of a data segment.
pub(super) fn data(header: &Header) -> String {
    let mut record = Record::default();
    for text in [header.id.as_str(), "1.0.0", "attack", "Hostile."] {
        record.text(text);
    }
    let names = [Some(&header.point), header.also.as_ref()];
    let mut points = Vec::new();
    for name in names.into_iter().flatten() {
        points.extend(record.put(name.as_bytes()).to_le_bytes());
        points.extend(length(name.as_bytes()).to_le_bytes());
    }
    record.list(&points, length(&points) / 8);
    record.option(header.priority);
    // The failure policy follows from the possible answers; the deadline is the host's.
    record.bytes.extend([0; 4]);
    record.option(None);
    record.byte(match header.execution.as_str() {
        "deadline" => 1,
        "fire-and-record" => 2,
        "background" => 3,
        _ => 0,
    });
    record.list(&[], 0);
    record.finish()
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}

/// A record of the canonical ABI, and the data that it points to.
#[derive(Default)]
struct Record {
    bytes: Vec<u8>,
    pointed: Vec<u8>,
}

impl Record {
    /// The size of a `descriptor`.
    const SIZE: u32 = 72;

    /// Appends bytes after the record, and returns their address.
    fn put(&mut self, bytes: &[u8]) -> u32 {
        let at = AT + Self::SIZE + length(&self.pointed);
        self.pointed.extend_from_slice(bytes);
        self.pointed
            .resize(self.pointed.len().next_multiple_of(4), 0);
        at
    }

    fn text(&mut self, text: &str) {
        self.list(text.as_bytes(), length(text.as_bytes()));
    }

    fn list(&mut self, bytes: &[u8], count: u32) {
        let at = self.put(bytes);
        self.bytes.extend(at.to_le_bytes());
        self.bytes.extend(count.to_le_bytes());
    }

    /// Adds a byte, and the padding up to the next field.
    fn byte(&mut self, byte: u8) {
        self.bytes.extend([byte, 0, 0, 0]);
    }

    fn option(&mut self, value: Option<i32>) {
        self.byte(u8::from(value.is_some()));
        self.bytes.extend(value.unwrap_or(0).to_le_bytes());
    }

    fn finish(self) -> String {
        let all = self.bytes.iter().chain(&self.pointed);
        all.map(|byte| format!("\\{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_has_its_size() {
        let data = data(&Header::bare());
        assert!(data.len() / 3 > Record::SIZE as usize);
        // The id's text is the first after the record.
        let at = Record::SIZE as usize * 3;
        assert_eq!(data.get(at..at + 3), Some("\\68"));
    }
}
