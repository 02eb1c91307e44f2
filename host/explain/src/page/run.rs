//! Chains and their runs.

use maud::{Markup, html};
use portcullis::hooks::Mode;
use portcullis::verdict::Approval;
use portcullis_agent::{RunState, WouldHave};

use super::text::{count, plain, shown, time};
use super::waterfall::Scale;
use super::{Context, diff};
use crate::model::{Chain, Run};

/// Returns the hooks of a point: open if one of them did more than continue.
pub(super) fn chain(chain: &Chain, scale: Scale, cx: &Context<'_>) -> Markup {
    let first = chain
        .runs
        .iter()
        .map(|run| run.at_us)
        .min()
        .unwrap_or_default();
    let took: u64 = chain.runs.iter().filter_map(|run| run.took_us).sum();
    let fuel: u64 = chain.runs.iter().filter_map(|run| run.fuel).sum();
    let is_quiet = chain.runs.iter().all(Run::is_quiet);
    let is_open = chain.runs.iter().any(is_notable);
    let loudest = chain
        .runs
        .iter()
        .filter(|run| !run.is_quiet())
        .map(kind)
        .max_by_key(|kind| rank(kind));
    html! {
        details.chain open[is_open] {
            summary.row {
                span.what {
                    span.point { (plain(&chain.point)) }
                    @if is_quiet {
                        span.quiet {
                            @for (index, run) in chain.runs.iter().enumerate() {
                                @if index > 0 { ", " }
                                (plain(&run.hook))
                            }
                        }
                    } @else {
                        @for run in chain.runs.iter().filter(|run| !run.is_quiet() && !is_open) {
                            span.(kind(run)) { (mark(run).0) " " (shown(&run.hook)) }
                        }
                        @let others = chain.runs.iter().filter(|run| run.is_quiet() || is_open).count();
                        @if others > 0 { span.quiet { (super::text::plural(others, "hook")) } }
                    }
                }
                (scale.bar(loudest.unwrap_or("hooks"), first, took))
                span.time { (time(took)) }
                span.fuel { @if fuel > 0 { (count(fuel)) } }
            }
            @for run in &chain.runs { (self::run(run, scale, cx)) }
        }
    }
}

fn run(run: &Run, scale: Scale, cx: &Context<'_>) -> Markup {
    let kind = kind(run);
    let (sign, word) = mark(run);
    let row = html! {
        span.what {
            span.answer.(kind) { (sign) " " (word) }
            (cx.hook(&run.hook))
            @if run.mode == Some(Mode::Audit) { span.badge { "audit" } }
            @if run.attempt > 1 { span.badge { "attempt " (run.attempt) } }
            @if let Some(code) = &run.code { code.code { (plain(code)) } }
        }
        (scale.bar(kind, run.at_us, run.took_us.unwrap_or_default()))
        span.time { @if let Some(us) = run.took_us.filter(|_| run.state != RunState::Skipped) { (time(us)) } }
        span.fuel { @if let Some(fuel) = run.fuel { (count(fuel)) } }
    };
    if run.is_quiet() && run.used.is_empty() {
        return html! { div.leaf.run.row #(run.id) data-k=(kind) { (row) } };
    }
    html! {
        details.leaf.run #(run.id) data-k=(kind) open[is_notable(run)] {
            summary.row { (row) }
            div.more { (more(run, cx)) }
        }
    }
}

/// Renders the reason, the changes and the consequences.
fn more(run: &Run, cx: &Context<'_>) -> Markup {
    html! {
        @if let Some(message) = &run.message { p.message { (shown(message)) } }
        @if let Some(approval) = run.approval {
            p { "It asked, and " b { (match approval {
                Approval::Approved => "it was approved",
                Approval::Denied => "it was denied",
                Approval::Unanswered => "nobody answered, so it was denied",
                Approval::Changed => "it was approved with a change",
            }) } "."
                @if let Some(by) = &run.approval_replaces { " This replaces the answer of " (shown(by)) "." }
            }
            @match &run.approval_changes {
                Some(changes) => (diff::changes(changes)),
                None if approval == Approval::Changed => p.quiet { "The journal does not have what was changed." },
                None => {}
            }
        }
        @if run.failed() {
            p { @if run.state == RunState::Lost { "Its process died: it is not known what followed." }
                @else if run.fatal { "It fails closed: the operation was refused." }
                @else { "It fails open: the operation continued without the hook." } }
        }
        @if let Some(would) = &run.would { (self::would(would, run.would_have.as_deref())) }
        @else if run.would_refuse() { p { "In audit mode, so it had no effect. Enforced, it would have refused." } }
        @if let Some(by) = &run.stopped_by {
            p { @if run.state == RunState::NotApplied { "Its answer was not applied because of " }
                @else { "It was not called because of " } (cx.run(by)) "." }
        }
        @if let Some(ended) = &run.ended { p { (did(run, cx)) " " a.effect href={ "#" (ended) } { (effect(ended)) } "." } }
        (diff::changes(&run.changes))
        @if run.changed && run.changes.is_empty() { p.quiet { "It changed the value. The journal keeps no values." } }
        @if run.contributed > 0 { p {
            @if run.mode == Some(Mode::Audit) { "In audit mode, so it had no effect. Enforced, it would have contributed " }
            @else { "It contributed " }
            (super::text::plural(run.contributed, "thing")) "."
        } }
        (diff::changes(&run.added))
        @if !run.used.is_empty() {
            p { "It used " @for (index, grant) in run.used.iter().enumerate() {
                @if index > 0 { ", " } code { (plain(grant)) }
            } "." }
        }
    }
}

/// Renders the result that an answer without effect would have had.
fn would(would: &WouldHave, words: Option<&str>) -> Markup {
    html! {
        p { "In audit mode, so it had no effect. Enforced" @if let Some(words) = words { ", " (words) } "." }
        @if let Some(message) = &would.message { p.message { (shown(message)) } }
        @if !would.not_run.is_empty() {
            p { "Behind it would not have run: " @for (index, hook) in would.not_run.iter().enumerate() {
                @if index > 0 { ", " } code { (plain(hook)) }
            } "." }
        }
        @if let Some(answer) = &would.answer { p { "Its answer: " code { (plain(answer)) } } }
        @if let Some(changes) = &would.changes { (diff::changes(changes)) }
    }
}

/// Returns whether a run is shown without a click: it did more than contribute.
fn is_notable(run: &Run) -> bool {
    !matches!(kind(run), "hooks" | "adds")
}

/// Describes a run's effect on the item that it ended.
fn did(run: &Run, cx: &Context<'_>) -> &'static str {
    match cx.withheld.contains(run.id.as_str()) {
        true => "It withheld the result of",
        false => "It ended",
    }
}

fn effect(id: &str) -> &'static str {
    match id.split('-').next() {
        Some("tool") => "this tool call",
        Some("model") => "this model call",
        _ => "this turn",
    }
}

/// Returns the sign and the word of a run's end.
fn mark(run: &Run) -> (&'static str, &'static str) {
    match (run.state, run.outcome.as_deref()) {
        (RunState::Started, _) => ("…", "runs"),
        (RunState::Skipped, _) => ("–", "skipped"),
        (RunState::NotApplied, _) => ("⊘", "not applied"),
        (RunState::Backgrounded, _) => ("↷", "queued"),
        (RunState::Failed, _) => ("!", "failed"),
        (RunState::TimedOut, _) => ("!", "timed out"),
        (RunState::Lost, _) => ("!", "lost"),
        (RunState::Completed, Some("transform")) => ("◆", "transform"),
        (RunState::Completed, Some("replace")) => ("◈", "replace"),
        (RunState::Completed, Some("reject")) => ("✗", "reject"),
        (RunState::Completed, Some("answer")) => ("★", "answer"),
        (RunState::Completed, Some("ask")) => ("?", "ask"),
        (RunState::Completed, Some("stop")) => ("■", "stop"),
        (RunState::Completed, Some("keep-going")) => ("▶", "keep going"),
        (RunState::Completed, Some("contribute")) => ("+", "adds"),
        (RunState::Completed, _) => ("·", "continue"),
    }
}

/// Returns the kind of a run, by which it is coloured and found.
pub(super) fn kind(run: &Run) -> &'static str {
    match () {
        () if run.failed() && !run.fatal => "failed",
        () if run.would_refuse() => "would",
        () if run.refused() => "refused",
        () if run.did_not_run() => "notrun",
        () if run.changed => "changed",
        () if run.contributed > 0 => "adds",
        () if matches!(
            run.outcome.as_deref(),
            Some("answer" | "replace" | "ask" | "stop" | "keep-going")
        ) =>
        {
            "decided"
        }
        () => "hooks",
    }
}

pub(super) fn rank(kind: &str) -> usize {
    let ranks = [
        "hooks", "notrun", "adds", "decided", "changed", "would", "failed", "refused",
    ];
    ranks
        .iter()
        .position(|other| *other == kind)
        .unwrap_or_default()
}
