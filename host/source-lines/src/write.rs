//! Writing the table.

use std::borrow::Cow;
use std::collections::BTreeSet;

use wasm_encoder::{CustomSection, Encode as _, Section as _};

use crate::{MOST_BYTES, SECTION, VERSION};

/// The lines of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The function's index in the core module.
    pub index: u32,
    /// The function's rows, by their offsets.
    pub rows: Vec<Row>,
}

/// The start of a line's code in the body of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The offset in the function's body, in bytes.
    pub offset: u32,
    /// The file, such as `src/hook.c`.
    pub file: String,
    /// The line, from 1; 0 for none.
    pub line: u32,
}

/// A table that is too large to be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("its table of source lines takes {bytes} bytes, and no more than {MOST_BYTES} are read")]
pub struct TooLarge {
    /// The size in bytes.
    pub bytes: usize,
}

/// Returns the custom section of a component with these lines; empty if there are none. The
/// functions are in the order of their indices.
///
/// # Errors
///
/// The table is larger than [`MOST_BYTES`].
pub fn section(functions: &[Function]) -> Result<Vec<u8>, TooLarge> {
    let mut section = Vec::new();
    if functions.is_empty() {
        return Ok(section);
    }
    let data = encoded(functions);
    if data.len() > MOST_BYTES {
        return Err(TooLarge { bytes: data.len() });
    }
    CustomSection {
        name: Cow::Borrowed(SECTION),
        data: Cow::Owned(data),
    }
    .append_to(&mut section);
    Ok(section)
}

fn encoded(functions: &[Function]) -> Vec<u8> {
    let rows = || functions.iter().flat_map(|function| &function.rows);
    let files: BTreeSet<&str> = rows().map(|row| row.file.as_str()).collect();
    let files: Vec<&str> = files.into_iter().collect();
    let mut data = Vec::new();
    VERSION.encode(&mut data);
    files.len().encode(&mut data);
    for file in &files {
        file.encode(&mut data);
    }
    functions.len().encode(&mut data);
    for Function { index, rows } in functions {
        index.encode(&mut data);
        rows.len().encode(&mut data);
        let mut before = 0;
        for row in rows {
            row.offset.saturating_sub(before).encode(&mut data);
            before = row.offset;
            let file = files.binary_search(&row.file.as_str()).unwrap_or_default();
            file.encode(&mut data);
            row.line.encode(&mut data);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{find, of_component};

    fn row(offset: u32, file: &str, line: u32) -> Row {
        let file = file.to_owned();
        Row { offset, file, line }
    }

    fn component(section: &[u8]) -> Vec<u8> {
        [b"\0asm\x0d\0\x01\0".as_slice(), section].concat()
    }

    #[test]
    fn what_is_written_is_read() {
        let functions = [
            Function {
                index: 4,
                rows: vec![row(0, "src/b.c", 9)],
            },
            Function {
                index: 700,
                rows: vec![
                    row(2, "src/a.c", 3),
                    row(300, "src/b.c", 5),
                    row(302, "", 0),
                ],
            },
        ];
        let component = component(&section(&functions).unwrap());
        let data = of_component(&component).expect("the table");
        for (function, offset, expected) in [
            (4, 0, Some(("src/b.c", 9))),
            (700, 1, None),
            (700, 299, Some(("src/a.c", 3))),
            (700, 300, Some(("src/b.c", 5))),
            (700, 302, None),
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
    fn what_would_not_be_read_is_not_written() {
        let of_size = |rows: u32| {
            section(&[Function {
                index: 0,
                // Three bytes each.
                rows: (0..rows).map(|at| row(at, "a", 1)).collect(),
            }])
        };
        // The version, the files and the numbers before the rows take 11 bytes.
        let fit = (MOST_BYTES as u32 - 11) / 3;
        let largest = component(&of_size(fit).unwrap());
        assert!(of_component(&largest).is_some());
        let error = of_size(fit + 4).unwrap_err();
        assert!(error.bytes > MOST_BYTES, "{error}");
    }
}
