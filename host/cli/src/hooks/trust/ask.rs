//! Asking whether a hook is to be trusted.

use std::io::{self, BufRead as _};

use crate::terminal::Out;
use crate::terminal::format::print_text;
use crate::terminal::style::{BOLD, NOTE};

/// Asks until the answer is yes or no. The end of the input is a no.
pub(super) fn agrees(id: &str) -> io::Result<bool> {
    let mut lines = io::stdin().lock().lines();
    loop {
        let mut out = Out::stderr();
        print_text!(
            out,
            "{NOTE}?{NOTE:#} Trust {BOLD}{}{BOLD:#} with this: yes or no? ",
            id
        )?;
        out.flush()?;
        let Some(line) = lines.next().transpose()? else {
            return Ok(false);
        };
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => {}
        }
    }
}
