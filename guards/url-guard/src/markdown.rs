//! The addresses in Markdown, as its parser reads them.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Parser, Tag, TagEnd};

use crate::shown::Shown;

/// An image or link whose end is not yet read.
struct Open<'a> {
    kind: LinkType,
    address: CowStr<'a>,
    /// The label of its definition.
    id: CowStr<'a>,
    is_image: bool,
    /// The end of the last part of its text.
    end: usize,
}

/// Adds the addresses of images, links and definitions.
pub fn find(text: &str, found: &mut Vec<Shown>) {
    let mut events = Parser::new(text).into_offset_iter();
    let mut open: Vec<Open<'_>> = Vec::new();
    // The starts of the definitions of images.
    let mut images = BTreeSet::new();
    while let Some((event, range)) = events.next() {
        let (begun, is_image) = match event {
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                id,
                ..
            }) => (Some((link_type, dest_url, id)), true),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                id,
                ..
            }) => (Some((link_type, dest_url, id)), false),
            Event::End(TagEnd::Image | TagEnd::Link) => {
                let Some(ended) = open.pop() else { continue };
                let definitions = events.reference_definitions();
                match ended.kind {
                    LinkType::Inline => found.extend(inline(text, &ended, range.end)),
                    LinkType::Autolink => found.push(Shown {
                        place: range.start + 1..range.end.saturating_sub(1),
                        address: ended.address.into_string(),
                        is_image: false,
                    }),
                    _ if ended.is_image => {
                        images.extend(definitions.get(&ended.id).map(|found| found.span.start));
                    }
                    _ => {}
                }
                continue;
            }
            _ => (None, false),
        };
        if let Some(outer) = open.last_mut() {
            outer.end = outer.end.max(range.end);
        }
        open.extend(begun.map(|(kind, address, id)| Open {
            kind,
            address,
            id,
            is_image,
            end: range.start,
        }));
    }
    for (_, definition) in events.reference_definitions().iter() {
        let span = definition.span.clone();
        let said = text.get(span.clone()).unwrap_or_default();
        if let Some(label) = label(said) {
            found.push(Shown {
                place: place(text, span.start + label..span.end, &definition.dest),
                address: definition.dest.to_string(),
                is_image: images.contains(&span.start),
            });
        }
    }
}

/// Returns the address of an image or link whose text is followed by it.
fn inline(text: &str, link: &Open<'_>, end: usize) -> Option<Shown> {
    let within = link.end..end.checked_sub(1)?;
    let start = within.start + text.get(within.clone())?.find("](")? + 2;
    Some(Shown {
        place: place(text, start..within.end, &link.address),
        address: link.address.to_string(),
        is_image: link.is_image,
    })
}

/// Returns the length of the label of a definition, with its colon.
fn label(definition: &str) -> Option<usize> {
    let mut signs = definition.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => _ = signs.next(),
            ']' => return Some(at + "]:".len()),
            _ => {}
        }
    }
    None
}

/// Returns the range of the address in a text that may also have a title: the whole text if the address has escapes.
fn place(text: &str, within: Range<usize>, address: &str) -> Range<usize> {
    let said = text.get(within.clone()).unwrap_or_default();
    let bare =
        said.trim_start_matches(|letter: char| letter.is_whitespace() || "<>".contains(letter));
    let start = within.end - bare.len();
    if bare.starts_with(address) {
        return start..start + address.len();
    }
    let start = within.end - said.trim_start().len();
    start..within.start + said.trim_end().len()
}
