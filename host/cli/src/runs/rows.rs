//! Hook runs as rows that fit a terminal: the sessions as headings, and why a hook refused below its run.

use std::time::Duration;

use chrono::DateTime;
use indexmap::IndexMap;
use portcullis::hooks::Mode;
use portcullis_agent::RunState;
use portcullis_store::JournalRun;

use crate::terminal::format::printable;
use crate::terminal::line::Line;
use crate::terminal::style::{BOLD, DIM, ERROR, NOTE, REFUSED};
use crate::terminal::{Printable, text, units};

/// The indents of rows below their session, and of messages below their run.
const INDENT: usize = 2;
const MESSAGE: usize = 12;
/// The width of the gap between columns.
const GAP: usize = 2;
/// The fewest columns of a point and of a hook, however narrow the terminal is.
const FEWEST: usize = 6;

const COLUMNS: usize = 9;
const HEADINGS: [&str; COLUMNS] = [
    "RUN", "TIME", "TURN", "STEP", "POINT", "HOOK", "RESULT", "TOOK", "FUEL",
];
const RUN: usize = 0;
const TIME: usize = 1;
const TURN: usize = 2;
const STEP: usize = 3;
const POINT: usize = 4;
const HOOK: usize = 5;
const TOOK: usize = 7;
const FUEL: usize = 8;

/// Returns the runs in rows of at most `width` columns, grouped by session and day. Sessions are in
/// the order of their first hook run.
pub(super) fn shown(runs: &[JournalRun], width: usize) -> Printable {
    let mut places: IndexMap<(&str, String), Vec<&JournalRun>> = IndexMap::new();
    for run in runs {
        places
            .entry((&run.row.session, day(run)))
            .or_default()
            .push(run);
    }
    let runs: Vec<&JournalRun> = places.into_values().flatten().collect();
    let rows: Vec<[Printable; COLUMNS]> = runs.iter().copied().map(cells).collect();
    let widths = widths(&rows, width);
    let headings = HEADINGS.map(Printable::from);
    let mut lines: Vec<Printable> = Vec::new();
    let mut above = None;
    for (run, cells) in runs.into_iter().zip(&rows) {
        let here = (&run.row.session, day(run));
        if above.as_ref() != Some(&here) {
            let heading = Line::styled(BOLD, printable!("session {}", Printable::line(here.0)));
            let heading = heading.with(DIM, printable!(" on {} (UTC)", here.1));
            lines.extend([Printable::default(), printable!("{}", heading)]);
            lines.push(printable!("{}", Line::styled(DIM, row(&headings, &widths))));
            above = Some(here);
        }
        lines.push(styled(run, cells, &widths));
        for message in messages(run) {
            let wrapped = text::wrap(&message, width.saturating_sub(MESSAGE));
            lines.extend(
                wrapped
                    .iter()
                    .map(|line| printable!("{}{}", " ".repeat(MESSAGE), line)),
            );
        }
    }
    Printable::join(lines, "\n")
}

fn cells(run: &JournalRun) -> [Printable; COLUMNS] {
    let took = match run.end.state {
        RunState::Skipped => Printable::from("-"),
        _ => {
            let latency = run.end.latency_us.map(Duration::from_micros);
            latency.map(units::time).unwrap_or_default()
        }
    };
    [
        // Other commands take the id in this form.
        printable!("{}.{}", run.host, run.row.id),
        time(run),
        printable!("{}", run.row.turn),
        printable!("{}", run.row.step),
        Printable::line(&run.row.point),
        Printable::line(&run.row.hook),
        result(run),
        took,
        run.end.fuel.map(units::short).unwrap_or_default(),
    ]
}

/// Returns the result of a run: its outcome if it has one, else its state.
fn result(run: &JournalRun) -> Printable {
    let word = match (run.end.state, run.end.outcome.as_deref()) {
        (RunState::Completed, Some(outcome)) => outcome,
        (state, _) => state.code(),
    };
    match run.end.mode {
        Some(Mode::Audit) => printable!("{} (audit)", word),
        _ => printable!("{}", word),
    }
}

/// Returns why a hook refused or failed, and other notes on its run.
fn messages(run: &JournalRun) -> Vec<Printable> {
    let code = run.end.code.as_deref().or(run.end.cause.as_deref());
    let why = match (code, run.end.message.as_deref()) {
        (Some(code), Some(why)) => Some(printable!("{}: {}", code, why)),
        (Some(only), None) | (None, Some(only)) => Some(Printable::line(only)),
        (None, None) => None,
    };
    let restarted = "started again: its instance had been evicted";
    let restarted = run.end.restarted.then(|| Printable::from(restarted));
    let used = run.end.used.as_deref().filter(|used| !used.is_empty());
    let used = used.map(|used| printable!("used {}", Printable::line(used.join(", "))));
    why.into_iter().chain(restarted).chain(used).collect()
}

/// Returns the widths of the columns: as wide as their content. If that is too wide, fuel is left
/// out, then latency, then points and hooks are cut, and at last time is left out. Values that a
/// person types into the next command are not cut.
fn widths(rows: &[[Printable; COLUMNS]], width: usize) -> [usize; COLUMNS] {
    let mut widths = HEADINGS.map(str::len);
    for cells in rows {
        for (widest, cell) in widths.iter_mut().zip(cells) {
            *widest = (*widest).max(text::columns(cell));
        }
    }
    let taken = |widths: &[usize; COLUMNS]| {
        let shown = widths.iter().filter(|width| **width > 0);
        shown.fold(INDENT, |sum, width| sum + width + GAP) - GAP
    };
    for left_out in [FUEL, TOOK] {
        if taken(&widths) > width {
            widths[left_out] = 0;
        }
    }
    while taken(&widths) > width {
        let widest = if widths[POINT] > widths[HOOK] {
            POINT
        } else {
            HOOK
        };
        if widths[widest] <= FEWEST {
            break;
        }
        widths[widest] -= 1;
    }
    if taken(&widths) > width {
        widths[TIME] = 0;
    }
    widths
}

fn row(cells: &[Printable; COLUMNS], widths: &[usize; COLUMNS]) -> Printable {
    let columns = cells.iter().zip(widths).enumerate();
    let columns = columns
        .filter(|(_, (_, width))| **width > 0)
        .map(|(index, (cell, width))| {
            let cell = text::cut(cell, *width);
            match index {
                RUN | TURN | STEP | TOOK | FUEL => text::pad_left(cell, *width),
                _ => text::pad(cell, *width),
            }
        });
    let gap = "  ";
    printable!("{}{}", " ".repeat(INDENT), Printable::join(columns, gap)).trim_end()
}

fn styled(run: &JournalRun, cells: &[Printable; COLUMNS], widths: &[usize; COLUMNS]) -> Printable {
    let row = row(cells, widths);
    let style = match run.end.state {
        RunState::Failed | RunState::TimedOut | RunState::Lost => ERROR,
        RunState::Completed if run.end.code.is_none() => return row,
        RunState::Completed if run.end.mode == Some(Mode::Audit) => NOTE,
        RunState::Completed => REFUSED,
        _ => DIM,
    };
    printable!("{}", Line::styled(style, row))
}

fn began(run: &JournalRun) -> DateTime<chrono::Utc> {
    let ms = i64::try_from(run.row.started_ms).unwrap_or_default();
    DateTime::from_timestamp_millis(ms).unwrap_or_default()
}

fn time(run: &JournalRun) -> Printable {
    printable!("{}", began(run).format("%H:%M:%S").to_string())
}

fn day(run: &JournalRun) -> String {
    began(run).format("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use portcullis_agent::{RunEnd, RunRow};

    use super::*;

    fn run(hook: &str, end: RunEnd) -> JournalRun {
        JournalRun {
            host: 7,
            row: RunRow {
                id: 104_123,
                session: "0199-a-session".into(),
                turn: 1,
                step: 2,
                point: "workspace-eviction-retried".into(),
                hook: hook.into(),
                started_ms: 1_763_899_445_000,
                ..RunRow::default()
            },
            ended_ms: None,
            end: RunEnd {
                latency_us: Some(1_200),
                fuel: Some(12_345),
                ..end
            },
        }
    }

    #[test]
    fn runs_of_a_session_stand_together() {
        let of = |session: &str| JournalRun {
            row: RunRow {
                session: session.into(),
                ..run("a", RunEnd::of(RunState::Completed)).row
            },
            ..run("a", RunEnd::of(RunState::Completed))
        };
        let text = shown(&["one", "two", "one", "two"].map(of), 100).to_string();
        assert_eq!(text.matches("session ").count(), 2, "{text}");
    }

    #[test]
    fn a_hook_that_was_not_called_took_no_time() {
        let skipped = RunEnd::of(RunState::Skipped);
        let text = shown(&[run("canned-answer", skipped)], 120).to_string();
        assert!(text.contains("   -   12k"), "{text}");
        assert!(!text.contains("µs"), "{text}");
    }

    #[test]
    fn columns_are_left_out_before_names_are_cut() {
        let runs = [run("path-jail", RunEnd::of(RunState::Completed))];
        let of = |width| shown(&runs, width).to_string();
        for (width, took, fuel) in [(120, true, true), (90, true, false), (86, false, false)] {
            let text = of(width);
            assert_eq!(text.contains("TOOK"), took, "{width}: {text}");
            assert_eq!(text.contains("FUEL"), fuel, "{width}: {text}");
            for whole in ["workspace-eviction-retried", "path-jail"] {
                assert!(text.contains(whole), "{width}: {text}");
            }
        }
        assert!(!of(74).contains("workspace-eviction-retried"));
    }

    #[test]
    fn rows_fit_and_say_when_why_and_how_a_run_ended() {
        let runs = [
            run(
                "a-hook-with-a-very-long-name-that-takes-all",
                RunEnd {
                    outcome: Some("reject".into()),
                    code: Some("outside".into()),
                    message: Some(
                        "漢字 the path leads out of the directory that the agent works in".into(),
                    ),
                    mode: Some(Mode::Audit),
                    restarted: true,
                    ..RunEnd::of(RunState::Completed)
                },
            ),
            run("b", RunEnd::of(RunState::Lost)),
        ];
        for width in [60, 80, 140] {
            let text = shown(&runs, width).to_string();
            // An escape is followed by a style, up to its `m`.
            let pieces = text.split("\u{1b}[").enumerate();
            let plain = pieces.filter_map(|(index, piece)| match index {
                0 => Some(piece),
                _ => piece.split_once('m').map(|(_, rest)| rest),
            });
            let text: String = plain.collect();
            for line in text.lines() {
                let columns = text::columns(&Printable::line(line));
                assert!(columns <= width, "{columns} of {width}: {line}");
            }
            let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in [
                "session 0199-a-session on 2025-11-23 (UTC)",
                if width > 60 {
                    "7.104123 12:04:05 1 2"
                } else {
                    "7.104123 1 2"
                },
                "reject (audit)",
                "outside: 漢字 the path leads out of the directory that the agent works in",
                "started again",
                "lost",
            ] {
                assert!(joined.contains(part), "{part}: {text}");
            }
        }
    }
}
