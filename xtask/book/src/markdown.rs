//! The headings, links and code blocks of a page.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};

/// A parsed page.
#[derive(Debug, Default)]
pub struct Markdown {
    /// The anchors that links to this page may use.
    pub anchors: BTreeSet<String>,
    /// The targets of the page's links and pictures, as written.
    pub links: Vec<String>,
    /// The code blocks: the language and the text.
    pub code: Vec<(String, String)>,
}

/// Parses a page.
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

/// Returns a heading's anchor.
fn slug(heading: &str) -> String {
    let heading = heading.trim().to_lowercase();
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        _ => None,
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::{parse, slug};

    #[test]
    fn headings_are_called_as_the_book_calls_them() {
        assert_eq!(slug("What a hook may import"), "what-a-hook-may-import");
        assert_eq!(slug("`[hooks.ID]`"), "hooksid");
        let page = parse("# One\n\n## Two, `a-b`\n\n# One\n[x](#y)\n");
        let anchors: Vec<&str> = page.anchors.iter().map(String::as_str).collect();
        assert_eq!(anchors, ["one", "one-1", "two-a-b"]);
        assert_eq!(page.links, ["#y"]);
    }
}
