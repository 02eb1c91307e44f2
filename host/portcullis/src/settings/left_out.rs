//! What was left out of a settings file, since it could not be read.

use crate::contract::text::nearest;

/// The paths of the keys that were left out, because they are unknown or their values have the wrong type.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftOut(Vec<Vec<String>>);

impl LeftOut {
    /// Nothing could be read.
    pub(super) fn all() -> Self {
        Self(vec![Vec::new()])
    }

    pub(super) fn add(&mut self, paths: impl IntoIterator<Item = Vec<String>>) {
        self.0.extend(paths);
    }

    /// Whether an error at a line is about what was left out, or about the table in which it stands.
    pub(super) fn explains(
        &self,
        line: Option<usize>,
        line_of: impl Fn(&[&str]) -> Option<usize>,
    ) -> bool {
        self.0.iter().any(|path| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let above = path.split_last().map_or(&[][..], |(_, above)| above);
            line == line_of(&path) || line == line_of(above)
        })
    }

    /// Whether something that was left out may belong to the value at these keys.
    pub(super) fn may_be_of(&self, keys: &[&str]) -> bool {
        self.0.iter().any(|path| {
            let same = path.iter().zip(keys).take_while(|(a, b)| a == b).count();
            match (path.get(same), keys.get(same)) {
                // It is on the way to the value, or within it.
                (None, _) | (_, None) => true,
                // It may be this key, misspelled; it holds no other key that could be meant.
                (Some(wrong), Some(key)) => {
                    path.len() == same + 1 && nearest(wrong, [*key].into_iter()).is_some()
                }
            }
        })
    }
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
    fn an_error_follows_from_what_is_left_out_of_its_table() {
        let line_of = |keys: &[&str]| match keys {
            ["secrets", "KEY"] => Some(2),
            ["secrets", "KEY", "env"] => Some(3),
            ["secrets"] => Some(1),
            _ => None,
        };
        let left_out = left_out(&[&["secrets", "KEY", "env"]]);
        for (line, explained) in [
            (Some(2), true),
            (Some(3), true),
            (Some(1), false),
            (None, false),
        ] {
            assert_eq!(left_out.explains(line, line_of), explained, "{line:?}");
        }
    }
}
