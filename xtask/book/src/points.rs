//! A page for each point, from `wit/` and the table that the host runs on.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use portcullis::points::{FailureRule, Order, OutcomeKind, PointId};
use wit_parser::{Type, TypeDef, TypeDefKind};

use crate::text::cell;
use crate::wit::{Contract, docs};
use crate::{DOCS, MADE, Page, names, signatures};

/// The page of the shared types, as seen from a point's.
const TYPES: &str = "../reference/types.md";

/// Points without a refusal whose operation is a call and not the turn.
const CALLS: &[PointId] = &[
    PointId::LlmError,
    PointId::ToolUpdateSent,
    PointId::StateChanged,
    PointId::PostSubagent,
];

/// All of them.
pub(crate) fn pages(wit: &Contract) -> anyhow::Result<Vec<Page>> {
    let points = PointId::ALL.iter();
    points
        .map(|point| {
            Ok(Page {
                path: PathBuf::from(DOCS).join(format!("points/{point}.md")),
                text: page(wit, *point).with_context(|| format!("the page of `{point}`"))?,
            })
        })
        .collect()
}

/// The table of all points.
pub(crate) fn table() -> String {
    let mut table = "| point | what passes it | outcomes | order | a fail-closed failure |\n\
                     | --- | --- | --- | --- | --- |"
        .to_owned();
    for point in PointId::ALL {
        let info = point.info();
        let letters: Vec<&str> = info.outcomes.iter().map(|kind| letter(*kind)).collect();
        let _ = write!(
            table,
            "\n| [`{point}`]({point}.md) | {} | {} | {} | {} |",
            info.value,
            letters.join(" "),
            order(info.order).0,
            failure(*point)
        );
    }
    table
}

fn page(wit: &Contract, point: PointId) -> anyhow::Result<String> {
    let interface = wit.interface(point.name())?;
    let own = |name: &str| {
        let id = interface.types.get(name);
        id.map(|id| wit.definition(*id))
            .with_context(|| format!("no type `{name}`"))
    };
    let handle = interface.functions.get("handle").context("no `handle`")?;
    let outcome = own("outcome")?;
    let input = match handle.params.get(1).map(|param| param.ty) {
        Some(Type::Id(id)) => wit.definition(id),
        _ => anyhow::bail!("`handle` takes no record"),
    };
    let input_name = input.name.as_deref().context("the input has no name")?;
    let mut text = format!("{MADE}# {point}\n\n{}\n\n", docs(&interface.docs));
    text += &facts(point);
    let _ = write!(
        text,
        "\n## Input: {input_name}\n\n{}\nBeside it every hook is given the [`context`]({TYPES}#context): session, agent, turn and step.\n",
        described(wit, input)
    );
    let _ = write!(text, "\n## Outcomes\n\n{}", outcomes(wit, outcome));
    let others: Vec<(&str, &TypeDef)> = wit
        .own(interface)
        .filter(|(name, _)| *name != "outcome" && *name != input_name)
        .collect();
    if !others.is_empty() {
        text += "\n## Types\n";
    }
    for (name, definition) in others {
        let _ = write!(text, "\n### {name}\n\n{}", wit.described(definition, TYPES));
    }
    text += &signatures::section(point, input_name);
    Ok(text)
}

/// An input is one of the point's own records, or a shared one.
fn described(wit: &Contract, input: &TypeDef) -> String {
    match input.kind {
        TypeDefKind::Type(of) => format!("{}\n", wit.linked(&of, TYPES)),
        _ => wit.described(input, TYPES),
    }
}

fn facts(point: PointId) -> String {
    let info = point.info();
    let (order, order_says) = order(info.order);
    let mut rows = vec![
        ("Passes it", info.value.to_owned()),
        (
            "Order",
            format!("[{order}](../concepts/order.md): {order_says}"),
        ),
        (
            "A [fail-closed failure](../concepts/failure.md)",
            failure(point).to_owned(),
        ),
        ("Interface", format!("`portcullis:hooks/{point}`")),
        ("World", format!("`on-{point}`")),
    ];
    let names: Vec<String> = names::of(point)
        .iter()
        .map(|(design, names)| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("{} ({design})", names.join(", "))
        })
        .collect();
    if !names.is_empty() {
        rows.push(("[Elsewhere](names.md)", names.join(", ")));
    }
    let rows = rows.iter().map(|(what, is)| format!("| {what} | {is} |\n"));
    format!("| | |\n| --- | --- |\n{}", rows.collect::<String>())
}

fn outcomes(wit: &Contract, outcome: &TypeDef) -> String {
    let mut table =
        "| outcome | carries | what it does | who may answer it |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for case in wit.members(outcome) {
        let carries = case.holds.map(|ty| wit.linked(&ty, TYPES));
        let _ = writeln!(
            table,
            "| `{}` | {} | {} | {} |",
            case.name,
            carries.unwrap_or_default(),
            cell(&case.docs),
            roles(case.name)
        );
    }
    table
}

/// The roles that may answer so.
fn roles(outcome: &str) -> &'static str {
    match outcome {
        "continue" => "everyone",
        "reject" | "ask" | "stop" => "`gate`, `transform`",
        "contribute" => "everyone, of what was [declared and granted](../concepts/merge.md)",
        _ => "`transform`",
    }
}

const fn order(order: Order) -> (&'static str, &'static str) {
    match order {
        Order::Forward => ("forward", "low priority first"),
        Order::Reverse => ("reverse", "high priority first"),
    }
}

fn failure(point: PointId) -> &'static str {
    match point.info().failure {
        FailureRule::Refuses => "refuses",
        FailureRule::Fails if CALLS.contains(&point) => "the call fails",
        FailureRule::Fails => "the turn fails",
        FailureRule::NeverFatal => "is recorded, never fatal",
    }
}

const fn letter(kind: OutcomeKind) -> &'static str {
    match kind {
        OutcomeKind::Continue => "C",
        OutcomeKind::Transform => "T",
        OutcomeKind::Reject => "X",
        OutcomeKind::Replace => "P",
        OutcomeKind::Answer => "A",
        OutcomeKind::Ask => "K",
        OutcomeKind::Stop => "S",
        OutcomeKind::KeepGoing => "G",
        OutcomeKind::Contribute => "+",
    }
}
