//! Prints the demo: titles, timelines and totals.

use std::io;
use std::path::Path;

use anstyle::Style;
use portcullis::Hooks;
use portcullis_agent::TurnOrigin;

use crate::story::{SESSION, Scene};
use portcullis_terminal::activity::{Detail, End, Places, Tally, TurnLog, nodes};
use portcullis_terminal::format::{print_line, printable};
use portcullis_terminal::line::Line;
use portcullis_terminal::style::{BOLD, DIM, GOOD, NOTE, REFUSED, paint};
use portcullis_terminal::table::{Cell, Table};
use portcullis_terminal::{Out, Printable};
use portcullis_terminal::{text, tree, units, width};

/// The number of columns for the speaker's name.
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
    /// Prints the title.
    pub fn begin(detail: Detail, places: Places, hooks: &Hooks) -> io::Result<Self> {
        let mut out = Out::stdout();
        let names: Vec<String> = hooks.reports().iter().map(|r| r.id.to_string()).collect();
        print_line!(
            out,
            "{BOLD}portcullis demo{BOLD:#} {DIM}the model is a script; hooks, tools and files are \
             real{DIM:#}"
        )?;
        let armed = printable!(
            "{} armed: {}",
            units::plural(names.len(), "hook"),
            names.join(", ")
        );
        for line in text::wrap(&armed, width()) {
            print_line!(out, "{DIM}{}{DIM:#}", line)?;
        }
        print_line!(out)?;
        Ok(Self {
            detail,
            places,
            tally: Tally::default(),
            turns: 0,
        })
    }

    /// Prints the events before or after all turns.
    pub fn outside_turns(&mut self, log: &TurnLog) -> io::Result<()> {
        let mut out = Out::stdout();
        self.timeline(&mut out, log)?;
        print_line!(out)
    }

    /// Prints a turn.
    pub fn turn(&mut self, number: usize, scene: &Scene, log: &TurnLog) -> io::Result<()> {
        self.turns += 1;
        let mut out = Out::stdout();
        let title = Line::styled(BOLD, printable!("turn {}", number))
            .plain(printable!(": {}", scene.shows));
        tree::write_rule(&mut out, &title, width())?;
        write_speech(&mut out, "user", PLAIN, scene.says)?;
        self.timeline(&mut out, log)?;
        self.end(&mut out, log.end.as_ref())?;
        print_line!(out)
    }

    fn timeline(&mut self, out: &mut Out, log: &TurnLog) -> io::Result<()> {
        self.tally.add(log);
        tree::write(out, &nodes(log, self.detail, &self.places), width())
    }

    fn end(&self, out: &mut Out, end: Option<&End>) -> io::Result<()> {
        match end {
            Some(End::Output { text, origin }) => {
                let by = match origin {
                    TurnOrigin::Model => Printable::default(),
                    TurnOrigin::Answered { by } => {
                        printable!(" (from {}; no model was called)", by)
                    }
                    TurnOrigin::Tool { name } => printable!(" (from the tool {})", name),
                    TurnOrigin::Stopped { by, message, .. } => {
                        printable!(" (stopped by {}: {})", by, message)
                    }
                    TurnOrigin::Recovered { by, .. } => printable!(" (recovered by {})", by),
                };
                write_speech(
                    out,
                    "agent",
                    PLAIN,
                    &printable!("{}{}", self.places.show(text), by),
                )
            }
            Some(End::Failed { error }) => write_speech(
                out,
                "agent",
                REFUSED,
                &printable!("✗ {}", self.places.show(error)),
            ),
            None => print_line!(out, "  {NOTE}the turn did not end{NOTE:#}"),
        }
    }

    /// Prints the totals, and the next steps. `record` is the file with the recorded hook calls.
    pub fn closing(
        &self,
        outcome: &[String],
        hooks: &Path,
        page: &Path,
        record: Option<&Path>,
    ) -> io::Result<()> {
        let mut out = Out::stdout();
        let tally = &self.tally;
        let rule = "─".repeat(width().saturating_sub(10));
        print_line!(
            out,
            "{} {BOLD}total{BOLD:#} {}",
            paint(DIM, "──"),
            paint(DIM, rule)
        )?;
        print_line!(
            out,
            "  {}, {}, {}",
            units::plural(self.turns, "turn"),
            units::plural(tally.models, "model call"),
            units::plural(tally.tools, "tool call")
        )?;
        let mut runs =
            Line::new().plain(printable!("  {}:", units::plural(tally.runs, "hook run")));
        for (index, (mark, n)) in tally.answers.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            runs = runs
                .plain(printable!("{} {} ", comma, n))
                .with(mark.style, mark.word);
        }
        for line in runs.wrap(width(), 4) {
            print_line!(out, "{}", line)?;
        }
        print_line!(
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
            print_line!(
                out,
                "  {GOOD}{} survived{GOOD:#}: the turn continued{}",
                failures,
                healed
            )?;
        }
        if tally.refused_for > 0 {
            let failures = units::plural(tally.refused_for, "failure");
            print_line!(
                out,
                "  {REFUSED}{} refused the operation{REFUSED:#}: the hook fails closed",
                failures
            )?;
        }
        for words in outcome {
            print_line!(out, "  {}", words)?;
        }
        print_line!(out, "\n{}", shares(tally))?;
        let component = in_shell(&hooks.join("path-jail.wasm").display().to_string());
        let hooks = in_shell(&hooks.display().to_string());
        let mut next = vec![
            (
                printable!("portcullis hooks inspect {}", component),
                "what a hook may see and do",
            ),
            (
                printable!("portcullis demo --each --hooks {}", hooks),
                "every hook run on a row of its own",
            ),
            (
                printable!("{}", page.display()),
                "this session as a page: open it in a browser",
            ),
        ];
        if let Some(file) = record {
            let store = in_shell(&format!("sqlite:{}", file.display()));
            next.extend([
                (
                    printable!("portcullis runs --store {}", store),
                    "the hook runs that were recorded",
                ),
                (
                    printable!("portcullis explain {} --store {}", SESSION, store),
                    "the session: what each hook did, and why something was refused",
                ),
                (
                    printable!("portcullis replay --hook {} --store {}", component, store),
                    "the recorded calls of a hook, made again by this version of it",
                ),
            ]);
        }
        write_next(&mut out, next)
    }

    /// Prints that the process of the demo was killed, and how its turn is finished.
    #[cfg(feature = "durable")]
    pub fn interrupted(process: u32, turn: usize, dir: &Path) -> io::Result<()> {
        let mut out = Out::stdout();
        print_line!(
            out,
            "{REFUSED}✗ process {} was killed{REFUSED:#}, in the middle of turn {}",
            process,
            turn
        )?;
        let dir = in_shell(&dir.display().to_string());
        write_next(
            &mut out,
            [
                (
                    printable!("cd {} && portcullis run --continue", dir),
                    "finishes the turn: what is recorded of it is not done again",
                ),
                (
                    printable!("cd {} && portcullis explain {}", dir, SESSION),
                    "the session, as both processes recorded it",
                ),
            ],
        )
    }
}

/// Returns a word in quotes if a shell needs them, such as for a path with spaces.
fn in_shell(word: &str) -> String {
    match word.contains(|c: char| !(c.is_ascii_alphanumeric() || "/._-:".contains(c))) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word.to_owned(),
    }
}

/// Prints commands to try next, with their descriptions.
fn write_next(
    out: &mut Out,
    next: impl IntoIterator<Item = (Printable, &'static str)>,
) -> io::Result<()> {
    print_line!(out)?;
    for (index, (command, what)) in next.into_iter().enumerate() {
        let title = if index == 0 { "Next" } else { "" };
        let title = paint(BOLD, text::pad(title, WHO));
        print_line!(out, "  {}{}", title, command)?;
        print_line!(out, "  {:WHO$}{DIM}{}{DIM:#}", "", what)?;
    }
    Ok(())
}

fn write_speech(
    out: &mut Out,
    who: &str,
    style: Style,
    words: impl Into<Printable>,
) -> io::Result<()> {
    let lines = text::wrap(&words.into(), width().saturating_sub(WHO + 2));
    for (index, line) in lines.iter().enumerate() {
        let who = if index == 0 { who } else { "" };
        let who = paint(BOLD, text::pad(who, WHO));
        print_line!(out, "  {}{}", who, paint(style, line))?;
    }
    Ok(())
}

/// Returns each hook's share of the work.
fn shares(tally: &Tally) -> Printable {
    let mut table = Table::new(&["hook", "runs", "median", "longest", "fuel", "answered"]);
    let right = |text: Printable| Cell::right(text);
    for (hook, share) in &tally.hooks {
        let answers: Vec<Printable> = share
            .answers
            .iter()
            .map(|(mark, n)| printable!("{} {}", n, mark.word))
            .collect();
        table.row([
            Cell::new(hook),
            right(printable!("{}", share.times.len())),
            right(units::time(share.median())),
            right(units::time(share.longest())),
            right(units::short(share.fuel)),
            Cell::new(Printable::join(answers, ", ")),
        ]);
    }
    let lines = table.shown();
    let lines = lines
        .lines()
        .map(|line| printable!("  {}", line.trim_end()));
    Printable::join(lines, "\n")
}
