//! One HTML file that needs nothing else: no network, no other file.

mod diff;
mod hooks;
mod run;
mod text;
mod turn;
mod waterfall;

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use self::text::{count, shown, time};
use crate::model::{Explanation, Run};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// A page of a session, as one HTML file. Everything is in it without a script too, which only searches, filters and
/// moves. Texts of hooks, models and people are inert: they are escaped, and the page's policy allows its own style and
/// script by their digests and nothing else.
pub fn page(explanation: &Explanation) -> String {
    let mut runs = HashMap::new();
    collect(explanation, &mut runs);
    let cx = Context {
        hooks: hooks::anchors(explanation),
        runs,
    };
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    );
    let title = format!("{} · Portcullis", text::plain(&explanation.session));
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(explanation))
                main {
                    @for turn in &explanation.turns { (turn::turn(turn, &cx)) }
                    p #nothing hidden { "Nothing matches. " kbd { "Esc" } " shows everything again." }
                    (hooks::table(explanation, &cx))
                }
                (footer())
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    document.into_string()
}

/// What all parts of the page look up.
struct Context<'a> {
    /// The anchors of hooks in the table, by id.
    hooks: HashMap<&'a str, String>,
    /// The point and the run of each id.
    runs: HashMap<&'a str, (&'a str, &'a Run)>,
}

impl Context<'_> {
    /// A hook's name, linked to its role and grants.
    fn hook(&self, hook: &str) -> Markup {
        html! {
            @match self.hooks.get(hook) {
                Some(anchor) => a.hook href={ "#" (anchor) } { (shown(hook)) },
                None => span.hook { (shown(hook)) },
            }
        }
    }

    /// A link to a run, by its hook.
    fn run(&self, id: &str) -> Markup {
        html! {
            @if let Some((point, run)) = self.runs.get(id) {
                a.cause href={ "#" (id) } { (shown(&run.hook)) " at " (shown(point)) }
            }
        }
    }
}

fn collect<'a>(explanation: &'a Explanation, runs: &mut HashMap<&'a str, (&'a str, &'a Run)>) {
    for (chain, run) in explanation.runs() {
        runs.insert(&run.id, (&chain.point, run));
    }
    for below in explanation.subagents() {
        collect(below, runs);
    }
}

fn header(explanation: &Explanation) -> Markup {
    let totals = &explanation.totals;
    let tiles = [
        ("refused", "refused", totals.refusals),
        ("would", "would refuse (audit)", totals.would_refuse),
        ("changed", "changed", totals.changes),
        ("failed", "failed", totals.failures),
        ("notrun", "did not run", totals.not_run),
    ];
    html! {
        header {
            div.title {
                h1 { "Session " code { (shown(&explanation.session)) } }
                p.about {
                    @if let Some(agent) = &explanation.agent { "agent " b { (shown(agent)) } " · " }
                    time { (text::date(explanation.began_ms)) }
                    " · " (text::plural(totals.turns, "turn"))
                    ", " (text::plural(totals.model_calls, "model call"))
                    ", " (text::plural(totals.tool_calls, "tool call"))
                    ", " (text::plural(totals.runs, "hook run"))
                    " · hooks took " b { (time(totals.hooks_us)) }
                    @if totals.fuel > 0 { " and " (count(totals.fuel)) " units of fuel" }
                }
            }
            @if totals.turns > 1 {
                nav.map aria-label="Turns" {
                    @for turn in explanation.turns.iter().filter(|turn| turn.number > 0) { (turn::chip(turn)) }
                }
            }
            div.tools role="search" {
                input #search type="search" placeholder="Search   /" aria-label="Search" autocomplete="off" spellcheck="false";
                div.filters {
                    @for (kind, label, number) in tiles {
                        @if number > 0 {
                            button.filter.(kind) type="button" data-filter=(kind) aria-pressed="false" {
                                b { (number) } " " (label)
                            }
                        }
                    }
                }
                div.buttons {
                    button #open type="button" title="Open everything (e)" { "Open all" }
                    button #close type="button" title="Close everything (c)" { "Close all" }
                    button #theme type="button" title="Light or dark (t)" { "◐" }
                }
            }
        }
    }
}

fn footer() -> Markup {
    html! {
        footer {
            p {
                kbd { "/" } " search  " kbd { "j" } " " kbd { "k" } " next and previous event  "
                kbd { "o" } " open or close it  " kbd { "e" } " " kbd { "c" } " open or close all  "
                kbd { "t" } " light or dark  " kbd { "Esc" } " everything"
            }
            p { "Made by " code { "portcullis explain" } ". This file loads nothing." }
        }
    }
}

fn digest(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}
