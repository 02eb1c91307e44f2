//! What `install` and `uninstall` print.

use std::io;
use std::path::Path;

use portcullis_dialects::Dialect;
use similar::{ChangeTag, TextDiff};

use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, ERROR, GOOD, NOTE};
use crate::terminal::{Out, Printable};

/// How many lines around a change are shown.
const AROUND: usize = 2;

/// What changes in a file.
pub fn diff(path: &Path, before: &str, after: &str) -> io::Result<()> {
    let mut out = Out::stdout();
    print_line!(out, "{BOLD}{}{BOLD:#}", path.display())?;
    let diff = TextDiff::from_lines(before, after);
    for (at, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if at > 0 {
            print_line!(out, "  …")?;
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = Printable::whole(change.value().trim_end_matches(['\r', '\n']));
            match change.tag() {
                ChangeTag::Equal => print_line!(out, "    {}", line)?,
                ChangeTag::Insert => print_line!(out, "  {GOOD}+ {}{GOOD:#}", line)?,
                ChangeTag::Delete => print_line!(out, "  {ERROR}- {}{ERROR:#}", line)?,
            }
        }
    }
    Ok(())
}

/// Nothing was to be done.
pub fn unchanged(path: &Path) -> io::Result<()> {
    print_line!(Out::stdout(), "nothing to change in {}", path.display())
}

/// The person did not agree.
pub fn not_written(path: &Path) -> io::Result<()> {
    print_line!(Out::stdout(), "{} was not changed", path.display())
}

/// It was written.
pub fn written(path: &Path) -> io::Result<()> {
    print_line!(Out::stdout(), "{GOOD}✓{GOOD:#} {}", path.display())
}

/// Entries that were changed were left.
pub fn left(path: &Path, events: &[String]) -> io::Result<()> {
    print_line!(
        Out::stderr(),
        "{NOTE}!{NOTE:#} left in {}, since it was changed after it was installed: {}",
        path.display(),
        events.join(", ")
    )
}

/// What is left to do.
pub fn installed(agent: Dialect) -> io::Result<()> {
    let next = match agent {
        Dialect::Claude => "Running sessions of Claude Code may have to be started again.",
        Dialect::Codex => "Codex asks whether you trust the new hooks: start it and enter /hooks.",
        Dialect::Gemini => "Running sessions of Gemini CLI must be started again.",
    };
    print_line!(Out::stdout(), "{}", next)
}
