//! Prints the demo: titles, timelines and totals.

use std::io::{self, Write};
use std::path::Path;

use anstyle::Style;
use comfy_table::{Cell, CellAlignment};
use portcullis::Hooks;
use portcullis_agent::TurnOrigin;

use super::story::Scene;
use crate::activity::{Detail, End, Places, Tally, TurnLog, nodes};
use crate::terminal::line::Line;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE, REFUSED, paint};
use crate::terminal::table::table;
use crate::terminal::{text, tree, units, width};

/// How many columns the speaker's name takes.
const WHO: usize = 8;
/// No style at all.
const PLAIN: Style = Style::new();

/// Prints the demo to the standard output.
pub struct Narrator {
    detail: Detail,
    places: Places,
    tally: Tally,
    turns: usize,
}

impl Narrator {
    /// A narrator that has printed nothing yet.
    pub fn new(detail: Detail, places: Places) -> Self {
        Self {
            detail,
            places,
            tally: Tally::default(),
            turns: 0,
        }
    }

    /// Prints the title.
    pub fn opening(&self, hooks: &Hooks) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        let names: Vec<String> = hooks.reports().iter().map(|r| r.id.to_string()).collect();
        writeln!(
            out,
            "{BOLD}portcullis demo{BOLD:#} {DIM}the model is a script; hooks, tools and files are \
             real{DIM:#}"
        )?;
        let armed = format!(
            "{} armed: {}",
            units::plural(names.len(), "hook"),
            names.join(", ")
        );
        for line in text::wrap(&armed, width()) {
            writeln!(out, "{DIM}{line}{DIM:#}")?;
        }
        writeln!(out)
    }

    /// Prints what happened before or after all turns.
    pub fn outside_turns(&mut self, log: &TurnLog) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        self.timeline(&mut out, log)?;
        writeln!(out)
    }

    /// Prints a turn.
    pub fn turn(&mut self, number: usize, scene: &Scene, log: &TurnLog) -> io::Result<()> {
        self.turns += 1;
        let mut out = anstream::stdout().lock();
        let title =
            Line::styled(BOLD, format!("turn {number}")).plain(format!(": {}", scene.shows));
        tree::write_rule(&mut out, &title, width())?;
        write_speech(&mut out, "user", PLAIN, scene.says)?;
        self.timeline(&mut out, log)?;
        self.end(&mut out, log.end.as_ref())?;
        writeln!(out)
    }

    fn timeline(&mut self, out: &mut impl Write, log: &TurnLog) -> io::Result<()> {
        self.tally.add(log);
        tree::write(out, &nodes(log, self.detail, &self.places), width())
    }

    fn end(&self, out: &mut impl Write, end: Option<&End>) -> io::Result<()> {
        match end {
            Some(End::Output { text, origin }) => {
                let by = match origin {
                    TurnOrigin::Model => String::new(),
                    TurnOrigin::Answered { by } => format!(" (from {by}; no model was called)"),
                    TurnOrigin::Tool { name } => format!(" (from the tool {name})"),
                    TurnOrigin::Stopped { by, message, .. } => {
                        format!(" (stopped by {by}: {message})")
                    }
                    TurnOrigin::Recovered { by, .. } => format!(" (recovered by {by})"),
                };
                write_speech(
                    out,
                    "agent",
                    PLAIN,
                    &format!("{}{by}", self.places.show(text)),
                )
            }
            Some(End::Failed { error }) => write_speech(
                out,
                "agent",
                REFUSED,
                &format!("✗ {}", self.places.show(error)),
            ),
            None => writeln!(out, "  {NOTE}the turn did not end{NOTE:#}"),
        }
    }

    /// Prints the totals.
    pub fn closing(&self, outcome: &[String], hooks: &Path) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        let tally = &self.tally;
        let rule = "─".repeat(width().saturating_sub(10));
        writeln!(
            out,
            "{} {BOLD}total{BOLD:#} {}",
            paint(DIM, "──"),
            paint(DIM, rule)
        )?;
        writeln!(
            out,
            "  {}, {}, {}",
            units::plural(self.turns, "turn"),
            units::plural(tally.models, "model call"),
            units::plural(tally.tools, "tool call"),
        )?;
        let mut runs = Line::new().plain(format!("  {}:", units::plural(tally.runs, "hook run")));
        for (index, (mark, n)) in tally.answers.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            runs = runs
                .plain(format!("{comma} {n} "))
                .with(mark.style, mark.word);
        }
        for line in runs.wrap(width(), 4) {
            writeln!(out, "{line}")?;
        }
        writeln!(
            out,
            "  {} in hooks{}, {} units of fuel",
            units::time(tally.time),
            if cfg!(debug_assertions) {
                " (the host is a debug build)"
            } else {
                ""
            },
            units::short(tally.fuel)
        )?;
        if tally.survived > 0 {
            let failures = units::plural(tally.survived, "failure");
            let healed = match tally.healed {
                0 => "",
                _ => ", and the hook's next call succeeded",
            };
            writeln!(
                out,
                "  {GOOD}{failures} survived{GOOD:#}: the turn continued{healed}"
            )?;
        }
        if tally.refused_for > 0 {
            let failures = units::plural(tally.refused_for, "failure");
            writeln!(
                out,
                "  {REFUSED}{failures} refused the operation{REFUSED:#}: the hook fails closed"
            )?;
        }
        for words in outcome {
            writeln!(out, "  {words}")?;
        }
        writeln!(out, "\n{}", shares(tally))?;
        let inspect = format!(
            "portcullis hooks inspect {}",
            hooks.join("path-jail.wasm").display()
        );
        let each = format!("portcullis demo --each --hooks {}", hooks.display());
        let next = [
            (inspect, "what a hook may see and do"),
            (each, "every hook run on a row of its own"),
        ];
        writeln!(out)?;
        for (index, (command, what)) in next.into_iter().enumerate() {
            let title = if index == 0 { "Next" } else { "" };
            let title = paint(BOLD, text::pad(title, WHO));
            writeln!(out, "  {title}{command}")?;
            writeln!(out, "  {:WHO$}{DIM}{what}{DIM:#}", "")?;
        }
        Ok(())
    }
}

fn write_speech(out: &mut impl Write, who: &str, style: Style, words: &str) -> io::Result<()> {
    let lines = text::wrap(words, width().saturating_sub(WHO + 2));
    for (index, line) in lines.iter().enumerate() {
        let who = if index == 0 { who } else { "" };
        let who = paint(BOLD, text::pad(who, WHO));
        writeln!(out, "  {who}{}", paint(style, line))?;
    }
    Ok(())
}

/// Each hook's share of the work.
fn shares(tally: &Tally) -> String {
    let mut table = table(&["hook", "runs", "median", "longest", "fuel", "answered"]);
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    for (hook, share) in &tally.hooks {
        let answers: Vec<String> = share
            .answers
            .iter()
            .map(|(mark, n)| format!("{n} {}", mark.word))
            .collect();
        table.add_row([
            Cell::new(hook),
            right(share.times.len().to_string()),
            right(units::time(share.median())),
            right(units::time(share.longest())),
            right(units::short(share.fuel)),
            Cell::new(answers.join(", ")),
        ]);
    }
    let lines: Vec<String> = table
        .lines()
        .map(|line| format!("  {}", line.trim_end()))
        .collect();
    lines.join("\n")
}
