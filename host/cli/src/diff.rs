//! What an edit changes in a file, line by line.

use std::io;
use std::path::Path;

use similar::{ChangeTag, TextDiff};

use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, ERROR, GOOD};
use crate::terminal::{Out, Printable};

/// How many lines around a change are shown.
const AROUND: usize = 2;

/// What changes in a file.
pub fn print(path: &Path, before: &str, after: &str) -> io::Result<()> {
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
