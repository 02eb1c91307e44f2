//! The findings about a hook, for people and for machines.

use std::collections::BTreeSet;

use portcullis::lock::{Lock, Pinned};
use serde::{Serialize, Serializer};

use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE};
use crate::terminal::{Out, Printable};

/// A finding about a hook.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Finding {
    /// Its id; the name of a file that the lock does not name.
    pub hook: String,
    pub kind: Kind,
    pub message: String,
}

impl Finding {
    pub fn of(pinned: &Pinned, kind: Kind, message: String) -> Self {
        Self {
            hook: pinned.id.clone(),
            kind,
            message,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Revoked,
    Unsigned,
    Changed,
    Broken,
    Outdated,
    Unknown,
    NotReached,
    Unused,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Revoked => "revoked",
            Self::Unsigned => "unsigned",
            Self::Changed => "changed",
            Self::Broken => "broken",
            Self::Outdated => "outdated",
            Self::Unknown => "unknown",
            Self::NotReached => "not-reached",
            Self::Unused => "unused",
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Writes all hooks of the lock, each with its findings.
pub fn show(lock: &Lock, found: &[Finding]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    let ids = lock.components.values().map(|pinned| pinned.id.as_str());
    let ids: BTreeSet<&str> = ids
        .chain(found.iter().map(|one| one.hook.as_str()))
        .collect();
    for id in ids {
        let mut own = found.iter().filter(|finding| finding.hook == id).peekable();
        match own.peek() {
            None => print_line!(out, "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#}", Printable::line(id))?,
            Some(_) => print_line!(out, "{NOTE}!{NOTE:#} {BOLD}{}{BOLD:#}", Printable::line(id))?,
        }
        for finding in own {
            print_line!(
                out,
                "    {DIM}{}{DIM:#} {}",
                finding.kind.name(),
                Printable::line(&finding.message)
            )?;
        }
    }
    Ok(())
}
