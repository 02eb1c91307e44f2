//! The output of `install` and `uninstall`.

use std::io;
use std::path::Path;

use portcullis_dialects::Dialect;

use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::style::{GOOD, NOTE};

/// Reports that there is nothing to change.
pub fn unchanged(path: &Path) -> io::Result<()> {
    print_line!(Out::stdout(), "nothing to change in {}", path.display())
}

/// Reports that the person did not agree.
pub fn not_written(path: &Path) -> io::Result<()> {
    print_line!(Out::stdout(), "{} was not changed", path.display())
}

/// Reports that the file was written.
pub fn written(path: &Path) -> io::Result<()> {
    print_line!(Out::stdout(), "{GOOD}✓{GOOD:#} {}", path.display())
}

/// Reports entries that were kept because they had changed.
pub fn left(path: &Path, events: &[String]) -> io::Result<()> {
    print_line!(
        Out::stderr(),
        "{NOTE}!{NOTE:#} left in {}, since it was changed after it was installed: {}",
        path.display(),
        events.join(", ")
    )
}

/// Prints the next step after an installation.
pub fn installed(agent: Dialect) -> io::Result<()> {
    let next = match agent {
        Dialect::Claude => "Running sessions of Claude Code may have to be started again.",
        Dialect::Codex => "Codex asks whether you trust the new hooks: start it and enter /hooks.",
        Dialect::Gemini => "Running sessions of Gemini CLI must be started again.",
    };
    print_line!(Out::stdout(), "{}", next)
}
