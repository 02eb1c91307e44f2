//! A tree of rows, with times and fuel in columns at its right.

use std::io;

use super::format::{print_line, print_text, printable};
use super::line::Line;
use super::output::Out;
use super::printable::Printable;
use super::style::{DIM, paint};
use super::text;

/// The number of columns for branches and labels.
const LABELS: usize = 24;
/// The number of columns for a time.
const TIME: usize = 7;
/// The number of columns for fuel.
const FUEL: usize = 6;

/// An event, and the events within it.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Its rows; the first has the branch.
    pub rows: Vec<Row>,
    /// The events within it.
    pub children: Vec<Node>,
}

impl Node {
    /// Creates a node without children.
    pub fn leaf(rows: Vec<Row>) -> Self {
        Self {
            rows,
            children: Vec::new(),
        }
    }
}

/// One row.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// The event's kind or name.
    pub label: Line,
    /// The event's description.
    pub body: Line,
    /// The layout of a body that is too long.
    pub fit: Fit,
    /// The time that the event took.
    pub time: Printable,
    /// The fuel it used.
    pub fuel: Printable,
}

/// The layout of a body that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// The body continues in further rows, indented by this many columns.
    Wrap(usize),
    /// The body is cut.
    Cut,
}

impl Default for Fit {
    fn default() -> Self {
        Self::Wrap(0)
    }
}

impl Row {
    /// Creates a row without label and numbers.
    pub fn body(body: Line) -> Self {
        Self {
            body,
            ..Self::default()
        }
    }

    /// Creates a row whose body is indented by `columns` columns, also on the lines that it wraps
    /// to.
    pub fn indented(columns: usize, body: Line) -> Self {
        let body = Line::new().plain(" ".repeat(columns)).joined(body);
        Self::body(body).fit(Fit::Wrap(columns))
    }

    /// Returns the row with a label.
    pub fn label(mut self, label: Line) -> Self {
        self.label = label;
        self
    }

    /// Returns the row with another fit.
    pub fn fit(mut self, fit: Fit) -> Self {
        self.fit = fit;
        self
    }

    /// Returns the body in lines of at most `room` columns.
    fn lines(&self, room: usize) -> Vec<Line> {
        match self.fit {
            Fit::Cut => vec![self.body.cut(room)],
            Fit::Wrap(indent) => self.body.wrap(room, indent),
        }
    }
}

/// Writes a rule with a title, and the titles of the columns at its right.
pub fn write_rule(out: &mut Out, title: &Line, width: usize) -> io::Result<()> {
    let right = printable!(" {}", numbers(&"time".into(), &"fuel".into()).trim_start());
    let dashes = width.saturating_sub(title.columns() + text::columns(&right) + 4);
    let dashes = Printable::from("─").repeat(dashes);
    print_line!(
        out,
        "{} {} {}",
        paint(DIM, "──"),
        title,
        paint(DIM, printable!("{}{}", dashes, right))
    )
}

fn numbers(time: &Printable, fuel: &Printable) -> Printable {
    printable!(
        "{} {}",
        text::pad_left(time, TIME),
        text::pad_left(fuel, FUEL)
    )
    .trim_end()
}

/// Writes the nodes.
pub fn write(out: &mut Out, nodes: &[Node], width: usize) -> io::Result<()> {
    write_below(out, nodes, &"  ".into(), width)
}

fn write_below(out: &mut Out, nodes: &[Node], before: &Printable, width: usize) -> io::Result<()> {
    for (index, node) in nodes.iter().enumerate() {
        let (branch, below) = match index + 1 == nodes.len() {
            true => ("└ ", "  "),
            false => ("├ ", "│ "),
        };
        let below = printable!("{}{}", before, below);
        let beside = match node.children.is_empty() {
            true => below.clone(),
            false => printable!("{}│ ", below),
        };
        let mut branch = printable!("{}{}", before, branch);
        for row in &node.rows {
            write_row(out, row, &branch, &beside, width)?;
            branch.clone_from(&beside);
        }
        write_below(out, &node.children, &below, width)?;
    }
    Ok(())
}

fn write_row(
    out: &mut Out,
    row: &Row,
    branch: &Printable,
    beside: &Printable,
    width: usize,
) -> io::Result<()> {
    let room = width.saturating_sub(LABELS + TIME + FUEL + 2).max(20);
    let mut label = row.label.clone();
    let mut branch = branch;
    let nothing = Printable::default();
    let (mut time, mut fuel) = (&row.time, &row.fuel);
    for line in row.lines(room) {
        if label.columns() > 0 && line.columns() == 0 && time.is_empty() {
            print_line!(out, "{}{}", paint(DIM, branch), label)?;
            return Ok(());
        }
        let taken = text::columns(branch) + label.columns();
        let gap = LABELS.saturating_sub(taken).max(1);
        print_text!(out, "{}{}{:gap$}{}", paint(DIM, branch), label, "", line)?;
        if !time.is_empty() || !fuel.is_empty() {
            let gap = room.saturating_sub(line.columns()) + 1;
            print_text!(out, "{:gap$}{}", "", paint(DIM, numbers(time, fuel)))?;
        }
        print_line!(out)?;
        label = Line::new();
        branch = beside;
        (time, fuel) = (&nothing, &nothing);
    }
    Ok(())
}
