//! Editing a hook's mode and share in `hooks.toml`: everything else stays as it is.

use portcullis::hooks::{Mode, Share};
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// Returns the text in which a hook has this mode and this share; `None` if no table is the hook's.
/// Its table is in `[hooks]` or `[scripts]`.
pub(super) fn set(
    text: &str,
    id: &str,
    mode: Mode,
    share: Option<Share>,
) -> anyhow::Result<Option<String>> {
    let mut document: DocumentMut = text.parse()?;
    let tables = ["hooks", "scripts"];
    let Some(of) = tables
        .into_iter()
        .find(|of| table(&mut document, of, id).is_some())
    else {
        return Ok(None);
    };
    if let Some(table) = table(&mut document, of, id) {
        put(table, "mode", mode.name().into());
        match share {
            Some(share) => put(table, "share", share.get().into()),
            None => drop(table.remove("share")),
        }
    }
    Ok(Some(document.to_string()))
}

fn table<'a>(document: &'a mut DocumentMut, of: &str, id: &str) -> Option<&'a mut dyn TableLike> {
    let tables = document.get_mut(of)?.as_table_like_mut()?;
    tables.get_mut(id)?.as_table_like_mut()
}

/// Replaces a value, and keeps the spaces and the comment around it.
fn put(table: &mut dyn TableLike, key: &str, mut value: Value) {
    if let Some(before) = table.get_mut(key).and_then(Item::as_value_mut) {
        *value.decor_mut() = before.decor().clone();
        *before = value;
    } else {
        table.insert(key, Item::Value(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, mode: Mode, share: Option<f64>) -> String {
        let share = share.map(|share| Share::try_from(share).expect("a share"));
        let edited = set(text, "a", mode, share).expect("an edit");
        edited.expect("a table")
    }

    #[test]
    fn only_the_mode_and_the_share_change() {
        let text = "# Mine.\n[hooks.a] # first\nmode = \"audit\" # until Monday\npriority = 1\n\n[hooks.b]\nmode = \"audit\"\n";
        let canary = edited(text, Mode::Enforce, Some(0.1));
        let expected = text.replacen("\"audit\" #", "\"enforce\" #", 1).replacen(
            "priority = 1\n",
            "priority = 1\nshare = 0.1\n",
            1,
        );
        assert_eq!(canary, expected);
        let half = edited(&canary, Mode::Enforce, Some(0.5));
        assert_eq!(half, canary.replace("0.1", "0.5"));
        assert_eq!(edited(&half, Mode::Audit, None), text);
    }

    #[test]
    fn tables_of_every_form_are_edited() {
        for text in [
            "hooks.a.priority = 3 # mine\n",
            "[hooks]\na = { priority = 3 } # mine\n",
            "[scripts.a] # mine\ncommand = [\"a\"]\n",
            "[hooks.a.limits] # mine\nfuel = 7\n",
        ] {
            let edited = edited(text, Mode::Audit, None);
            assert!(edited.contains("# mine"), "{edited}");
            let read: DocumentMut = edited.parse().expect("TOML");
            let of = ["hooks", "scripts"]
                .into_iter()
                .find(|of| read.contains_key(of));
            let table = of.map(|of| &read[of]["a"]);
            assert_eq!(
                table.and_then(|table| table["mode"].as_str()),
                Some("audit")
            );
        }
        assert!(
            set("[hooks.b]\n", "a", Mode::Audit, None)
                .expect("an edit")
                .is_none()
        );
    }
}
