//! Editing `hooks.toml`: a hook's table is written or removed, and everything else stays as it is.

use anyhow::Context as _;
use portcullis::settings::Grants;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// Returns the text with a hook's table, in which its grants are.
pub(crate) fn named(
    text: &str,
    id: &str,
    before: Option<&Grants>,
    now: &Grants,
) -> anyhow::Result<String> {
    let mut document: DocumentMut = text.parse()?;
    let hooks = table(document.as_table_mut(), "hooks", true)?;
    let is_new = !hooks.contains_key(id);
    let hook = table(hooks, id, true)?;
    let unsaid = Grants::default();
    let before = before.unwrap_or(&unsaid);
    if is_new || before != now {
        let grants = table(hook, "grants", false)?;
        write(grants, before, now)?;
    }
    Ok(document.to_string())
}

/// Returns the text without a hook's table, and that table's text; `None` if the hook is not named.
pub(crate) fn unnamed(text: &str, id: &str) -> anyhow::Result<Option<(String, String)>> {
    let mut document: DocumentMut = text.parse()?;
    let hooks = document.get_mut("hooks").and_then(Item::as_table_like_mut);
    let Some(removed) = hooks.and_then(|hooks| hooks.remove(id)) else {
        return Ok(None);
    };
    let mut alone = DocumentMut::new();
    table(alone.as_table_mut(), "hooks", true)?.insert(id, removed);
    Ok(Some((document.to_string(), alone.to_string())))
}

/// Returns a table within a table, and makes it if it is missing. A new table follows an empty
/// line, and has no header of its own if it is `implicit`.
fn table<'a>(
    of: &'a mut dyn TableLike,
    key: &str,
    implicit: bool,
) -> anyhow::Result<&'a mut dyn TableLike> {
    let item = of.entry(key).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(implicit);
        table.decor_mut().set_prefix("\n");
        Item::Table(table)
    });
    let found = item.as_table_like_mut();
    found.with_context(|| format!("`{key}` in hooks.toml is not a table"))
}

/// Writes the grants that have changed.
fn write(table: &mut dyn TableLike, before: &Grants, now: &Grants) -> anyhow::Result<()> {
    let before: Vec<(String, String)> = values(before)?
        .map(|(key, value)| (key, value.to_string()))
        .collect();
    for (key, value) in values(now)? {
        let entry = (key, value.to_string());
        if !before.contains(&entry) {
            table.insert(&entry.0, Item::Value(value));
        }
    }
    Ok(())
}

/// Returns the keys that have values, in the order of [`Grants`], each with its value on one line.
fn values(grants: &Grants) -> anyhow::Result<impl Iterator<Item = (String, Value)>> {
    let document: DocumentMut = toml::to_string(grants)?.parse()?;
    let items = document.into_table().into_iter();
    Ok(items.filter_map(|(key, item)| {
        let mut value = item.into_value().ok()?;
        value.decor_mut().clear();
        Some((key.to_string(), value))
    }))
}

#[cfg(test)]
mod tests {
    use portcullis::capabilities::View;

    use super::*;

    const FILE: &str = "# Mine.\n[turn] # short\nfuel = 7\n\n[hooks.a]\npriority = 1 # first\n\n# Last.\n[secrets]\n";

    fn some() -> Grants {
        Grants {
            views: Some(vec![View::Content]),
            answers: Some(Vec::new()),
            state: true,
            ..Grants::default()
        }
    }

    #[test]
    fn a_new_table_leaves_the_rest_as_it_is() {
        let text = named(FILE, "b", None, &some()).expect("an edit");
        let added = "[hooks.b.grants]\nviews = [\"content\"]\nanswers = []\nstate = true\n";
        assert!(text.contains(added), "{text}");
        let rest = text.replace(&format!("\n{added}"), "");
        assert_eq!(rest, FILE, "{text}");
    }

    #[test]
    fn an_empty_file_gets_one_table() {
        let text = named("", "b", None, &some()).expect("an edit");
        assert_eq!(text.matches('[').count(), 3, "{text}");
        assert!(text.contains("[hooks.b.grants]"), "{text}");
    }

    #[test]
    fn a_table_that_is_there_keeps_what_it_says() {
        for before in [
            "[hooks.b]\npriority = 3 # mine\n",
            "[hooks]\nb = { priority = 3 } # mine\n",
            "hooks.b.priority = 3 # mine\n",
        ] {
            let text = named(before, "b", Some(&Grants::default()), &some()).expect("an edit");
            assert!(text.contains("# mine"), "{text}");
            let read: toml_edit::DocumentMut = text.parse().expect("TOML");
            assert_eq!(
                read["hooks"]["b"]["priority"].as_integer(),
                Some(3),
                "{text}"
            );
            assert_eq!(
                read["hooks"]["b"]["grants"]["state"].as_bool(),
                Some(true),
                "{text}"
            );
        }
    }

    #[test]
    fn what_was_written_can_be_removed_again() {
        let text = named(FILE, "b", None, &some()).expect("an edit");
        let (rest, removed) = unnamed(&text, "b").expect("an edit").expect("a table");
        assert_eq!(rest, FILE);
        assert!(removed.contains("[hooks.b.grants]"), "{removed}");
        assert!(unnamed(FILE, "b").expect("an edit").is_none());
    }
}
