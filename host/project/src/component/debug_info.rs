//! Debugging information, which takes ten times as much as the code and has paths of the machine.

/// How the names of its sections begin.
const DEBUG: &[u8] = b".debug_";
/// The bytes before the first section: the format's name and version.
const HEADER: usize = 8;
/// The number of sections that have a name.
const CUSTOM: u8 = 0;

/// The module without its debugging information. What is no module stays as it is.
pub(super) fn without(module: &[u8]) -> Vec<u8> {
    kept(module).unwrap_or_else(|| module.to_owned())
}

fn kept(module: &[u8]) -> Option<Vec<u8>> {
    let (header, mut rest) = module.split_at_checked(HEADER)?;
    let mut kept = header.to_owned();
    while let Some((id, after)) = rest.split_first() {
        let (size, content) = number(after)?;
        let (content, next) = content.split_at_checked(size)?;
        if *id != CUSTOM || !name(content)?.starts_with(DEBUG) {
            let section = rest.len().checked_sub(next.len())?;
            kept.extend_from_slice(rest.get(..section)?);
        }
        rest = next;
    }
    Some(kept)
}

/// The name of such a section.
fn name(content: &[u8]) -> Option<&[u8]> {
    let (length, name) = number(content)?;
    name.get(..length)
}

/// A number in LEB128, and what is behind it.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().enumerate().take(5) {
        value |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn only_debugging_information_is_dropped() {
        let header = b"\0asm\x01\0\0\0".as_slice();
        let debug = b"\0\x0b\x0a.debug_str".as_slice();
        let name = b"\0\x06\x04namex".as_slice();
        let types = b"\x01\x01\0".as_slice();
        let module = [header, types, debug, name].concat();
        assert_eq!(without(&module), [header, types, name].concat());
        assert_eq!(without(b"no module"), b"no module");
        let cut = module.get(..module.len() - 1).unwrap_or_default();
        assert_eq!(without(cut), cut);
    }
}
