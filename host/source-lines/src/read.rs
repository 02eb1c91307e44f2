//! Reading the table.

use wasmparser::{BinaryReader, BinaryReaderError, Parser, Payload};

use crate::{MOST_BYTES, SECTION, VERSION};

/// Returns the table of a component that is valid; `None` if it has none, or one that is larger
/// than [`MOST_BYTES`].
pub fn of_component(component: &[u8]) -> Option<&[u8]> {
    let mut within = 0_usize;
    for payload in Parser::new(0).parse_all(component).map_while(Result::ok) {
        match payload {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => within += 1,
            Payload::End(_) => within = within.saturating_sub(1),
            Payload::CustomSection(section) if within == 0 && section.name() == SECTION => {
                let data = section.data();
                return (data.len() <= MOST_BYTES).then_some(data);
            }
            _ => {}
        }
    }
    None
}

/// Returns the file and the line of an offset in a function, both as the core module has them;
/// `None` if the table does not have them or cannot be read.
pub fn find(data: &[u8], function: u32, offset: usize) -> Option<(&str, u32)> {
    read(data, function, offset).ok().flatten()
}

/// Reads no more than the section once: each counted item takes at least one byte of the section.
fn read(
    data: &[u8],
    function: u32,
    offset: usize,
) -> Result<Option<(&str, u32)>, BinaryReaderError> {
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
    use super::*;

    #[test]
    fn a_row_holds_up_to_the_next() {
        let data = b"\x01\x02\x03a.c\x03b.c\x02\x04\x01\x00\x00\x09\x07\x03\x02\x00\x03\x04\x01\x05\x02\x00\x00";
        for (function, offset, expected) in [
            (4, 0, Some(("a.c", 9))),
            (7, 1, None),
            (7, 2, Some(("a.c", 3))),
            (7, 5, Some(("a.c", 3))),
            (7, 6, Some(("b.c", 5))),
            (7, 8, None),
            (5, 0, None),
        ] {
            assert_eq!(
                find(data, function, offset),
                expected,
                "{function} {offset}"
            );
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
            assert_eq!(find(data, 0, 0), None, "{data:?}");
        }
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let component = |size: usize| {
            let length = SECTION.len() + 1 + size;
            let mut bytes = b"\0asm\x0d\0\x01\0\0".to_vec();
            // The number always takes four bytes.
            bytes.extend([0, 7, 14, 21].map(|bits| (length >> bits) as u8 & 0x7f | 0x80));
            bytes.extend([0, SECTION.len() as u8]);
            bytes.extend(SECTION.bytes());
            bytes.resize(bytes.len() + size, 1);
            bytes
        };
        assert!(of_component(&component(MOST_BYTES)).is_some());
        assert!(of_component(&component(MOST_BYTES + 1)).is_none());
    }
}
