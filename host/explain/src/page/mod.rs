//! The page: one HTML file that needs no network and no other file.

mod diff;
mod hooks;
mod run;
mod text;
mod turn;
mod waterfall;

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use self::text::{count, shown, time};
use crate::model::{Explanation, Item, Run, Turn};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Returns a page of a session, as one HTML file. The page is complete without its script, which
/// only searches, filters and moves. Texts of hooks, models and people are inert: they are escaped,
/// and the page's policy allows its own style and script by their digests and nothing else.
pub fn page(explanation: &Explanation) -> String {
    Document {
        title: &explanation.session,
        parts: parts(explanation),
        footer: "Made by `portcullis explain`. This file loads nothing.",
        ..Document::default()
    }
    .html()
}

/// A part of a page: an element with an id of its own, as HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The element's id, which a part keeps while a session runs.
    pub id: String,
    /// The element.
    pub html: String,
}

impl Part {
    pub(crate) fn new(id: impl Into<String>, html: Markup) -> Self {
        Self {
            id: id.into(),
            html: html.into_string(),
        }
    }
}

/// Returns the parts of a session's page: its head, its turns, and its hooks.
pub fn parts(explanation: &Explanation) -> Vec<Part> {
    let cx = Context::of(explanation);
    let turns = explanation.turns.iter().enumerate().map(|(index, it)| {
        let id = match it.number {
            0 => format!("outside-{index}"),
            _ => it.id(),
        };
        let html = turn::turn(it, Some(&id), &cx);
        Part::new(id, html)
    });
    let nothing = html! {
        p #nothing hidden { "Nothing matches. " kbd { "Esc" } " shows everything again." }
    };
    let mut parts = vec![Part::new("head", header(explanation))];
    parts.extend(turns);
    parts.push(Part::new("nothing", nothing));
    if !explanation.hooks.is_empty() {
        parts.push(Part::new("hooks", hooks::table(explanation, &cx)));
    }
    parts
}

/// An HTML document of parts, in the style of a session's page, with its script.
#[derive(Debug, Clone, Default)]
pub struct Document<'a> {
    /// The page's subject.
    pub title: &'a str,
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// The words at its end. Text between backticks is code.
    pub footer: &'a str,
    /// More style.
    pub style: &'a str,
    /// Another script, which may ask the page's own server.
    pub script: &'a str,
    /// Names and values that the script reads, as `meta` elements.
    pub meta: Vec<(&'a str, String)>,
}

impl Document<'_> {
    /// Returns the policy that a browser keeps (`Content-Security-Policy`). It allows the
    /// document's own style and scripts by their digests, requests to its own server if it has a
    /// script of its own, and nothing else.
    pub fn policy(&self) -> String {
        let digests = |texts: [&str; 2]| {
            let own = texts.into_iter().filter(|text| !text.is_empty());
            let own = own.map(|text| format!("'sha256-{}'", digest(text)));
            own.collect::<Vec<_>>().join(" ")
        };
        let connect = match self.script.is_empty() {
            true => "",
            false => " connect-src 'self';",
        };
        format!(
            "default-src 'none'; style-src {}; script-src {};{connect} base-uri 'none'; form-action 'none'",
            digests([STYLE, self.style]),
            digests([SCRIPT, self.script]),
        )
    }

    /// Returns the document.
    pub fn html(&self) -> String {
        let title = format!("{} · Portcullis", text::plain(self.title));
        let document = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(self.policy());
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    @for (name, value) in &self.meta { meta name=(name) content=(value); }
                    title { (title) }
                    style { (PreEscaped(STYLE)) }
                    @if !self.style.is_empty() { style { (PreEscaped(self.style)) } }
                }
                body {
                    main { @for part in &self.parts { (PreEscaped(&part.html)) } }
                    (footer(self.footer))
                    script { (PreEscaped(SCRIPT)) }
                    @if !self.script.is_empty() { script { (PreEscaped(self.script)) } }
                }
            }
        };
        document.into_string()
    }
}

/// The lookup tables for all parts of the page.
struct Context<'a> {
    /// The anchors of hooks in the table, by id.
    hooks: HashMap<&'a str, String>,
    /// Each id's point and run.
    runs: HashMap<&'a str, (&'a str, &'a Run)>,
    /// The runs that withheld a tool call's result, by id.
    withheld: HashSet<&'a str>,
}

impl<'a> Context<'a> {
    fn of(explanation: &'a Explanation) -> Self {
        let mut cx = Self {
            hooks: hooks::anchors(explanation),
            runs: HashMap::new(),
            withheld: HashSet::new(),
        };
        cx.add(explanation);
        cx
    }

    /// Adds the runs of a session and of its sub-agents.
    fn add(&mut self, explanation: &'a Explanation) {
        for (chain, run) in explanation.runs() {
            self.runs.insert(&run.id, (&chain.point, run));
        }
        for item in explanation.turns.iter().flat_map(Turn::items) {
            if let Item::Tool(call) = item {
                self.withheld.extend(call.withheld_by.as_deref());
            }
        }
        for below in explanation.subagents() {
            self.add(below);
        }
    }

    /// Returns a hook's name, linked to its role and grants.
    fn hook(&self, hook: &str) -> Markup {
        html! {
            @match self.hooks.get(hook) {
                Some(anchor) => a.hook href={ "#" (anchor) } { (text::plain(hook)) },
                None => span.hook { (text::plain(hook)) },
            }
        }
    }

    /// Returns a link to a run, by its hook.
    fn run(&self, id: &str) -> Markup {
        html! {
            @if let Some((point, run)) = self.runs.get(id) {
                a.cause href={ "#" (id) } { (shown(&run.hook)) " at " (shown(point)) }
            }
        }
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
        header #head {
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

fn footer(words: &str) -> Markup {
    html! {
        footer {
            p {
                kbd { "/" } " search  " kbd { "j" } " " kbd { "k" } " next and previous event  "
                kbd { "o" } " open or close it  " kbd { "e" } " " kbd { "c" } " open or close all  "
                kbd { "t" } " light or dark  " kbd { "Esc" } " everything"
            }
            p { @for (index, words) in words.split('`').enumerate() {
                @if index % 2 == 1 { code { (words) } } @else { (words) }
            } }
        }
    }
}

fn digest(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}
