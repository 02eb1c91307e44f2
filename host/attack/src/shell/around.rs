//! A component around a core module that was compiled elsewhere.

use std::fmt::Write as _;

use super::contract::{self, Function};
use super::{COMMON, REALLOC, descriptor, exports, libc, points};
use crate::attack::Header;

/// The first bytes of a component.
const HEADER: usize = 8;
/// The id of the section of a core module.
const MODULE: u8 = 1;
/// The functions of the contract that a module may import, besides `reject` at its point.
const FUNCTIONS: [&str; 2] = ["call/turn", "failure/fail"];

/// Returns the bytes of a component around a module that exports `handle`. It imports its memory
/// from `env`, and functions of the contract from their interfaces.
///
/// # Errors
///
/// Hostile hooks cannot serve the point.
pub(crate) fn around(header: &Header, module: &[u8]) -> Result<Vec<u8>, String> {
    let points = points(header)?;
    let reject = format!("{}-answer/reject", header.point);
    let functions: Vec<Function> = FUNCTIONS
        .into_iter()
        .chain([reject.as_str()])
        .filter_map(Function::of)
        .collect();
    let at = descriptor::AT;
    // The descriptor is in the instance of the memory, because the module does not contain it.
    let describes = format!(
        "{REALLOC}\n    (data (i32.const {at}) \"{}\")\n    \
         (func (export \"describe\") (result i32) (i32.const {at}))",
        descriptor::data(header)
    );
    let mut out = String::from("(component\n");
    out += COMMON;
    libc(&mut out, header, &describes);
    out += &contract::imported(&functions, &header.point).component;
    let (instances, given) = contract::instances(&functions);
    out += &instances;
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "  (core module $main)\n  \
           (core instance $main (instantiate $main (with \"env\" (instance $libc)){given}))"
    );
    exports(&mut out, &points, "", "$libc");
    out.push(')');
    let component = wat::parse_str(&out).map_err(|e| e.to_string())?;
    with_module(&component, 1, module).ok_or_else(|| "the shell has no place for it".to_owned())
}

/// Returns the component with another core module at an index.
fn with_module(component: &[u8], index: usize, module: &[u8]) -> Option<Vec<u8>> {
    let mut out = component.get(..HEADER)?.to_vec();
    let mut rest = component.get(HEADER..)?;
    let mut modules = 0;
    while let Some((id, after)) = rest.split_first() {
        let (size, after) = number(after)?;
        let (content, after) = after.split_at_checked(size)?;
        let content = match *id == MODULE && modules == index {
            true => module,
            false => content,
        };
        modules += usize::from(*id == MODULE);
        out.push(*id);
        put_number(&mut out, content.len());
        out.extend_from_slice(content);
        rest = after;
    }
    (modules > index).then_some(out)
}

/// Returns a number in LEB128, and the rest.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0usize;
    for (place, byte) in bytes.iter().enumerate().take(5) {
        value |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(place + 1..)?));
        }
    }
    None
}

fn put_number(out: &mut Vec<u8>, mut value: usize) {
    loop {
        let low = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for value in [0, 1, 127, 128, 300, 1 << 20] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, value);
            bytes.push(9);
            assert_eq!(number(&bytes), Some((value, &[9][..])));
        }
    }

    #[test]
    fn one_module_is_replaced() {
        let component = wat::parse_str("(component (core module) (core module (func)))");
        let component = component.expect("a component");
        let other = wat::parse_str("(module (memory 7))").expect("a module");
        let done = with_module(&component, 1, &other).expect("a place");
        assert!(done.windows(other.len()).any(|part| part == other));
        assert_eq!(with_module(&component, 2, &other), None);
    }
}
