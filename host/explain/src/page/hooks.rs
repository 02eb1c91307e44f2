//! The hooks, with their roles and grants.

use std::collections::HashMap;

use maud::{Markup, html};
use portcullis::hooks::Mode;

use super::Context;
use super::text::{count, plain, shown, time};
use crate::model::{Explanation, Run};

/// Returns the anchor of each hook's row.
pub(super) fn anchors(explanation: &Explanation) -> HashMap<&str, String> {
    let hooks = explanation.hooks.iter().enumerate();
    hooks
        .map(|(index, hook)| (hook.hook.as_str(), format!("hook-{index}")))
        .collect()
}

/// Returns the table of hooks.
pub(super) fn table(explanation: &Explanation, cx: &Context<'_>) -> Markup {
    let mut runs: HashMap<&str, Vec<&Run>> = HashMap::new();
    for (_, run) in cx.runs.values() {
        runs.entry(&run.hook).or_default().push(run);
    }
    html! {
        section #hooks {
            h2 { "Hooks and what they were allowed" }
            div.scroll { table {
                thead { tr {
                    th { "hook" } th { "role" } th { "if it fails" } th { "granted" } th { "points" }
                    th.number { "runs" } th.number { "time" } th.number { "fuel" }
                } }
                tbody {
                    @for hook in &explanation.hooks {
                        @let own = runs.get(hook.hook.as_str()).map(Vec::as_slice).unwrap_or_default();
                        tr id=[cx.hooks.get(hook.hook.as_str())] {
                            td {
                                b { (shown(&hook.hook)) }
                                @if let Some(version) = &hook.version { " " span.quiet { (shown(version)) } }
                                @if hook.sort != "component" { " " span.badge { (plain(&hook.sort)) } }
                                @if let Some(text) = hook.description.as_deref().filter(|it| !it.is_empty()) {
                                    div.quiet { (shown(text)) }
                                }
                            }
                            td {
                                (plain(&hook.role))
                                @if hook.mode == Mode::Audit { " " span.badge.would { "audit" } }
                                @if !hook.named { " " span.badge { "unnamed" } }
                            }
                            td { (plain(&hook.failure)) }
                            td { @for grant in &hook.grants { code { (plain(grant)) } " " } }
                            td.quiet { (hook.points.join(", ")) }
                            td.number { (own.len()) }
                            td.number { (time(own.iter().filter_map(|run| run.took_us).sum())) }
                            td.number { (count(own.iter().filter_map(|run| run.fuel).sum())) }
                        }
                    }
                }
            } }
        }
    }
}
