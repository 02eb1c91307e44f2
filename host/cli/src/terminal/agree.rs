//! Asking whether to do something.

use std::fmt::Display;
use std::io::{self, BufRead as _};

use super::format::print_text;
use super::style::{BOLD, NOTE};
use super::{Out, Printable};

/// Asks until the answer is yes or no. The end of the input is a no.
pub fn agrees(to: impl Display) -> io::Result<bool> {
    let to = Printable::line(to);
    let mut lines = io::stdin().lock().lines();
    loop {
        let mut out = Out::stderr();
        print_text!(out, "{NOTE}?{NOTE:#} {BOLD}{}{BOLD:#}: yes or no? ", to)?;
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
