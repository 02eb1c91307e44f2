//! Debugging information, which is ten times as large as the code and contains paths of the machine.

use anyhow::Context as _;
use wasm_encoder::{Module, RawSection};
use wasmparser::{Parser, Payload};

/// The prefix of its sections' names.
const DEBUG: &str = ".debug_";

/// Returns the module without its debugging information.
pub(super) fn without(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut kept = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        if let Payload::CustomSection(section) = &payload
            && section.name().starts_with(DEBUG)
        {
            continue;
        }
        if let Some((id, range)) = payload.as_section() {
            let data = module
                .get(range)
                .context("a section ends after the module")?;
            kept.section(&RawSection { id, data });
        }
    }
    Ok(kept.finish())
}

#[cfg(test)]
mod tests {
    use super::without;

    const HEADER: &[u8] = b"\0asm\x01\0\0\0";
    const TYPES: &[u8] = b"\x01\x01\0";
    const NAME: &[u8] = b"\0\x06\x04namex";

    #[test]
    fn only_debugging_information_is_dropped() {
        let debug = b"\0\x0b\x0a.debug_str".as_slice();
        let module = [HEADER, TYPES, debug, NAME].concat();
        let kept = without(&module).expect("a module");
        assert_eq!(kept, [HEADER, TYPES, NAME].concat());
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let module = [HEADER, TYPES, NAME].concat();
        let cut = module.get(..module.len() - 1).expect("a part");
        for wrong in [cut, b"no module"] {
            assert!(without(wrong).is_err(), "{wrong:?}");
        }
    }
}
