//! Finding hook files, and reading them without trusting them.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::{LoadError, LoadFault, Stage};

/// The `.wasm` files of a directory, by name. Everything else in it is left alone.
pub(super) fn hook_files(dir: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let unreadable =
        |e: std::io::Error| LoadError::new(dir, Stage::Read, LoadFault::Unreadable(e.to_string()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "wasm") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The bytes of a component. They are read once: what was checked is what is compiled.
pub(super) fn component_bytes(file: &Path, most: u64) -> Result<Vec<u8>, LoadFault> {
    let unreadable = |e: std::io::Error| LoadFault::Unreadable(e.to_string());
    // Before it is opened: to open a FIFO waits for its writer.
    if !std::fs::metadata(file).map_err(unreadable)?.is_file() {
        return Err(LoadFault::NotAFile);
    }
    let opened = std::fs::File::open(file).map_err(unreadable)?;
    let meta = opened.metadata().map_err(unreadable)?;
    if !meta.is_file() {
        return Err(LoadFault::NotAFile);
    }
    let mut bytes = Vec::new();
    opened
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(LoadFault::TooLarge {
            size: meta.len(),
            most,
        });
    }
    is_component(&bytes)?;
    Ok(bytes)
}

/// Tells by its first bytes what a file is.
fn is_component(bytes: &[u8]) -> Result<(), LoadFault> {
    const WASM: &[u8] = b"\0asm";
    const NATIVE: [&[u8]; 4] = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];
    if bytes.is_empty() {
        return Err(LoadFault::Empty);
    }
    if NATIVE.iter().any(|magic| bytes.starts_with(magic)) {
        return Err(LoadFault::NativeCode);
    }
    if !bytes.starts_with(WASM) {
        let begin = bytes.get(..4.min(bytes.len())).unwrap_or_default();
        return Err(LoadFault::NotWasm(begin.escape_ascii().to_string()));
    }
    // The layer: 0 is a module, 1 a component.
    match bytes.get(6..8) {
        Some([1, 0]) => Ok(()),
        Some([0, 0]) => Err(LoadFault::CoreModule),
        Some(_) => Err(LoadFault::Invalid("it has an unknown binary layer".into())),
        None => Err(LoadFault::Invalid("it ends within its header".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_first_bytes() {
        assert_eq!(is_component(b"\0asm\x0d\0\x01\0rest"), Ok(()));
        assert_eq!(is_component(b""), Err(LoadFault::Empty));
        assert_eq!(is_component(b"\0asm\x01\0\0\0"), Err(LoadFault::CoreModule));
        assert_eq!(is_component(b"\x7fELF\x02"), Err(LoadFault::NativeCode));
        assert!(matches!(
            is_component(b"#!/bin/sh"),
            Err(LoadFault::NotWasm(_))
        ));
        assert!(matches!(is_component(b"\0asm"), Err(LoadFault::Invalid(_))));
    }
}
