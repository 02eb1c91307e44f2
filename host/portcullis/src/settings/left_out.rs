//! Entries that were left out of a settings file because they could not be read.

use crate::contract::text::nearest;

/// The paths of the keys that were left out because they are unknown or their values have the wrong
/// type.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftOut(Vec<Vec<String>>);

impl LeftOut {
    /// Creates the value for a file of which nothing could be read.
    pub(super) fn all() -> Self {
        Self(vec![Vec::new()])
    }

    pub(super) fn add(&mut self, paths: impl IntoIterator<Item = Vec<String>>) {
        self.0.extend(paths);
    }

    /// Returns whether an error of the value at these keys is about an entry that was left out,
    /// about its table, or about a misspelled key of that table.
    pub(super) fn explains(&self, keys: &[&str]) -> bool {
        self.0.iter().any(|path| match path.split_last() {
            None => true,
            Some(_) if starts_with(keys, path) => true,
            Some((wrong, table)) => match keys.split_last() {
                Some((key, above)) if table.len() == above.len() => {
                    starts_with(keys, table) && nearest(wrong, [*key].into_iter()).is_some()
                }
                Some(_) => table.len() == keys.len() && starts_with(keys, table),
                None => false,
            },
        })
    }

    /// Returns whether a whole entry of a table may have been left out.
    pub(super) fn may_be_an_entry_of(&self, table: &[&str]) -> bool {
        self.0
            .iter()
            .any(|path| path.len() <= table.len() + 1 && may_be_of(path, table))
    }

    /// Returns whether an entry that was left out may belong to the value at these keys.
    pub(super) fn may_be_of(&self, keys: &[&str]) -> bool {
        self.0.iter().any(|path| may_be_of(path, keys))
    }
}

fn may_be_of(path: &[String], keys: &[&str]) -> bool {
    let same = path.iter().zip(keys).take_while(|(a, b)| a == b).count();
    match (path.get(same), keys.get(same)) {
        // The entry contains the value, or is within it.
        (None, _) | (_, None) => true,
        // The entry may be this key, misspelled. Keys within it are not candidates.
        (Some(wrong), Some(key)) => {
            path.len() == same + 1 && nearest(wrong, [*key].into_iter()).is_some()
        }
    }
}

fn starts_with(keys: &[&str], path: &[String]) -> bool {
    keys.len() >= path.len() && keys.iter().zip(path).all(|(key, name)| key == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out(paths: &[&[&str]]) -> LeftOut {
        let paths = paths
            .iter()
            .map(|path| path.iter().map(|key| (*key).to_owned()).collect());
        let mut left_out = LeftOut::default();
        left_out.add(paths);
        left_out
    }

    #[test]
    fn a_value_lacks_what_is_within_it_on_the_way_to_it_or_misspelled() {
        let grants = ["hooks", "a", "grants"];
        for path in [
            &["hooks", "a", "grants", "views"][..],
            &["hooks", "a", "grants"],
            &["hooks", "a"],
            &["hooks", "a", "grnts"],
            &["hoks"],
            &[],
        ] {
            assert!(left_out(&[path]).may_be_of(&grants), "{path:?}");
        }
        for path in [
            &["hooks", "b", "grants", "views"][..],
            &["hooks", "a", "limits", "fuel"],
            &["hooks", "a", "xyz"],
            &["turn", "feul"],
            &["engine"],
        ] {
            assert!(!left_out(&[path]).may_be_of(&grants), "{path:?}");
        }
        assert!(!LeftOut::default().may_be_of(&grants));
        assert!(LeftOut::all().may_be_of(&grants));
    }

    #[test]
    fn an_entry_of_a_table_is_no_part_of_an_entry() {
        for path in [&["subagents", "a"][..], &["subagents"], &["subagnts"], &[]] {
            assert!(
                left_out(&[path]).may_be_an_entry_of(&["subagents"]),
                "{path:?}"
            );
        }
        for path in [&["subagents", "a", "tools"][..], &["policy"]] {
            assert!(
                !left_out(&[path]).may_be_an_entry_of(&["subagents"]),
                "{path:?}"
            );
        }
    }

    #[test]
    fn an_error_follows_from_what_is_left_out_of_its_table() {
        let wrong = left_out(&[&["mcp", "git", "comand"], &["usr"]]);
        for (keys, explained) in [
            (&["mcp", "git"][..], true),
            (&["mcp", "git", "comand"], true),
            (&["mcp", "git", "comand", "0"], true),
            (&["mcp", "git", "command"], true),
            (&["mcp", "git", "url"], false),
            (&["mcp"], false),
            (&["mcp", "other"], false),
            (&["providers"], false),
            (&[], false),
        ] {
            assert_eq!(wrong.explains(keys), explained, "{keys:?}");
        }
        assert!(LeftOut::all().explains(&["providers"]));
    }
}
