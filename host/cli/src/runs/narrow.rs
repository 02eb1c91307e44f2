//! The filter for the recorded runs of a command.

use clap::Args;
use portcullis::points::PointId;
use portcullis_store::RunFilter;

use super::time;
use crate::points;

/// Narrows recorded runs.
#[derive(Debug, Args)]
pub(crate) struct Narrow {
    /// Only runs of this session.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Only runs of this hook.
    #[arg(long, value_name = "ID")]
    pub(crate) hook: Option<String>,
    /// Only runs at this point.
    #[arg(long, value_name = "POINT", value_parser = points::parser(), hide_possible_values = true)]
    point: Option<PointId>,
    /// Only runs that began since: `30m`, `2h` or `7d` ago, or a time in UTC such as `2026-01-31` or
    /// `2026-01-31T18:30:00Z`.
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    since: Option<u64>,
    /// Only runs that began before this time.
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    until: Option<u64>,
}

impl Narrow {
    /// Returns the runs that fit.
    pub(crate) fn filter(&self) -> RunFilter {
        RunFilter {
            session: self.session.clone(),
            hook: self.hook.clone(),
            point: self.point.map(|point| point.name().to_owned()),
            since_ms: self.since,
            until_ms: self.until,
            ..RunFilter::default()
        }
    }
}
