//! The history of inputs at the prompt.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rustyline::Editor;
use rustyline::history::FileHistory;

/// The most entries; the oldest are dropped.
pub(super) const ENTRIES: usize = 1_000;

/// The most bytes of an entry. A longer one is not kept.
const LONGEST_ENTRY: usize = 4 << 10;

/// A history that is kept in a file, if there is one.
pub(super) struct History(Option<PathBuf>);

impl History {
    /// Loads the history. A file that cannot be used is reported, and nothing is kept.
    pub(super) fn load(
        path: Option<PathBuf>,
        editor: &mut Editor<super::editor::Words, FileHistory>,
    ) -> Self {
        let mut history = Self(path);
        if let Some(path) = &history.0 {
            let loaded = make(path).map_err(Into::into);
            let loaded = loaded.and_then(|()| editor.load_history(path));
            history.check(loaded);
        }
        history
    }

    /// Keeps an entry, unless it is too long, begins with a space or repeats the last entry.
    pub(super) fn keep(
        &mut self,
        entry: &str,
        editor: &mut Editor<super::editor::Words, FileHistory>,
    ) {
        if entry.len() > LONGEST_ENTRY {
            return;
        }
        let added = editor.add_history_entry(entry);
        if let Some(path) = &self.0 {
            let kept = added.and_then(|_| editor.append_history(path));
            self.check(kept);
        }
    }

    fn check(&mut self, done: rustyline::Result<()>) {
        if let (Err(error), Some(path)) = (done, &self.0) {
            tracing::warn!(
                "the history in {} cannot be used, and nothing more is kept in it: {error}; \
                 --no-history uses none",
                path.display()
            );
            self.0 = None;
        }
    }
}

/// Makes an empty file that only the user can read, and its directory.
fn make(path: &Path) -> io::Result<()> {
    let (mut options, mut dirs) = (OpenOptions::new(), DirBuilder::new());
    options.append(true).create(true);
    dirs.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        options.mode(0o600);
        dirs.mode(0o700);
    }
    if let Some(dir) = path.parent() {
        dirs.create(dir)?;
    }
    options.open(path).map(drop)
}
