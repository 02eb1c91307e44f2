//! `[http]`.

use std::path::PathBuf;

use super::check::Check;
use super::file;

/// Settings for the requests of all hooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpSettings {
    /// Certificate files (PEM) of authorities to trust in addition to the web's.
    pub roots: Vec<PathBuf>,
}

impl Check<'_> {
    pub(super) fn http(&mut self, http: file::Http) -> HttpSettings {
        let dir = self.source.dir();
        let roots = http.roots.iter().map(|file| dir.join(file)).collect();
        HttpSettings { roots }
    }
}
