//! `[http]`.

use std::path::PathBuf;

use super::check::Check;
use super::file;

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
}
