//! The lines of the sources that a component's functions were compiled from, which `portcullis build` leaves in it.
//!
//! They are in the custom section `portcullis:lines` of the component, and are read only when a trap is shown: a stranger
//! wrote them. All numbers are unsigned LEB128:
//!
//! ```text
//! lines    = 1 (the version) · files · functions
//! files    = count · (length · UTF-8)…
//! functions= count · (index · count · row…)…            by the index in the core module, ascending
//! row      = offset · file · line                       offset: bytes behind the row before, in the function's body
//! ```
//!
//! A row holds up to the next one of its function. Line 0 is none.

use std::sync::Arc;

use wasmparser::{BinaryReader, Parser, Payload};

use crate::contract::text::sanitize_for_terminal;

/// The section's name.
const SECTION: &str = "portcullis:lines";

/// What is kept of it, in bytes: a larger one is no line at all.
const MOST: usize = 1 << 20;

/// The version of the format.
const VERSION: u32 = 1;

/// The lines of a component; none if it has no section for them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceLines(Option<Arc<[u8]>>);

impl SourceLines {
    /// Those of a component that is valid.
    pub(crate) fn of(component: &[u8]) -> Self {
        let mut within = 0_usize;
        for payload in Parser::new(0).parse_all(component).map_while(Result::ok) {
            match payload {
                Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => within += 1,
                Payload::End(_) => within = within.saturating_sub(1),
                Payload::CustomSection(section) if within == 0 && section.name() == SECTION => {
                    let data = section.data();
                    return Self((data.len() <= MOST).then(|| data.into()));
                }
                _ => {}
            }
        }
        Self::default()
    }

    /// The file and the line of an offset in a function, as `src/hook.c:12`.
    pub(super) fn find(&self, function: u32, offset: usize) -> Option<String> {
        let data = self.0.as_deref()?;
        // What cannot be read is no line.
        let (file, line) = find(data, function, offset).ok()??;
        Some(format!("{}:{line}", sanitize_for_terminal(file)))
    }
}

/// Reads no more than the section once: each number that is counted to takes a byte of it.
fn find(
    data: &[u8],
    function: u32,
    offset: usize,
) -> Result<Option<(&str, u32)>, wasmparser::BinaryReaderError> {
    let mut reader = BinaryReader::new(data, 0);
    if reader.read_var_u32()? != VERSION {
        return Ok(None);
    }
    let files = reader.read_var_u32()?;
    let mut names = reader.clone();
    for _ in 0..files {
        reader.read_string()?;
    }
    for _ in 0..reader.read_var_u32()? {
        let index = reader.read_var_u32()?;
        let (mut at, mut found) = (0_usize, None);
        for _ in 0..reader.read_var_u32()? {
            at = at.saturating_add(reader.read_var_u32()? as usize);
            let (file, line) = (reader.read_var_u32()?, reader.read_var_u32()?);
            if at <= offset {
                found = Some((file, line)).filter(|(_, line)| *line > 0);
            }
        }
        if index == function {
            let Some((file, line)) = found.filter(|(file, _)| *file < files) else {
                return Ok(None);
            };
            for _ in 0..file {
                names.read_string()?;
            }
            return Ok(Some((names.read_string()?, line)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::SourceLines;

    fn lines(data: &[u8]) -> SourceLines {
        SourceLines(Some(data.into()))
    }

    #[test]
    fn a_row_holds_up_to_the_next() {
        let data = b"\x01\x02\x03a.c\x03b.c\x02\x04\x01\x00\x00\x09\x07\x03\x02\x00\x03\x04\x01\x05\x02\x00\x00";
        let lines = lines(data);
        for (function, offset, expected) in [
            (4, 0, Some("a.c:9")),
            (7, 1, None),
            (7, 2, Some("a.c:3")),
            (7, 5, Some("a.c:3")),
            (7, 6, Some("b.c:5")),
            (7, 8, None),
            (5, 0, None),
        ] {
            let found = lines.find(function, offset);
            assert_eq!(found.as_deref(), expected, "{function} {offset}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_no_line() {
        for data in [
            &b""[..],
            b"\x02\x00\x00",
            b"\x01\xff\xff\xff\xff\x0f",
            b"\x01\x01\x02\xff\xfe\x01\x00\x01\x00\x00\x01",
            b"\x01\x00\x01\x00\x01\x00\x09\x01",
            b"\x01\x00\xff\xff\xff\xff\x0f\x00\xff\xff\xff\xff\x0f",
        ] {
            assert_eq!(lines(data).find(0, 0), None, "{data:?}");
        }
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let component = |size: usize| {
            let name = super::SECTION;
            let length = name.len() + 1 + size;
            let mut bytes = b"\0asm\x0d\0\x01\0\0".to_vec();
            // A number of four bytes, whatever its size.
            bytes.extend([0, 7, 14, 21].map(|bits| (length >> bits) as u8 & 0x7f | 0x80));
            bytes.extend([0, name.len() as u8]);
            bytes.extend(name.bytes());
            bytes.resize(bytes.len() + size, 1);
            bytes
        };
        assert!(SourceLines::of(&component(super::MOST)).0.is_some());
        assert!(SourceLines::of(&component(super::MOST + 1)).0.is_none());
    }
}
