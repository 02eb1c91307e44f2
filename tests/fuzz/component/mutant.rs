//! Changed copies of a real component.

use std::ops::Range;

use arbitrary::{Result, Unstructured};
use wasmparser::{Parser, Payload};

/// Names that replace each other. Both names of a pair have the same length.
const NAMES: &[(&str, &str)] = &[
    ("pre-turn", "pre-step"),
    ("pre-turn", "pre-lunc"),
    ("pre-tool-call", "pre-llm-calls"),
    ("post-llm-call", "post-llm-cals"),
    ("@0.2.0", "@9.9.9"),
    ("@0.2.0", "@0.2.9"),
    ("portcullis:hooks", "portcullis:hookz"),
    ("wasi:", "evil:"),
    ("conversation", "conversatiom"),
    ("handle", "hamdle"),
    ("describe", "describf"),
    ("session-id", "session-ie"),
    ("transform", "transforn"),
    ("reject", "rejekt"),
    ("-answer", "-anzwer"),
    ("-facts", "-fakts"),
    ("pre-turn-answer", "pre-step-answer"),
    ("pre-turn-facts", "pre-step-facts"),
    ("memory", "memorz"),
    ("cabi_realloc", "cabi_realloz"),
    ("tiny", "t\u{1b}[m"),
    ("flaky", "../fl"),
];

/// Returns the component with some changes.
pub fn of(real: &[u8], others: &[Vec<u8>], u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut bytes = real.to_vec();
    for _ in 0..u.int_in_range(1..=4)? {
        change(&mut bytes, others, u)?;
    }
    Ok(bytes)
}

fn change(bytes: &mut Vec<u8>, others: &[Vec<u8>], u: &mut Unstructured<'_>) -> Result<()> {
    let sections = sections(bytes);
    match u.int_in_range(0..=11)? {
        0..=2 => {
            // A section is chosen first, so that small sections are changed as often as large ones.
            let range = match sections.is_empty() {
                true => 0..bytes.len(),
                false => u.choose(&sections)?.clone(),
            };
            let at = range.start + u.choose_index(range.len().max(1))?;
            let new: u8 = u.arbitrary()?;
            if let Some(byte) = bytes.get_mut(at) {
                *byte = new;
            }
        }
        3 => rename(bytes, u)?,
        4 => rename(bytes, u)?,
        5 => {
            let end = u.choose_index(bytes.len().max(1))?;
            bytes.truncate(end);
        }
        6 => {
            let at = u.choose_index(bytes.len().max(1))?;
            let end = (at + u.int_in_range(1..=64)?).min(bytes.len());
            drop(bytes.drain(at..end));
        }
        7 => {
            let at = u.choose_index(bytes.len().max(1))?;
            let length = u.int_in_range(1..=16)?;
            let new = u.bytes(length.min(u.len()))?.to_vec();
            drop(bytes.splice(at..at, new));
        }
        // A whole part: the bytes between the starts of two sections.
        8 if sections.len() > 1 => {
            let part = part(&sections, u)?;
            drop(bytes.drain(part));
        }
        9 if sections.len() > 1 => {
            let part = part(&sections, u)?;
            let copy = bytes[part.clone()].to_vec();
            drop(bytes.splice(part.start..part.start, copy));
        }
        10 if sections.len() > 1 => {
            let here = part(&sections, u)?;
            let other = u.choose(others)?;
            let theirs = self::sections(other);
            if theirs.len() > 1 {
                let copy = other[part(&theirs, u)?].to_vec();
                drop(bytes.splice(here.start..here.start, copy));
            }
        }
        _ => {
            let at = u.choose_index(bytes.len().max(1))?;
            let end = (at + u.int_in_range(1..=32)?).min(bytes.len());
            bytes[at..end].fill(u.arbitrary()?);
        }
    }
    Ok(())
}

fn rename(bytes: &mut [u8], u: &mut Unstructured<'_>) -> Result<()> {
    let (one, other) = u.choose(NAMES)?;
    let (old, new) = match u.arbitrary()? {
        true => (one.as_bytes(), other.as_bytes()),
        false => (other.as_bytes(), one.as_bytes()),
    };
    let places: Vec<usize> = bytes
        .windows(old.len())
        .enumerate()
        .filter(|(_, window)| *window == old)
        .map(|(at, _)| at)
        .collect();
    if places.is_empty() {
        return Ok(());
    }
    let all = u.arbitrary()?;
    let one = *u.choose(&places)?;
    for at in places {
        if all || at == one {
            bytes[at..at + new.len()].copy_from_slice(new);
        }
    }
    Ok(())
}

fn part(sections: &[Range<usize>], u: &mut Unstructured<'_>) -> Result<Range<usize>> {
    let index = u.choose_index(sections.len() - 1)?;
    // A section's header stands before the section; the header of the next section ends this part.
    Ok(sections[index].start.min(sections[index + 1].start)..sections[index + 1].start)
}

/// Returns the ranges of its sections, including those of modules in it, as far as it can be read.
fn sections(bytes: &[u8]) -> Vec<Range<usize>> {
    Parser::new(0)
        .parse_all(bytes)
        .map_while(std::result::Result::ok)
        .filter_map(|payload| match payload {
            Payload::CodeSectionEntry(body) => Some(body.range()),
            payload => payload.as_section().map(|(_, range)| range),
        })
        .filter(|range| range.end <= bytes.len())
        .collect()
}
