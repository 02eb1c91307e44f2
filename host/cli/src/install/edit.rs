//! Editing an agent's settings as text, so that everything else in them stays as it is.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstObject, CstRootNode};
use portcullis_dialects::Dialect;
use serde_json::Value;

use super::entry::{Entry, Kind, kind};

/// The key of the table of events.
const HOOKS: &str = "hooks";

/// An agent's settings.
pub struct Document {
    path: PathBuf,
    root: CstRootNode,
}

impl Document {
    /// Parses settings. An empty text represents a missing file.
    pub fn parse(path: &Path, text: &str) -> anyhow::Result<Self> {
        let text = match text.trim().is_empty() {
            true => "{}\n",
            false => text,
        };
        let root = CstRootNode::parse(text, &ParseOptions::default())
            .with_context(|| format!("{} is not JSON; fix it first", path.display()))?;
        let document = Self {
            path: path.to_owned(),
            root,
        };
        document.object()?;
        Ok(document)
    }

    /// Adds an entry at every event that calls a point.
    pub fn add(&self, entry: &Entry) -> anyhow::Result<()> {
        let object = self.object()?;
        let hooks = object.object_value_or_create(HOOKS);
        let hooks = hooks.with_context(|| self.wrong("`hooks` is not an object"))?;
        let events = entry.agent().events().iter();
        for event in events.filter(|event| !event.points().is_empty()) {
            let list = hooks.array_value_or_create(event.name);
            let list = list.with_context(|| self.wrong(&not_a_list(event.name)))?;
            list.ensure_multiline();
            list.append(input(entry.value()));
        }
        Ok(())
    }

    /// Removes the entries that have not changed since their installation, and the lists that are
    /// then empty. Returns the number of entries removed.
    pub fn remove(&self, agent: Dialect) -> anyhow::Result<usize> {
        let Some(hooks) = self.hooks()? else {
            return Ok(0);
        };
        let mut removed = 0;
        for (event, list) in self.lists(&hooks)? {
            let before = removed;
            for element in list.elements() {
                let value = element.to_serde_value().unwrap_or_default();
                if kind(agent, &value) == Kind::Installed {
                    element.remove();
                    removed += 1;
                }
            }
            if removed > before
                && list.elements().is_empty()
                && let Some(property) = hooks.get(&event)
            {
                property.remove();
            }
        }
        if removed > 0
            && hooks.properties().is_empty()
            && let Some(property) = self.object()?.get(HOOKS)
        {
            property.remove();
        }
        Ok(removed)
    }

    /// Returns the events whose installed entries have changed.
    pub fn changed_entries(&self, agent: Dialect) -> anyhow::Result<Vec<String>> {
        let Some(hooks) = self.hooks()? else {
            return Ok(Vec::new());
        };
        let lists = self.lists(&hooks)?.into_iter();
        let changed = lists.filter(|(_, list)| {
            let values = list.elements().into_iter();
            let mut values = values.filter_map(|element| element.to_serde_value());
            values.any(|value| kind(agent, &value) == Kind::Changed)
        });
        Ok(changed.map(|(event, _)| event).collect())
    }

    /// Returns whether the settings are empty.
    pub fn is_empty(&self) -> bool {
        let object = self.root.object_value();
        object.is_some_and(|object| object.properties().is_empty())
    }

    /// Returns the settings as text.
    pub fn text(&self) -> String {
        self.root.to_string()
    }

    fn object(&self) -> anyhow::Result<CstObject> {
        let object = self.root.object_value();
        object.with_context(|| self.wrong("it is not an object"))
    }

    fn hooks(&self) -> anyhow::Result<Option<CstObject>> {
        match self.object()?.get(HOOKS) {
            None => Ok(None),
            Some(property) => match property.object_value() {
                Some(hooks) => Ok(Some(hooks)),
                None => bail!(self.wrong("`hooks` is not an object")),
            },
        }
    }

    /// Returns the lists of entries, by event.
    fn lists(&self, hooks: &CstObject) -> anyhow::Result<Vec<(String, CstArray)>> {
        let properties = hooks.properties().into_iter();
        let lists = properties.filter_map(|property| {
            let name = property.decoded_name()?;
            // Newer settings may have other keys here.
            Some((name, property.array_value()?))
        });
        Ok(lists.collect())
    }

    fn wrong(&self, problem: &str) -> String {
        format!("{}: {problem}; fix it first", self.path.display())
    }
}

fn not_a_list(event: &str) -> String {
    format!("`hooks.{event}` is not a list")
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.clone(), input(value)));
            CstInputValue::Object(fields.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 3] = [
        "{}\n",
        "{\n  // Mine.\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \
         \"hooks\": [{\"type\": \"command\", \"command\": \"check\"}]}\n    ]\n  }\n}\n",
        "{\n    \"a\": 1\n}\n",
    ];

    fn document(text: &str) -> Document {
        Document::parse(Path::new("settings.json"), text).unwrap()
    }

    fn entry(agent: Dialect) -> Entry {
        Entry::new(
            agent,
            Path::new("/my hooks/it's"),
            50,
            &["--no-cache".into()],
        )
        .unwrap()
    }

    #[test]
    fn what_is_installed_is_removed_to_the_letter() {
        for agent in Dialect::ALL {
            for text in FILES {
                let document = document(text);
                document.add(&entry(agent)).unwrap();
                let installed = document.text();
                assert!(installed.contains("portcullis"), "{installed}");
                let document = self::document(&installed);
                let expected = agent.events().iter();
                let expected = expected.filter(|event| !event.points().is_empty()).count();
                assert_eq!(document.remove(agent).unwrap(), expected);
                assert_eq!(document.text(), text, "{installed}");
            }
        }
    }

    /// An object or a list on one line is laid out on several.
    #[test]
    fn settings_on_one_line_keep_their_values() {
        let text = r#"{"hooks": {"Stop": [{"hooks": []}], "Nope": 1}, "a": [1, 2]}"#;
        let document = document(text);
        document.add(&entry(Dialect::Claude)).unwrap();
        let document = self::document(&document.text());
        document.remove(Dialect::Claude).unwrap();
        let value: Value = serde_json::from_str(&document.text()).unwrap();
        assert_eq!(value, serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn what_was_changed_stays_and_is_named() {
        let document = document("{}");
        document.add(&entry(Dialect::Claude)).unwrap();
        let changed = document
            .text()
            .replacen("\"timeout\": 60", "\"timeout\": 5", 1);
        let document = self::document(&changed);
        document.remove(Dialect::Claude).unwrap();
        assert_eq!(
            document.changed_entries(Dialect::Claude).unwrap(),
            ["PreToolUse"]
        );
        assert!(document.text().contains("\"timeout\": 5"));
    }

    #[test]
    fn an_entry_of_another_agent_stays() {
        let document = document("{}");
        document.add(&entry(Dialect::Gemini)).unwrap();
        assert_eq!(document.remove(Dialect::Claude).unwrap(), 0);
    }

    #[test]
    fn settings_that_are_not_understood_are_not_changed() {
        assert!(Document::parse(Path::new("s"), "[]").is_err());
        assert!(Document::parse(Path::new("s"), "{\"a\": ").is_err());
        for text in ["{\"hooks\": []}", "{\"hooks\": {\"PreToolUse\": {}}}"] {
            assert!(
                document(text).add(&entry(Dialect::Claude)).is_err(),
                "{text}"
            );
        }
    }
}
