//! The text about a hook that `hooks.toml` does not name.

use portcullis::report::HookReport;

use crate::terminal::Printable;
use crate::terminal::format::printable;

/// What is said of a hook that is capped; `None` if it is not.
pub fn note(report: &HookReport) -> Option<Printable> {
    report.capped.then(|| {
        printable!(
            "unnamed: capped by [unnamed] in hooks.toml, and behind all named hooks; to name it: \
             portcullis hooks trust {}",
            report.file.display()
        )
    })
}
