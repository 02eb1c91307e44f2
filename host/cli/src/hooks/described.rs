//! A hook's report for machines.

use portcullis::HookReport;
use serde::Serialize;

/// A report, with what follows from it.
#[derive(Debug, Serialize)]
pub struct Described<'a> {
    #[serde(flatten)]
    report: &'a HookReport,
    /// What the hook can see, change and reach, in plain words.
    can: Vec<&'static str>,
}

impl<'a> From<&'a HookReport> for Described<'a> {
    fn from(report: &'a HookReport) -> Self {
        Self {
            report,
            can: report.can(),
        }
    }
}
