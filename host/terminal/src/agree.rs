//! Asking whether to do something.

use std::fmt::Display;
use std::io::{self, BufRead as _};

use anyhow::bail;

use super::format::print_text;
use super::style::{BOLD, NOTE};
use super::{Out, Printable, shows_output};

/// Asks a person to agree to the text on standard output, until the answer is yes or no. The end of
/// the input is a no. `nothing` is the error text for a command that cannot ask, such as "nothing
/// was written".
pub fn agrees(to: impl Display, nothing: &str) -> anyhow::Result<bool> {
    if !shows_output() {
        bail!(
            "{nothing}: there is no terminal to ask at. If you agree to what is shown, run the command again with --yes"
        );
    }
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
