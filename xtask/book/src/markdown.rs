//! What is in a page: headings, links, blocks of code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A page, read.
#[derive(Debug, Default)]
pub struct Markdown {
    /// Where links may lead to within the page.
    pub anchors: BTreeSet<String>,
    /// Where its links and pictures lead to, as it is written.
    pub links: Vec<String>,
    /// Its blocks of code: the language and the text.
    pub code: Vec<(String, String)>,
}

/// Reads a page.
pub fn parse(text: &str) -> Markdown {
    let mut page = Markdown::default();
    let mut seen = BTreeMap::new();
    let (mut heading, mut code) = (None::<String>, None::<(String, String)>);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let anchor = slug(&heading.take().unwrap_or_default());
                let count = seen.entry(anchor.clone()).or_insert(0);
                page.anchors.insert(match *count {
                    0 => anchor,
                    count => format!("{anchor}-{count}"),
                });
                *count += 1;
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.into_string());
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                code = Some((language.into_string(), String::new()));
            }
            Event::End(TagEnd::CodeBlock) => page.code.extend(code.take()),
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, code)) = &mut code {
                    code.push_str(&text);
                } else if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            _ => {}
        }
    }
    page
}

/// What a heading is called in links.
fn slug(heading: &str) -> String {
    let heading = heading.trim().to_lowercase();
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        _ => None,
    });
    kept.collect()
}

/// The text of a page in a directory with the files that it includes: whole ones, or the part
/// between `ANCHOR: name` and `ANCHOR_END: name`.
///
/// # Errors
///
/// A file or an anchor is not there. mdBook would leave a gap and continue.
pub fn included(text: &str, dir: &Path) -> anyhow::Result<String> {
    const BEGIN: &str = "{{#include ";
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (target, after) = after.split_once("}}").context("an include has no end")?;
        whole.push_str(before);
        let (file, anchor) = match target.trim().split_once(':') {
            Some((file, anchor)) => (file, Some(anchor)),
            None => (target.trim(), None),
        };
        let path = dir.join(file);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("it includes {}, which cannot be read", path.display()))?;
        whole.push_str(&match anchor {
            Some(anchor) => {
                part(&text, anchor).with_context(|| format!("{file} has no part `{anchor}`"))?
            }
            None => text.trim_end().to_owned(),
        });
        rest = after;
    }
    whole.push_str(rest);
    Ok(whole)
}

fn part(text: &str, anchor: &str) -> Option<String> {
    let is = |line: &str, mark: &str| {
        let named = line.split_once(mark).map(|(_, name)| name.trim());
        named == Some(anchor)
    };
    let mut lines = text.lines();
    lines.find(|line| is(line, "ANCHOR: "))?;
    let part: Vec<&str> = lines
        .by_ref()
        .take_while(|line| !is(line, "ANCHOR_END: "))
        .collect();
    (!part.is_empty()).then(|| part.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{parse, part, slug};

    #[test]
    fn headings_are_called_as_the_book_calls_them() {
        assert_eq!(slug("What a hook may import"), "what-a-hook-may-import");
        assert_eq!(slug("`[hooks.ID]`"), "hooksid");
        let page = parse("# One\n\n## Two, `a-b`\n\n# One\n[x](#y)\n");
        let anchors: Vec<&str> = page.anchors.iter().map(String::as_str).collect();
        assert_eq!(anchors, ["one", "one-1", "two-a-b"]);
        assert_eq!(page.links, ["#y"]);
    }

    #[test]
    fn a_part_is_what_is_between_its_marks() {
        let text = "a\n// ANCHOR: x\nb\nc\n// ANCHOR_END: x\nd\n";
        assert_eq!(part(text, "x").as_deref(), Some("b\nc"));
        assert_eq!(part(text, "y"), None);
    }
}
