//! A hook's report for machines.

use portcullis::report::{ExfiltrationRisk, HookReport, Reach};
use serde::Serialize;

use super::cost;

/// A report, with what can be derived from it.
#[derive(Debug, Serialize)]
pub struct Described<'a> {
    #[serde(flatten)]
    report: &'a HookReport,
    /// What the hook can see, change and reach, in plain words.
    #[serde(flatten)]
    reach: Reach,
    /// What it may cost at most, in plain words.
    cost: Vec<String>,
    /// What private data it reads and where it could send it, if it can do both.
    #[serde(rename = "exfiltration-risk")]
    exfiltration_risk: Option<ExfiltrationRisk>,
}

impl<'a> From<&'a HookReport> for Described<'a> {
    fn from(report: &'a HookReport) -> Self {
        Self {
            report,
            reach: report.reach(),
            cost: cost::cost(report),
            exfiltration_risk: report.exfiltration_risk(),
        }
    }
}
