//! The permission that an import needs, and its grants.

use super::Grants;
use crate::model::points::PointId;
use crate::model::reached::as_written;
use crate::model::view::View;

/// The permission that an import needs.
#[derive(Debug, Clone, Copy)]
pub enum Permission {
    /// No permission: every hook has it.
    None,
    /// A view, in `grants.views`.
    View(View),
    /// The answers of a point, in `grants.answers` and `grants.contribute`.
    Answers(PointId),
    /// One of these keys.
    Required(&'static [Key]),
    /// One of these keys. Without it the hook loads, and the import is inert.
    Optional(&'static [Key]),
}

/// A key of `[hooks.ID.grants]`.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    value: Value,
}

#[derive(Debug, Clone, Copy)]
enum Value {
    Switch(fn(&Grants) -> bool),
    Table {
        example: &'static str,
        /// The grant, in short.
        granted: fn(&Grants) -> Option<String>,
    },
    List {
        example: &'static str,
        granted: fn(&Grants) -> Vec<String>,
        /// The entries of another key that include this key's grant.
        included: fn(&Grants) -> Vec<String>,
    },
}

impl Key {
    /// Creates a key that is `true` or `false`.
    pub(super) const fn switch(name: &'static str, granted: fn(&Grants) -> bool) -> Self {
        let value = Value::Switch(granted);
        Self { name, value }
    }

    /// Creates a key that is a list. `example` is an entry of it.
    pub(super) const fn list(
        name: &'static str,
        example: &'static str,
        granted: fn(&Grants) -> Vec<String>,
    ) -> Self {
        let included = |_: &Grants| Vec::new();
        let value = Value::List {
            example,
            granted,
            included,
        };
        Self { name, value }
    }

    /// Creates a key that is a table. `example` is a table for it.
    pub(super) const fn table(
        name: &'static str,
        example: &'static str,
        granted: fn(&Grants) -> Option<String>,
    ) -> Self {
        let value = Value::Table { example, granted };
        Self { name, value }
    }

    /// Returns the list with the entries that another key grants too.
    pub(super) const fn included_in(mut self, other: fn(&Grants) -> Vec<String>) -> Self {
        if let Value::List { included, .. } = &mut self.value {
            *included = other;
        }
        self
    }

    /// Returns an example of the key, as in `hooks.toml`.
    pub fn example(&self) -> String {
        match self.value {
            Value::Switch(_) => format!("{} = true", self.name),
            Value::Table { example, .. } => format!("{} = {example}", self.name),
            Value::List { example, .. } => format!("{} = [\"{example}\"]", self.name),
        }
    }

    pub(super) fn is_granted(&self, grants: &Grants) -> bool {
        match self.value {
            Value::Switch(granted) => granted(grants),
            Value::Table { granted, .. } => granted(grants).is_some(),
            Value::List { granted, .. } => !granted(grants).is_empty(),
        }
    }

    /// Returns the entries of a list, or the summary of a table.
    fn entries(&self, grants: &Grants) -> Vec<String> {
        match self.value {
            Value::Switch(_) => Vec::new(),
            Value::Table { granted, .. } => Vec::from_iter(granted(grants)),
            Value::List { granted, .. } => granted(grants),
        }
    }

    /// Returns the revoked grants, as in `hooks.toml`.
    fn revoked(&self, then: &Grants, now: &Grants) -> Vec<String> {
        match self.value {
            Value::Switch(_) | Value::Table { .. } => {
                match self.is_granted(then) && !self.is_granted(now) {
                    true => vec![self.name.to_owned()],
                    false => Vec::new(),
                }
            }
            Value::List {
                granted, included, ..
            } => {
                let now = [granted(now), included(now)].concat();
                let then = granted(then).into_iter();
                then.filter(|entry| !now.contains(entry))
                    .map(|entry| as_written(self.name, &entry))
                    .collect()
            }
        }
    }
}

impl Key {
    /// Returns the grants, as in `hooks.toml` and as the journal records their use.
    pub(crate) fn written(&self, grants: &Grants) -> Vec<String> {
        match self.value {
            Value::Switch(_) | Value::Table { .. } => {
                Vec::from_iter(self.is_granted(grants).then(|| self.name.to_owned()))
            }
            Value::List { granted, .. } => {
                let entries = granted(grants).into_iter();
                entries.map(|entry| as_written(self.name, &entry)).collect()
            }
        }
    }
}

impl Permission {
    /// Returns the permission's own keys of `[hooks.ID.grants]`.
    pub const fn own_keys(self) -> &'static [Key] {
        match self {
            Self::Required(keys) | Self::Optional(keys) => keys,
            Self::None | Self::View(_) | Self::Answers(_) => &[],
        }
    }

    /// Returns the names of the keys of `[hooks.ID.grants]` that give the permission.
    pub fn keys(self) -> Vec<&'static str> {
        match self {
            Self::View(_) => vec!["views"],
            Self::Answers(_) => vec!["answers", "contribute"],
            _ => self.own_keys().iter().map(|key| key.name).collect(),
        }
    }

    /// Returns an example of the grant, as in `hooks.toml`. `None` if no grant is needed.
    pub fn example(self) -> Option<String> {
        match self {
            Self::View(view) => Some(format!("views = [\"{}\"]", view.name())),
            Self::Answers(_) => Some("answers = [\"reject\"]".to_owned()),
            _ => {
                let examples: Vec<String> = self.own_keys().iter().map(Key::example).collect();
                (!examples.is_empty()).then(|| examples.join(", "))
            }
        }
    }

    /// Returns whether an import is harmless because it needs no grant or has none.
    pub(crate) fn is_inert(self, grants: &Grants) -> bool {
        match self {
            Self::None => true,
            Self::Optional(keys) => !keys.iter().any(|key| key.is_granted(grants)),
            Self::View(_) | Self::Answers(_) | Self::Required(_) => false,
        }
    }

    /// Returns the grant that a hook with this import lacks to load. Answers are granted one by
    /// one, and are not counted here. `views` are those of a hook without views of its own.
    pub(crate) fn missing(self, grants: &Grants, views: &[View]) -> Option<String> {
        let granted = match self {
            Self::None | Self::Answers(_) | Self::Optional(_) => true,
            Self::View(view) => grants.views.as_deref().unwrap_or(views).contains(&view),
            Self::Required(keys) => keys.iter().any(|key| key.is_granted(grants)),
        };
        (!granted).then(|| self.example()).flatten()
    }

    /// Returns the revoked grants, as in `hooks.toml`. `views` are those of a hook that now has no
    /// views of its own.
    pub(crate) fn revoked(self, then: &Grants, now: &Grants, views: &[View]) -> Vec<String> {
        match self {
            Self::View(view) => {
                let missing = self.missing(now, views).is_some();
                Vec::from_iter(missing.then(|| format!("views = \"{}\"", view.name())))
            }
            _ => {
                let keys = self.own_keys().iter();
                keys.flat_map(|key| key.revoked(then, now)).collect()
            }
        }
    }

    /// Returns the hook's grants for the permission, in short: `content`, `state`, `secrets: KEY`.
    pub fn granted(self, grants: &Grants) -> Vec<String> {
        if let Self::View(view) = self {
            return vec![view.name().to_owned()];
        }
        let keys = self.own_keys().iter();
        let granted = keys.filter(|key| key.is_granted(grants));
        let text = |key: &Key| match key.entries(grants).as_slice() {
            [] => key.name.to_owned(),
            entries => format!("{}: {}", key.name, entries.join(", ")),
        };
        granted.map(text).collect()
    }

    /// Returns the names that a hook was granted; with their keys if there are several keys.
    pub(crate) fn granted_names(self, grants: &Grants) -> Vec<String> {
        match self.own_keys() {
            [key] => key.entries(grants),
            [] => Vec::new(),
            _ => self.granted(grants),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: Key = Key::switch("state", |grants| grants.state);
    const WRITE: Key = Key::list("write", "<dir>", |grants| grants.write.clone());
    const READ: Key = Key::list("read", "<dir>", |grants| grants.read.clone())
        .included_in(|grants| grants.write.clone());

    fn dirs(read: &[&str], write: &[&str]) -> Grants {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Grants {
            read: owned(read),
            write: owned(write),
            ..Grants::default()
        }
    }

    #[test]
    fn what_is_missing_is_told_as_it_is_written() {
        let state = Permission::Required(&[STATE]);
        let nothing = Grants::default();
        let granted = Grants {
            state: true,
            ..Grants::default()
        };
        assert_eq!(
            state.missing(&nothing, &[]).as_deref(),
            Some("state = true")
        );
        assert_eq!(state.missing(&granted, &[]), None);
        let view = Permission::View(View::Content);
        let fix = "views = [\"content\"]";
        assert_eq!(view.missing(&nothing, &[]).as_deref(), Some(fix));
        assert_eq!(view.missing(&nothing, &[View::Content]), None);
    }

    #[test]
    fn an_optional_import_is_inert_until_something_is_granted() {
        let files = Permission::Optional(&[READ, WRITE]);
        assert!(files.is_inert(&Grants::default()));
        assert_eq!(files.missing(&Grants::default(), &[]), None);
        assert!(!files.is_inert(&dirs(&[], &["out"])));
        assert_eq!(
            files.granted(&dirs(&["a", "b"], &["c"])),
            ["read: a, b", "write: c"]
        );
    }

    #[test]
    fn a_directory_that_may_still_be_written_may_still_be_read() {
        let files = Permission::Optional(&[READ, WRITE]);
        let revoked = |then: &Grants, now: &Grants| files.revoked(then, now, &[]);
        assert!(revoked(&dirs(&["a"], &[]), &dirs(&[], &["a"])).is_empty());
        assert_eq!(
            revoked(&dirs(&[], &["a"]), &dirs(&["a"], &[])),
            ["write = \"a\""]
        );
        assert_eq!(
            revoked(&dirs(&["a"], &[]), &dirs(&[], &[])),
            ["read = \"a\""]
        );
    }
}
