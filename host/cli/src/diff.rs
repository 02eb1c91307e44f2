//! The changes of an edit to a file, line by line.

use std::io;
use std::path::Path;

use portcullis_explain::{ChangeTag, TextDiff};

use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, ERROR, GOOD};
use crate::terminal::{Out, Printable};

/// The number of lines shown around a change.
const AROUND: usize = 2;

/// Prints the changes to a file.
pub fn print(path: &Path, before: &str, after: &str) -> io::Result<()> {
    let mut out = Out::stdout();
    print_line!(out, "{BOLD}{}{BOLD:#}", path.display())?;
    let groups = TextDiff::lines(before, after).groups(AROUND);
    for (at, group) in groups.into_iter().enumerate() {
        if at > 0 {
            print_line!(out, "  …")?;
        }
        for (tag, line) in group {
            let line = Printable::whole(line.trim_end_matches(['\r', '\n']));
            match tag {
                ChangeTag::Equal => print_line!(out, "    {}", line)?,
                ChangeTag::Insert => print_line!(out, "  {GOOD}+ {}{GOOD:#}", line)?,
                ChangeTag::Delete => print_line!(out, "  {ERROR}- {}{ERROR:#}", line)?,
            }
        }
    }
    Ok(())
}
