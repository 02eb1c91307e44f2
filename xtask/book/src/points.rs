//! A page for each point, from `wit/` and the table that the host runs on.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use portcullis::contract::HookRole;
use portcullis::points::{AnswerKind, FailureRule, Order, OutcomeKind, PointId};
use portcullis::verdict::Effect;
use wit_parser::{Interface, Type, TypeDef};

use crate::text::cell;
use crate::wit::{Contract, docs};
use crate::{DOCS, MADE, Page, names, signatures};

/// The page of the shared types, relative to a point's page.
const TYPES: &str = "../reference/types.md";

/// Returns the pages of all points.
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

/// Returns the points' entries in the book's contents.
pub(crate) fn contents() -> String {
    let mut list = "- [The points](points/README.md)".to_owned();
    for point in PointId::ALL {
        let _ = write!(list, "\n  - [{point}](points/{point}.md)");
    }
    list
}

/// Returns the table of all points.
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
    let facts = wit.interface(&format!("{point}-facts"))?;
    // A point that only notifies has no such interface.
    let answers = wit.interface(&format!("{point}-answer")).ok();
    let record = match facts.functions.get("facts").map(|all| all.result) {
        Some(Some(Type::Id(id))) => wit.named(id),
        _ => anyhow::bail!("`{point}-facts` has no function `facts` that returns a record"),
    };
    let record = record.context("the facts have no name")?;
    let mut text = format!("{MADE}# {point}\n\n{}\n\n", docs(&interface.docs));
    text += &summary(point, answers.is_some());
    let _ = write!(
        text,
        "\n## Facts\n\n{}\n`facts` reads all of them at once, as the record `{record}`. It costs less from the fifth fact on. \
         The session, the agent, the turn and the step are in the interface [`call`](../reference/imports.md#call).\n",
        facts_table(wit, facts)
    );
    let _ = write!(text, "\n## Answers\n\n{}", answers_table(wit, answers)?);
    let others: Vec<(&str, &TypeDef)> = [Some(facts), answers]
        .into_iter()
        .flatten()
        .flat_map(|interface| wit.own(interface))
        .filter(|(name, _)| *name != record)
        .collect();
    if !others.is_empty() {
        text += "\n## Types\n";
    }
    for (name, definition) in others {
        let _ = write!(text, "\n### {name}\n\n{}", wit.described(definition, TYPES));
    }
    text += &signatures::section(point);
    Ok(text)
}

/// Returns a row for each fact.
fn facts_table(wit: &Contract, facts: &Interface) -> String {
    let mut table = "| fact | type | |\n| --- | --- | --- |\n".to_owned();
    let functions = facts.functions.values();
    for fact in functions.filter(|function| function.name != "facts") {
        let _ = writeln!(
            table,
            "| `{}` | {} | {} |",
            fact.name,
            fact.result
                .map_or(String::new(), |ty| wit.linked(&ty, TYPES)),
            cell(&docs(&fact.docs))
        );
    }
    table
}

/// Returns a row for each answer, with the role of a hook that imports it and no stronger one.
fn answers_table(wit: &Contract, answers: Option<&Interface>) -> anyhow::Result<String> {
    let Some(answers) = answers else {
        return Ok("None: hooks are notified, and the call continues.\n".into());
    };
    let mut table =
        "A hook that gives none continues.\n\n| answer | takes | what it does | role |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for answer in answers.functions.values() {
        let kind = AnswerKind::from_name(&answer.name);
        let kind = kind.with_context(|| format!("the host has no answer `{}`", answer.name))?;
        let takes: Vec<String> = answer
            .params
            .iter()
            .map(|param| format!("`{}`: {}", param.name, wit.linked(&param.ty, TYPES)))
            .collect();
        let _ = writeln!(
            table,
            "| `{kind}` | {} | {} | {} |",
            takes.join(", "),
            cell(&docs(&answer.docs)),
            role(kind)
        );
    }
    Ok(table)
}

/// Returns the least [role](HookRole) that may give an answer.
const fn role(answer: AnswerKind) -> &'static str {
    match answer.role() {
        HookRole::Observe => "`observe`",
        HookRole::Gate => "`gate`",
        HookRole::Transform => "`transform`",
    }
}

fn summary(point: PointId, has_answers: bool) -> String {
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
        ("Exports", format!("`portcullis:hooks/{point}`")),
        (
            "May import",
            match has_answers {
                true => format!("`{point}-facts`, `{point}-answer`"),
                false => format!("`{point}-facts`"),
            },
        ),
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

const fn order(order: Order) -> (&'static str, &'static str) {
    match order {
        Order::Forward => ("forward", "low priority first"),
        Order::Reverse => ("reverse", "high priority first"),
    }
}

fn failure(point: PointId) -> &'static str {
    match point.info().failure {
        FailureRule::Refuses => "refuses",
        FailureRule::Fails if Effect::Failed.fails_call(point) => "the call fails",
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
