//! Compiling and matching the patterns.

use memory_store::Memory;
use portcullis_sdk::schemars::{self, JsonSchema};
use portcullis_sdk::{Error, HookResult};
use regex_lite::Regex;
use serde::Deserialize;

/// The most facts that are extracted from one turn.
const MOST: usize = 16;

/// The operator's table.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The facts to extract. A few general ones if left out.
    facts: Option<Vec<Fact>>,
}

/// The pattern of a fact, and the memory that is stored for it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fact {
    /// A regular expression that is searched for in the user's message.
    pattern: String,
    /// The text of the memory; `$1` is replaced with the first group.
    text: String,
    /// The memory's id. A later fact with the same id replaces it.
    id: Option<String>,
    /// Whether the memory is recalled in every turn.
    #[serde(default)]
    profile: bool,
    /// Words by which the user can name the memory.
    #[serde(default)]
    tags: Vec<String>,
}

/// The table with its patterns compiled.
#[derive(Debug)]
pub struct Facts(Vec<(Regex, Fact)>);

fn defaults() -> Vec<Fact> {
    let fact = |pattern: &str, text: &str, id: Option<&str>, tag: &str| Fact {
        pattern: pattern.into(),
        text: text.into(),
        id: id.map(str::to_owned),
        profile: id.is_some(),
        tags: vec![tag.into()],
    };
    vec![
        fact(
            r"(?i)\bmy name is ([\w'-]+)",
            "The user is called $1.",
            Some("profile.name"),
            "name",
        ),
        fact(
            r"(?i)\bI live in ([^.,;!?\n]+)",
            "The user lives in $1.",
            Some("profile.home"),
            "home",
        ),
        fact(
            r"(?i)\bI work (?:as|for|at) ([^.,;!?\n]+)",
            "The user's work: $1.",
            Some("profile.work"),
            "work",
        ),
        fact(
            r"(?i)\bI (?:prefer|like|love) ([^.,;!?\n]+)",
            "The user likes $1.",
            None,
            "preference",
        ),
        fact(
            r"(?i)\bI (?:dislike|hate|(?:do not|don.?t) like) ([^.,;!?\n]+)",
            "The user does not like $1.",
            None,
            "preference",
        ),
        fact(
            r"(?im)(?:^|[.!?;,]\s+|\bplease\s+)remember (?:that )?([^.!?\n]+)",
            "The user wants remembered: $1.",
            None,
            "note",
        ),
    ]
}

impl Facts {
    /// Compiles the patterns. The error names a bad one.
    pub fn compile(config: Config) -> HookResult<Self> {
        let facts = config.facts.unwrap_or_else(defaults);
        let compile = |(index, fact): (usize, Fact)| {
            let pattern = &fact.pattern;
            let regex = Regex::new(pattern).map_err(|fault| {
                Error::bad_config(format_args!("`facts[{index}]`: `{pattern}`: {fault}"))
            })?;
            Ok((regex, fact))
        };
        let facts = facts.into_iter().enumerate().map(compile);
        Ok(Self(facts.collect::<HookResult<_>>()?))
    }

    /// Returns the facts in a text.
    pub fn of(&self, text: &str) -> Vec<Memory> {
        let matches = self.0.iter().flat_map(|(regex, fact)| {
            regex.captures_iter(text).map(|found| {
                let mut says = String::new();
                found.expand(&fact.text, &mut says);
                Memory {
                    profile: fact.profile,
                    ..Memory::new(fact.id.as_deref(), &says).tagged(&fact.tags)
                }
            })
        });
        matches.take(MOST).collect()
    }
}

#[cfg(test)]
mod tests {
    use portcullis_sdk::config;

    use super::{Config, Facts};

    fn of(text: &str) -> Vec<String> {
        let facts = Facts::compile(Config::default()).expect("patterns");
        facts
            .of(text)
            .into_iter()
            .map(|memory| memory.text)
            .collect()
    }

    #[test]
    fn the_defaults() {
        for (text, expected) in [
            ("What time is it?", &[][..]),
            ("I remember the war", &[]),
            (
                "Hi, my name is Ann-Marie!",
                &["The user is called Ann-Marie."],
            ),
            (
                "I live in New York, and I prefer dark roast. I don't like tea.",
                &[
                    "The user lives in New York.",
                    "The user likes dark roast.",
                    "The user does not like tea.",
                ],
            ),
            (
                "Remember that the key is under the mat.",
                &["The user wants remembered: the key is under the mat."],
            ),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_fact_with_an_id_is_one() {
        let facts = Facts::compile(Config::default()).expect("patterns");
        let ids = |text| facts.of(text).remove(0).id;
        assert_eq!(ids("My name is Ann"), ids("my name is Bob"));
        assert_ne!(ids("I like tea"), ids("I like coffee"));
    }

    #[test]
    fn only_so_many_are_taken() {
        assert_eq!(of(&"I like a. I like b. ".repeat(50)).len(), super::MOST);
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let config: Config =
            config::from_json(r#"{"facts": [{"pattern": "(oops", "text": ""}]}"#).expect("a table");
        let Err(fault) = Facts::compile(config) else {
            panic!("an open group was taken");
        };
        assert!(fault.is_bad_config(), "{fault}");
        assert!(
            fault.message().starts_with("`facts[0]`: `(oops`: "),
            "{fault}"
        );
    }
}
