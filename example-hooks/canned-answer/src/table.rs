//! The answers and questions, by the user's message.

use portcullis_sdk::schemars::{self, JsonSchema};
use std::collections::BTreeMap;

use portcullis_sdk::{Error, HookResult};
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The answers, by the user's message.
    #[serde(default)]
    answers: BTreeMap<String, String>,
    /// The questions that replace the user's message, by that message.
    #[serde(default)]
    questions: BTreeMap<String, String>,
}

/// The entry of a key.
#[derive(Debug, PartialEq)]
pub enum Canned {
    /// The turn's answer.
    Answer(String),
    /// The question that replaces the user's message.
    Question(String),
}

/// The entries, by their keys as [`plain`] writes them.
#[derive(Debug)]
pub struct Table(BTreeMap<String, Canned>);

impl Table {
    /// Reads both tables; a key must not be in both.
    pub fn new(config: Config) -> HookResult<Self> {
        let answers = config
            .answers
            .into_iter()
            .map(|(key, text)| (key, Canned::Answer(text)));
        let questions = config
            .questions
            .into_iter()
            .map(|(key, text)| (key, Canned::Question(text)));
        let mut table = BTreeMap::new();
        for (key, canned) in answers.chain(questions) {
            if table.insert(plain(&key), canned).is_some() {
                return Err(Error::bad_config(format_args!(
                    "`{key}` stands for two things"
                )));
            }
        }
        Ok(Self(table))
    }

    /// Returns the entry for a message.
    pub fn look_up(&self, said: &str) -> Option<&Canned> {
        self.0.get(&plain(said))
    }
}

fn plain(said: &str) -> String {
    said.trim()
        .trim_end_matches(['.', '!', '?'])
        .trim_end()
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{Canned, Table};
    use portcullis_sdk::{Error, HookResult, config};

    fn table(json: &str) -> HookResult<Table> {
        Table::new(config::from_json(json)?)
    }

    #[test]
    fn only_the_whole_key_counts() {
        let json = r#"{"answers": {"Help": "Ask away."}, "questions": {"status": "How is it?"}}"#;
        let table = table(json).expect("two keys");
        assert_eq!(
            table.look_up(" HELP ?\n"),
            Some(&Canned::Answer("Ask away.".into()))
        );
        assert_eq!(
            table.look_up("status"),
            Some(&Canned::Question("How is it?".into()))
        );
        assert_eq!(table.look_up("help me"), None);
    }

    #[test]
    fn a_key_stands_for_one_thing() {
        let fault = table(r#"{"answers": {"help": "a"}, "questions": {"Help?": "b"}}"#);
        assert_eq!(
            fault.err(),
            Some(Error::bad_config("`Help?` stands for two things"))
        );
    }
}
