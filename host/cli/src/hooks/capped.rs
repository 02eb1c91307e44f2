//! The text about a hook that `hooks.toml` does not name.

use portcullis::report::HookReport;

use crate::terminal::Printable;
use crate::terminal::format::printable;

/// Returns the note about a capped hook; `None` for any other hook.
pub fn note(report: &HookReport) -> Option<Printable> {
    let to_name = report.to_name.as_ref().filter(|_| report.capped)?;
    let to_name = Printable::line(to_name);
    Some(match report.refused {
        true => printable!("unnamed: refused by [unnamed] in hooks.toml; {}", to_name),
        false => printable!(
            "unnamed: capped by [unnamed] in hooks.toml, and behind all named hooks; {}",
            to_name
        ),
    })
}
