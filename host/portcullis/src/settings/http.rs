//! `[http]` and `grants.http`.

use std::path::PathBuf;

use super::check::Check;
use super::file;
use crate::sandbox::capabilities::HttpRule;

/// What holds for all requests of hooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpSettings {
    /// Files of certificates (PEM) of authorities to trust beside those of the web.
    pub roots: Vec<PathBuf>,
}

impl Check<'_> {
    pub(super) fn http(&mut self, http: file::Http) -> HttpSettings {
        let dir = self.source.dir();
        let roots = http.roots.iter().map(|file| dir.join(file)).collect();
        HttpSettings { roots }
    }

    pub(super) fn http_rules(&mut self, id: &str, lines: &[String]) -> Vec<HttpRule> {
        let mut rules = Vec::new();
        for line in lines {
            match line.parse() {
                Ok(rule) => rules.push(rule),
                Err(problem) => {
                    let line = crate::contract::text::sanitize_for_terminal(line);
                    let at = &["hooks", id, "grants", "http"];
                    let error = self.source.error(at, format!("`{line}` {problem}"));
                    self.errors.push(error);
                }
            }
        }
        rules
    }
}
