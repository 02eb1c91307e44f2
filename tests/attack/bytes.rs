//! Attacks in bytes that no assembler produces.

use portcullis_attack::Attack;

/// The number of types, each within the next.
const DEPTH: usize = 1_000_000;

/// Returns the attacks.
pub fn attacks() -> Vec<Attack> {
    let card = ";; what = \"Has a million types, each within the next.\"\n;; covers = \"a small component that is large to the compiler\"\n\
                ;; expected = \"load-refused\"\n;; cause = [\"too-complex\"]\n";
    let attack = Attack::of_component("bytes/types-in-types", card, types_in_types());
    vec![attack.expect("a card")]
}

fn types_in_types() -> Vec<u8> {
    // One type: an instance type with one declaration, which is again an instance type, and so on.
    let mut section = vec![1];
    section.extend([0x42, 1, 1].repeat(DEPTH - 1));
    section.extend([0x42, 0]);
    let mut component = b"\0asm\x0d\0\x01\0\x07".to_vec();
    let mut left = section.len();
    while left >= 0x80 {
        component.push((left & 0x7f) as u8 | 0x80);
        left >>= 7;
    }
    component.push(left as u8);
    component.extend(section);
    component
}
