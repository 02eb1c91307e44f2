//! A component's origin, for people.

use super::fetch::Checked;
use crate::hooks::inspect::{heading, row};
use crate::terminal::format::printable;
use crate::terminal::{Out, Printable};

/// Writes a component's origin and its signer.
pub fn write(out: &mut Out, checked: &Checked) -> std::io::Result<()> {
    let fetched = &checked.fetched;
    heading(out, "Comes from")?;
    row(out, "source", Printable::line(fetched.source.to_string()))?;
    if let Some(manifest) = fetched.manifest_digest() {
        row(
            out,
            "manifest",
            printable!("sha256:{}", manifest.to_string()),
        )?;
    }
    row(
        out,
        "component",
        printable!("sha256:{}", fetched.digest.to_string()),
    )?;
    row(out, "signed", signed(checked))
}

fn signed(checked: &Checked) -> Printable {
    match (&checked.accepted.signer, checked.accepted.unknown) {
        (Some(signer), _) => printable!("yes, by `{}`", signer.name()),
        (None, 0) => "no: only its digest says that it is the one that you looked at".into(),
        (None, _) => "by nobody whom hooks.toml names; that is as if it were not signed".into(),
    }
}
