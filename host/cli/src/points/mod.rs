//! `portcullis points`: the lifecycle points.

use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use portcullis::points::{FailureRule, Order, PointId, PointInfo};

use crate::terminal::format::print_line;
use crate::terminal::style::DIM;
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, units};

/// List the lifecycle points, with the value and the answers of each.
///
/// ORDER is the order of priorities: low first at forward points, high first at reverse points.
/// FAILURE is the effect on the operation when a fail-closed hook fails there.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis points --json")]
pub struct PointsArgs {
    /// Print JSON: a list of points, in the order of the table.
    #[arg(long)]
    json: bool,
}

/// Returns a parser for point names. The error for a wrong name suggests the nearest one.
pub fn parser() -> impl TypedValueParser<Value = PointId> {
    PossibleValuesParser::new(PointId::ALL.iter().map(|point| point.name())).try_map(|name| {
        PointId::from_name(&name).ok_or("is not a point; `portcullis points` lists them")
    })
}

/// Runs the command.
pub fn run(args: &PointsArgs) -> anyhow::Result<ExitCode> {
    let points: Vec<&PointInfo> = PointId::ALL.iter().map(|point| point.info()).collect();
    if args.json {
        json::document(&points)?;
    } else {
        let mut out = Out::stdout();
        print_line!(out, "{}", listed(&points))?;
        print_line!(
            out,
            "\n{DIM}{}; `portcullis hooks order` shows the hooks at each{DIM:#}",
            units::plural(points.len(), "point")
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn listed(points: &[&PointInfo]) -> Printable {
    let mut table = Table::new(&["point", "value", "outcomes", "order", "failure"]);
    for point in points {
        let outcomes: Vec<&str> = point.outcomes.iter().map(|kind| kind.name()).collect();
        table.row([
            Cell::new(point.name).bold(),
            Cell::new(point.value),
            Cell::new(outcomes.join(" ")),
            Cell::new(match point.order {
                Order::Forward => "forward",
                Order::Reverse => "reverse",
            }),
            Cell::new(match point.failure {
                FailureRule::Refuses => "refuses",
                FailureRule::Fails => "fails",
                FailureRule::NeverFatal => "never fatal",
            }),
        ]);
    }
    table.fit(&[0, 3]);
    table.shown()
}
