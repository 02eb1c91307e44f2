//! Turns, steps, and the events in them.

use maud::{Markup, html};

use super::Context;
use super::run::{chain, kind, rank};
use super::text::{count, plain, shown, time};
use super::waterfall::Scale;
use crate::model::{Item, ModelCall, Note, Run, Step, ToolCall, Turn, TurnEnd, TurnState};

/// Renders a turn, or the events outside of turns.
pub(super) fn turn(turn: &Turn, id: Option<&str>, cx: &Context<'_>) -> Markup {
    let took = turn
        .items()
        .map(end_us)
        .max()
        .unwrap_or(turn.at_us)
        .max(turn.at_us + turn.took_us)
        - turn.at_us;
    let scale = Scale::new(turn.at_us, took);
    html! {
        section.turn id=[id] {
            div.row.head {
                h2 {
                    @if turn.number > 0 { "Turn " (turn.number) } @else { "Outside of turns" }
                    @if let Some(end) = &turn.end { (state(end)) }
                }
                span.axis { span { "0" } span { (time(took / 2)) } span { (time(took)) } }
                span.time { (time(took)) }
                span.fuel { "fuel" }
            }
            @if let Some(input) = turn.input.as_deref().filter(|input| !input.is_empty()) {
                div.leaf.said data-k="said" { span.who { "user" } pre { (plain(input)) } }
            }
            @for step in &turn.steps {
                @if step.number > 0 { (head(step, scale)) }
                @for item in &step.items { (self::item(item, scale, cx)) }
            }
            @if let Some(end) = &turn.end { (self::end(end, cx)) }
        }
    }
}

/// Renders a step's heading, with the time of all its events.
fn head(step: &Step, scale: Scale) -> Markup {
    let from = step.items.iter().filter_map(begin_us).min();
    let to = step.items.iter().map(end_us).max();
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
    let took = to.saturating_sub(from);
    html! {
        div.row.step {
            h3 { "step " (step.number) }
            (scale.bar("step", from, took))
            span.time { (time(took)) }
            span.fuel {}
        }
    }
}

/// Returns a link to a turn, coloured by the most severe effect of a hook in it.
pub(super) fn chip(turn: &Turn) -> Markup {
    let runs = turn
        .items()
        .flat_map(Item::chains)
        .flat_map(|chain| &chain.runs);
    let worst = runs
        .map(kind)
        .max_by_key(|kind| rank(kind))
        .unwrap_or("hooks");
    html! { a.chip.(worst) href={ "#" (turn.id()) } { (turn.number) } }
}

fn state(end: &TurnEnd) -> Markup {
    let (class, word) = match end.state {
        TurnState::Ended => ("ended", "ended"),
        TurnState::Failed => ("refused", "failed"),
        TurnState::Cancelled => ("failed", "cancelled"),
        TurnState::Suspended => ("would", "suspended"),
        TurnState::Interrupted => ("failed", "interrupted"),
    };
    html! { span.badge.(class) { (word) } }
}

fn end(end: &TurnEnd, cx: &Context<'_>) -> Markup {
    let is_plain = end.state == TurnState::Ended && end.reason == "model";
    html! {
        @if let Some(output) = end.output.as_deref().filter(|output| !output.is_empty()) {
            div.leaf.said.agent data-k="said" { span.who { "agent" } pre { (plain(output)) } }
        }
        @if !is_plain {
            p.leaf.reason.(match end.state { TurnState::Ended => "decided", TurnState::Suspended => "would", _ => "refused" }) data-k="end" {
                (shown(&end.reason))
                @if let Some(cause) = &end.caused_by { " · caused by " (cx.run(cause)) }
            }
        }
    }
}

fn item(item: &Item, scale: Scale, cx: &Context<'_>) -> Markup {
    match item {
        Item::Chain(it) => chain(it, scale, cx),
        Item::Model(call) => model(call, scale, cx),
        Item::Tool(call) => tool(call, scale, cx),
        Item::Note(it) => note(it, cx),
    }
}

fn model(call: &ModelCall, scale: Scale, cx: &Context<'_>) -> Markup {
    html! {
        div.leaf.model #(call.id) data-k="model" {
            div.row {
                span.what {
                    span.kind { "model" } b { (shown(&call.provider)) "/" (shown(&call.model)) }
                    span.quiet {
                        @if call.attempt > 1 { "attempt " (call.attempt) " · " }
                        @if call.error.is_none() {
                            (count(call.input_tokens)) " + " (count(call.output_tokens)) " tokens"
                            @if call.tool_calls > 0 { " · wants " (super::text::plural(call.tool_calls, "tool")) }
                        }
                    }
                }
                (scale.bar(if call.error.is_some() { "failed" } else { "model" }, call.at_us, call.took_us))
                span.time { (time(call.took_us)) }
                span.fuel {}
            }
            @if let Some(error) = &call.error { p.reason.failed { (shown(error)) } }
            @if let Some(cause) = &call.caused_by { p.reason.decided { "No model was called: answered by " (cx.run(cause)) } }
        }
    }
}

fn tool(call: &ToolCall, scale: Scale, cx: &Context<'_>) -> Markup {
    let (before, after): (Vec<_>, Vec<_>) = call
        .chains
        .iter()
        .partition(|chain| chain.point.starts_with("pre-"));
    let name = call.name.as_deref().unwrap_or("a tool");
    html! {
        div.tool #(call.id) {
            div.row {
                span.what { span.kind { "tool" } b { (shown(name)) }
                    @if call.waits_for.is_some() { span.badge.would { "waits" } }
                    @else if call.unknown { span.badge.would { "not known" } }
                    @else if !call.ran { span.badge.refused { "did not run" } }
                    @else if call.is_error { span.badge.failed { "error" } }
                }
                (scale.bar(bar(call), call.ran_at_us.unwrap_or(call.at_us), call.took_us))
                span.time { @if call.ran { (match call.took_us { 0 => "<1 ms".to_owned(), us => time(us) }) } }
                span.fuel {}
            }
            div.within {
                @for it in before { (chain(it, scale, cx)) }
                div.leaf.call data-k="tool" {
                    @if let Some(waits) = call.waits_for { p.reason.would { "Not run yet: " (waits.words()) } }
                    @else if let Some(why) = call.why_unknown() { p.reason.would { "Not known whether it ran: " (why) } }
                    @else if let Some(cause) = &call.caused_by { p.reason.refused { "Not run because of " (cx.run(cause)) } }
                    @else if let Some(why) = call.not_run { p.reason.refused { "Did not run: " (why.words()) } }
                    @if let Some(cause) = &call.withheld_by { p.reason.refused { "Result withheld because of " (cx.run(cause)) } }
                    @if let Some(arguments) = &call.arguments { pre.arguments { (plain(arguments)) } }
                    @if let Some(result) = &call.result { pre.result { (plain(result)) } }
                }
                @if let Some(below) = &call.subagent {
                    details.subagent open {
                        summary { "sub-agent " b { (shown(below.agent.as_deref().unwrap_or(&below.session))) } }
                        @for it in &below.turns { (turn(it, None, cx)) }
                    }
                }
                @for it in after { (chain(it, scale, cx)) }
            }
        }
    }
}

/// Returns the kind of a tool call's bar.
fn bar(call: &ToolCall) -> &'static str {
    match call.ran {
        _ if call.waits_for.is_some() || call.unknown => "would",
        true => "tool",
        false => "refused",
    }
}

fn note(note: &Note, cx: &Context<'_>) -> Markup {
    html! {
        p.leaf.note data-k="note" {
            @if let Some(hook) = &note.hook { (cx.hook(hook)) ": " }
            (shown(&note.text))
        }
    }
}

/// Returns an item's start. `None` if nothing in it has a time.
fn begin_us(item: &Item) -> Option<u64> {
    let chains = item.chains().iter();
    let runs = chains.flat_map(|chain| &chain.runs).map(|run| run.at_us);
    let own = match item {
        Item::Model(call) => Some(call.at_us),
        Item::Tool(call) => Some(call.at_us),
        Item::Note(note) => Some(note.at_us),
        Item::Chain(_) => None,
    };
    runs.chain(own).min()
}

/// Returns an item's end.
fn end_us(item: &Item) -> u64 {
    let run_end = |run: &Run| run.at_us + run.took_us.unwrap_or_default();
    let runs = item
        .chains()
        .iter()
        .flat_map(|chain| &chain.runs)
        .map(run_end)
        .max();
    let own = match item {
        Item::Model(call) => call.at_us + call.took_us,
        Item::Tool(call) => call.ran_at_us.unwrap_or(call.at_us) + call.took_us,
        Item::Note(note) => note.at_us,
        Item::Chain(_) => 0,
    };
    own.max(runs.unwrap_or_default())
}
