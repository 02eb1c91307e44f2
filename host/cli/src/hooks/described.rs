//! A hook's report for machines.

use portcullis::report::{ExfiltrationRisk, HookReport, Reach};
use serde::Serialize;

use super::cost;

/// A report, with facts derived from it.
#[derive(Debug, Serialize)]
pub struct Described<'a> {
    #[serde(flatten)]
    report: &'a HookReport,
    /// The hook's views, answers and connections, in plain words.
    #[serde(flatten)]
    reach: Reach,
    /// Its maximum cost, in plain words.
    cost: Vec<String>,
    /// The private data that it reads and the ways that it could send it, if it has both.
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
