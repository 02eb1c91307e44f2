//! `portcullis hooks order`

use std::process::ExitCode;

use clap::Args;
use portcullis::Hooks;
use portcullis::contract::HookRole;
use portcullis::hooks::{Mode, Share};
use portcullis::points::{Order, PointId};
use portcullis::report::HookReport;
use serde::Serialize;

use super::trust::files;
use super::{CacheArgs, HooksDir, load, words};
use crate::terminal::format::{print_line, print_text, printable};
use crate::terminal::style::{BOLD, DIM, NOTE, paint};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, text};

/// The arguments of `portcullis hooks order`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis hooks order --hooks ./hooks")]
pub struct OrderArgs {
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    /// Leave out hooks that do not load, instead of failing.
    #[arg(long)]
    skip_broken: bool,
    /// Print JSON: a list of points, each with its hooks.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PointOrder {
    point: PointId,
    order: Order,
    hooks: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    hook: String,
    priority: i32,
    capped: bool,
    role: HookRole,
    mode: Mode,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<Share>,
}

pub(super) fn run(args: &OrderArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    let settings = files::settings(dir)?;
    let hooks = load(dir, Some(&settings), &args.cache, args.skip_broken)?;
    let reports = hooks.reports();
    let orders: Vec<PointOrder> = PointId::ALL
        .iter()
        .map(|point| order_at(*point, &hooks, &reports))
        .collect();
    if args.json {
        json::document(&orders)?;
    } else {
        write(&orders)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn order_at(point: PointId, hooks: &Hooks, reports: &[HookReport]) -> PointOrder {
    let mut places: Vec<Place> = hooks
        .order(point)
        .into_iter()
        .filter_map(|id| reports.iter().find(|report| report.id.as_str() == id))
        .map(|report| Place {
            hook: report.id.to_string(),
            priority: report.priority,
            capped: report.capped,
            role: report.role,
            mode: report.mode,
            share: report.share,
        })
        .collect();
    // Observers run last, regardless of priority.
    places.sort_by_key(|place| place.role == HookRole::Observe);
    PointOrder {
        point,
        order: point.info().order,
        hooks: places,
    }
}

fn write(orders: &[PointOrder]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    let widest = PointId::ALL.iter().map(|point| point.name().len()).max();
    let indent = widest.unwrap_or_default() + 4;
    for order in orders {
        let way = match order.order {
            Order::Forward => "→",
            Order::Reverse => "←",
        };
        let name = text::pad(order.point.name(), indent - 2);
        if order.hooks.is_empty() {
            print_line!(out, "{DIM}{}{} no hooks{DIM:#}", name, way)?;
            continue;
        }
        print_text!(out, "{BOLD}{}{BOLD:#}{DIM}{}{DIM:#} ", name, way)?;
        for (index, place) in order.hooks.iter().enumerate() {
            if index > 0 {
                print_text!(out, "{:indent$}", "")?;
            }
            let role = match place.role {
                HookRole::Observe => "observes",
                other => words::role(other),
            };
            let mode = match (place.mode, place.share) {
                (Mode::Enforce, None) => Printable::default(),
                (Mode::Enforce, Some(share)) => {
                    paint(NOTE, printable!(" in {} of sessions", share))
                }
                (Mode::Audit, _) => paint(NOTE, " audit only"),
            };
            let capped = match place.capped {
                true => paint(NOTE, " unnamed: behind all named hooks"),
                false => Printable::default(),
            };
            print_line!(
                out,
                "{} {} {DIM}{}{DIM:#}{}{}",
                text::pad(&place.hook, 20),
                paint(DIM, text::pad_left(place.priority.to_string(), 5)),
                role,
                mode,
                capped
            )?;
        }
    }
    print_line!(
        out,
        "\n{DIM}→ low priority first   ← high priority first{DIM:#}"
    )?;
    Ok(())
}
