//! Checks that every page must pass.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;

use crate::markdown::{Markdown, parse};
use crate::{DOCS, written};

/// All pages, read.
#[derive(Debug)]
pub struct Book {
    root: PathBuf,
    /// The pages by their path from the workspace.
    pub pages: BTreeMap<PathBuf, Markdown>,
}

impl Book {
    /// Reads all pages.
    ///
    /// # Errors
    ///
    /// A page cannot be read.
    pub fn read(root: &Path) -> anyhow::Result<Self> {
        let mut pages = BTreeMap::new();
        for path in written(root)? {
            let text = fs::read_to_string(root.join(&path));
            let text = text.with_context(|| path.display().to_string())?;
            pages.insert(path, parse(&text));
        }
        Ok(Self {
            root: root.to_owned(),
            pages,
        })
    }

    /// Returns the dead links: to a missing file, to a missing heading, or to a path outside the
    /// book, which works in the repository only.
    pub fn dead_links(&self) -> Vec<String> {
        let mut dead = Vec::new();
        for (path, page) in &self.pages {
            for link in &page.links {
                if let Some(why) = self.wrong_with(path, link) {
                    dead.push(format!("{}: `{link}` {why}", path.display()));
                }
            }
        }
        dead
    }

    fn wrong_with(&self, page: &Path, link: &str) -> Option<&'static str> {
        if link.contains("://") || link.starts_with("mailto:") {
            return None;
        }
        let (file, anchor) = match link.split_once('#') {
            Some((file, anchor)) => (file, Some(anchor)),
            None => (link, None),
        };
        let target = match file {
            "" => page.to_owned(),
            file => normal(&page.parent().unwrap_or(Path::new("")).join(file))?,
        };
        if !self.root.join(&target).exists() {
            return Some("does not exist");
        }
        if page.starts_with(DOCS) && !target.starts_with(DOCS) {
            return Some("leads out of the book");
        }
        let anchor = anchor?;
        match self.pages.get(&target) {
            Some(page) if page.anchors.contains(anchor) => None,
            Some(_) => Some("names a heading that does not exist"),
            None => Some("names a heading in a file that is not a page"),
        }
    }

    /// Returns the pages that the summary does not list, and the listed pages that do not exist.
    ///
    /// # Errors
    ///
    /// There is no summary.
    pub fn unlisted(&self) -> anyhow::Result<Vec<String>> {
        let summary = Path::new(DOCS).join("SUMMARY.md");
        let listed = self.pages.get(&summary).context("there is no summary")?;
        let listed: BTreeSet<PathBuf> = listed
            .links
            .iter()
            .map(|link| Path::new(DOCS).join(link))
            .collect();
        let there = self.pages.keys();
        let there: BTreeSet<PathBuf> = there
            .filter(|path| path.starts_with(DOCS) && **path != summary)
            .cloned()
            .collect();
        let differ = there.symmetric_difference(&listed);
        Ok(differ.map(|path| path.display().to_string()).collect())
    }

    /// Returns the lines that begin with `program` in all blocks of shell commands, as words, each
    /// with its page.
    pub fn commands(&self, program: &str) -> Vec<(&Path, Vec<String>)> {
        let mut commands = Vec::new();
        for (path, page) in &self.pages {
            let shell = page.code.iter().filter(|(language, _)| language == "sh");
            for (_, text) in shell {
                for line in text.replace("\\\n", " ").lines() {
                    let words = words(line);
                    if words.first().is_some_and(|word| word == program) {
                        commands.push((path.as_path(), words));
                    }
                }
            }
        }
        commands
    }
}

/// Returns the path without `..`, or `None` if it leads out of the workspace.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            other => normal.push(other),
        }
    }
    Some(normal)
}

/// Splits a shell line into words. Quotes hold words together, and a comment or an operator ends
/// the command.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, '|' | '>' | '<' | '&' | ';') => break,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_line_of_shell_is_words() {
        assert_eq!(words("a --b 'c d' \"\"  # why"), ["a", "--b", "c d", ""]);
        assert_eq!(words("a b | c"), ["a", "b"]);
        assert!(words("# only a remark").is_empty());
    }
}
