//! TOML with invisible characters as escapes, so that they are visible in files and terminals.

use portcullis::text::is_hidden;
use toml_edit::visit_mut::{VisitMut, visit_inline_table_mut, visit_table_mut};
use toml_edit::{DocumentMut, Formatted, InlineTable, Key, Table, TomlError, Value};

/// Returns the same values, with each invisible character of a text or a key as an escape.
///
/// # Errors
///
/// The text is not TOML.
pub(super) fn visible(text: &str) -> Result<String, TomlError> {
    if !text.chars().any(hides) {
        return Ok(text.to_owned());
    }
    let mut document: DocumentMut = text.parse()?;
    Visible.visit_document_mut(&mut document);
    Ok(document.to_string())
}

/// Returns whether a character is invisible. Line ends and tabs are not.
fn hides(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\n' | '\t')
}

struct Visible;

impl VisitMut for Visible {
    fn visit_string_mut(&mut self, text: &mut Formatted<String>) {
        if let Some(Ok(Value::String(visible))) = escaped(text.value()).map(|text| text.parse()) {
            *text = visible;
        }
    }

    fn visit_table_mut(&mut self, table: &mut Table) {
        let keys = table
            .iter()
            .filter_map(|(key, _)| Some((key.to_owned(), visible_key(key)?)));
        for (key, visible) in keys.collect::<Vec<_>>() {
            if let Some(item) = table.remove(&key) {
                table.insert_formatted(&visible, item);
            }
        }
        visit_table_mut(self, table);
    }

    fn visit_inline_table_mut(&mut self, table: &mut InlineTable) {
        let keys = table
            .iter()
            .filter_map(|(key, _)| Some((key.to_owned(), visible_key(key)?)));
        for (key, visible) in keys.collect::<Vec<_>>() {
            if let Some(value) = table.remove(&key) {
                table.entry_format(&visible).or_insert(value);
            }
        }
        visit_inline_table_mut(self, table);
    }
}

fn visible_key(key: &str) -> Option<Key> {
    let mut keys = Key::parse(&escaped(key)?).ok()?;
    keys.pop()
}

/// Returns a basic string with escapes; `None` if all characters are visible.
fn escaped(text: &str) -> Option<String> {
    if !text.chars().any(hides) {
        return None;
    }
    let mut escaped = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            c if hides(c) => escaped.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped.push('"');
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escapes_and_the_values_stay() {
        let mut table = toml::Table::new();
        let text = "a \"b\" \\ 'c'\u{202e}\u{1b}[31m\nd\t\u{e0041}";
        table.insert("plain".into(), "seen".into());
        table.insert("te\u{200b}xt".into(), text.into());
        let inner = toml::Table::from_iter([("k\u{2028}".to_owned(), text.into())]);
        table.insert(
            "list".into(),
            vec![toml::Value::from(inner), text.into()].into(),
        );
        let written = toml::to_string(&table).unwrap();
        let shown = visible(&written).unwrap();
        assert!(!shown.chars().any(hides), "{shown}");
        assert_eq!(toml::from_str::<toml::Table>(&shown).unwrap(), table);
        assert_eq!(visible("a = 1\n").unwrap(), "a = 1\n");
    }
}
