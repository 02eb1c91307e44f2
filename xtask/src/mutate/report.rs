//! The report of a run, for the terminal and for the book.

use std::env;
use std::fmt::{self, Display, Formatter, Write as _};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use super::list::Mutation;
use super::trial::Trial;
use crate::promises::Promise;
use crate::{Error, Result};

/// The book's page with the report.
pub const PAGE: &str = "docs/contributing/mutations.md";

/// The line before the report on the page.
const BEGIN: &str = "<!-- made by `cargo xtask mutate` -->\n";

/// The maximum number of characters of a failure's reason.
const LONGEST: usize = 90;

/// The results of all mutations.
pub(super) struct Report {
    /// The commit that was checked out when the run began.
    commit: String,
    rows: Vec<Row>,
}

struct Row {
    promise: String,
    mutation: String,
    test: String,
    told: String,
    seconds: f64,
    killed: bool,
}

impl Report {
    /// Creates the report of a run that begins now.
    pub(super) fn begin(root: &Path) -> Self {
        Self {
            commit: commit(root),
            rows: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, mutation: &Mutation, promises: &[Promise], trial: Trial) {
        let promise = promises.iter().find(|promise| mutation.breaks(promise));
        self.rows.push(Row {
            promise: promise
                .map_or_else(|| mutation.promise.clone(), |promise| promise.text.clone()),
            mutation: mutation.name.clone(),
            test: mutation.test.clone(),
            told: trial.told(),
            seconds: trial.took.as_secs_f64(),
            killed: trial.is_killed(),
        });
    }

    pub(super) fn survivors(&self) -> usize {
        self.rows.iter().filter(|row| !row.killed).count()
    }

    /// Writes the report into the book, with the date and the commit.
    pub(super) fn write(&self, root: &Path) -> Result<()> {
        let path = root.join(PAGE);
        let text = fs::read_to_string(&path).map_err(|e| Error::file("read", &path, &e))?;
        let (above, _) = text
            .split_once(BEGIN)
            .ok_or_else(|| Error::new(format!("{PAGE} has no line {BEGIN:?}")))?;
        let text = format!("{above}{BEGIN}\n{}", self.page(root, &date()));
        fs::write(&path, text).map_err(|e| Error::file("write", &path, &e))
    }

    fn page(&self, root: &Path, date: &str) -> String {
        let mut text = format!(
            "{} mutations, of which {} survived. Run on {date} at commit {}.\n\n\
             | promise | mutation | test | how it failed | s |\n| --- | --- | --- | --- | ---: |\n",
            self.rows.len(),
            self.survivors(),
            self.commit
        );
        for row in &self.rows {
            let told = cell(&row.told, root);
            // Writing to a `String` does not fail.
            let _ = writeln!(
                text,
                "| {} | `{}` | `{}` | `{told}` | {:.1} |",
                row.promise, row.mutation, row.test, row.seconds
            );
        }
        text
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            let mark = if row.killed { "failed" } else { "SURVIVED" };
            writeln!(
                f,
                "{mark:<8} {:<44} {:<72} {:>6.1} s\n         {}\n         {}",
                row.mutation, row.test, row.seconds, row.promise, row.told
            )?;
        }
        let survivors = self.survivors();
        writeln!(f, "{} mutations, {survivors} survived", self.rows.len())
    }
}

/// Returns text for a table cell, without the directories of this run.
fn cell(text: &str, root: &Path) -> String {
    let text = text.replace(&*root.display().to_string(), "…");
    let temporary = env::temp_dir().display().to_string();
    let words = text
        .split(' ')
        .map(|word| match word.starts_with(&temporary) {
            true => word.rsplit('/').next().unwrap_or(word),
            false => word,
        });
    let text = words.collect::<Vec<_>>().join(" ");
    let plain = text.replace(['|', '`', '\n'], " ");
    let plain: String = plain.chars().filter(|c| !c.is_control()).collect();
    match plain.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", plain.get(..end).unwrap_or_default()),
        None => plain,
    }
}

/// Returns today's date, such as "23 Nov 2026".
fn date() -> String {
    let now = httpdate::fmt_http_date(SystemTime::now());
    now.get(5..16).unwrap_or(&now).to_owned()
}

/// Returns the commit that is checked out, and whether the tree differs from it.
fn commit(root: &Path) -> String {
    let described = Command::new("git")
        .current_dir(root)
        .args([
            "describe",
            "--always",
            "--dirty=, with changes",
            "--exclude=*",
        ])
        .output();
    let described =
        described.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    described.unwrap_or_else(|_| "unknown".to_owned())
}
