//! The difference between two texts.

use std::time::{Duration, Instant};

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffableStr as _, group_diff_ops};

pub use similar::ChangeTag;

/// The difference between two texts: the parts of both, in order.
#[derive(Debug)]
pub struct TextDiff<'a> {
    before: Vec<&'a str>,
    after: Vec<&'a str>,
    ops: Vec<DiffOp>,
}

impl<'a> TextDiff<'a> {
    /// Compares texts line by line. Each line includes its line break.
    pub fn lines(before: &'a str, after: &'a str) -> Self {
        Self::of(before.tokenize_lines(), after.tokenize_lines(), None)
    }

    /// Compares texts word by word for at most this time; the part not compared by then counts as
    /// changed. The spaces between words are parts too.
    pub fn words(before: &'a str, after: &'a str, patience: Duration) -> Self {
        let until = Instant::now().checked_add(patience);
        Self::of(before.tokenize_words(), after.tokenize_words(), until)
    }

    fn of(before: Vec<&'a str>, after: Vec<&'a str>, until: Option<Instant>) -> Self {
        let mut found = Compact::new(Replace::new(Capture::new()), &before, &after);
        // `similar::TextDiff` would compile every algorithm, each in three variants.
        let Ok(()) = myers::diff_deadline(
            &mut found,
            &before,
            0..before.len(),
            &after,
            0..after.len(),
            until,
        );
        let ops = found.into_inner().into_inner().into_ops();
        Self { before, after, ops }
    }

    /// Returns all parts.
    pub fn changes(&self) -> impl Iterator<Item = (ChangeTag, &'a str)> {
        self.ops.iter().flat_map(|op| self.parts(op))
    }

    /// Returns the parts that differ, each with at most this number of equal parts around it.
    pub fn groups(&self, around: usize) -> Vec<Vec<(ChangeTag, &'a str)>> {
        let groups = group_diff_ops(self.ops.clone(), around).into_iter();
        let parts = |group: Vec<DiffOp>| group.iter().flat_map(|op| self.parts(op)).collect();
        groups.map(parts).collect()
    }

    fn parts(&self, op: &DiffOp) -> impl Iterator<Item = (ChangeTag, &'a str)> {
        let changes = op.iter_changes(&self.before, &self.after);
        changes.map(|change| (change.tag(), change.value()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_grouped_with_those_around_them() {
        let before = "a\nb\nc\nd\ne\nf\n";
        let diff = TextDiff::lines(before, "a\nb\nC\nd\ne\nf\n");
        let expected = [
            (ChangeTag::Equal, "b\n"),
            (ChangeTag::Delete, "c\n"),
            (ChangeTag::Insert, "C\n"),
            (ChangeTag::Equal, "d\n"),
        ];
        assert_eq!(diff.groups(1), [expected]);
        assert_eq!(
            TextDiff::lines(before, before).groups(1),
            Vec::<Vec<_>>::new()
        );
    }

    #[test]
    fn words_are_compared_with_their_spaces() {
        let diff = TextDiff::words("rm -rf /tmp", "ls -rf /tmp", Duration::MAX);
        let parts: Vec<_> = diff.changes().collect();
        let expected = [
            (ChangeTag::Delete, "rm"),
            (ChangeTag::Insert, "ls"),
            (ChangeTag::Equal, " "),
            (ChangeTag::Equal, "-rf"),
            (ChangeTag::Equal, " "),
            (ChangeTag::Equal, "/tmp"),
        ];
        assert_eq!(parts, expected);
    }
}
