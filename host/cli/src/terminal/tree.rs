//! A tree of rows, with times and fuel in columns at its right.

use std::io::{self, Write};

use super::line::Line;
use super::style::{DIM, paint};
use super::text;

/// How many columns the branches and labels take.
const LABELS: usize = 24;
/// How many columns a time takes.
const TIME: usize = 7;
/// How many columns fuel takes.
const FUEL: usize = 6;

/// Something that happened, and what happened within it.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Its rows; the first has the branch.
    pub rows: Vec<Row>,
    /// What happened within it.
    pub children: Vec<Node>,
}

/// One row.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// What it is.
    pub label: Line,
    /// What there is to say.
    pub body: Line,
    /// What happens to a body that is too long.
    pub fit: Fit,
    /// How long it took.
    pub time: String,
    /// The fuel it used.
    pub fuel: String,
}

/// What happens to a body that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It continues in further rows, indented by this many columns.
    Wrap(usize),
    /// It is cut.
    Cut,
}

impl Default for Fit {
    fn default() -> Self {
        Self::Wrap(0)
    }
}

impl Row {
    /// A row without label and numbers.
    pub fn body(body: Line) -> Self {
        Self {
            body,
            ..Self::default()
        }
    }

    /// The row with a label.
    pub fn label(mut self, label: Line) -> Self {
        self.label = label;
        self
    }

    /// The row with another fit.
    pub fn fit(mut self, fit: Fit) -> Self {
        self.fit = fit;
        self
    }

    /// The body in lines of at most `room` columns.
    fn lines(&self, room: usize) -> Vec<Line> {
        match self.fit {
            Fit::Cut => vec![self.body.cut(room)],
            Fit::Wrap(indent) => self.body.wrap(room, indent),
        }
    }
}

/// Writes a rule with a title, and the titles of the columns at its right.
pub fn write_rule(out: &mut impl Write, title: &Line, width: usize) -> io::Result<()> {
    let right = format!(" {}", numbers("time", "fuel").trim_start());
    let dashes = width.saturating_sub(title.columns() + text::columns(&right) + 4);
    writeln!(
        out,
        "{} {title} {}",
        paint(DIM, "──"),
        paint(DIM, "─".repeat(dashes) + &right)
    )
}

fn numbers(time: &str, fuel: &str) -> String {
    let numbers = text::pad_left(time, TIME) + " " + &text::pad_left(fuel, FUEL);
    numbers.trim_end().to_owned()
}

/// Writes the nodes.
pub fn write(out: &mut impl Write, nodes: &[Node], width: usize) -> io::Result<()> {
    write_below(out, nodes, "  ", width)
}

fn write_below(out: &mut impl Write, nodes: &[Node], before: &str, width: usize) -> io::Result<()> {
    for (index, node) in nodes.iter().enumerate() {
        let (branch, below) = match index + 1 == nodes.len() {
            true => ("└ ", "  "),
            false => ("├ ", "│ "),
        };
        let below = format!("{before}{below}");
        let beside = match node.children.is_empty() {
            true => below.clone(),
            false => format!("{below}│ "),
        };
        let mut branch = format!("{before}{branch}");
        for row in &node.rows {
            write_row(out, row, &branch, &beside, width)?;
            branch.clone_from(&beside);
        }
        write_below(out, &node.children, &below, width)?;
    }
    Ok(())
}

fn write_row(
    out: &mut impl Write,
    row: &Row,
    branch: &str,
    beside: &str,
    width: usize,
) -> io::Result<()> {
    let room = width.saturating_sub(LABELS + TIME + FUEL + 2).max(20);
    let mut label = row.label.clone();
    let mut branch = branch;
    let (mut time, mut fuel) = (row.time.as_str(), row.fuel.as_str());
    for line in row.lines(room) {
        if label.columns() > 0 && line.columns() == 0 && time.is_empty() {
            writeln!(out, "{}{label}", paint(DIM, branch))?;
            return Ok(());
        }
        let taken = text::columns(branch) + label.columns();
        let gap = LABELS.saturating_sub(taken).max(1);
        write!(out, "{}{label}{:gap$}{line}", paint(DIM, branch), "")?;
        if !time.is_empty() || !fuel.is_empty() {
            let gap = room.saturating_sub(line.columns()) + 1;
            write!(out, "{:gap$}{}", "", paint(DIM, numbers(time, fuel)))?;
        }
        writeln!(out)?;
        label = Line::new();
        branch = beside;
        (time, fuel) = ("", "");
    }
    Ok(())
}
