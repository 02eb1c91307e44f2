//! Compiling and matching the patterns.

use memory_store::Policy;
use portcullis_sdk::schemars::{self, JsonSchema};
use portcullis_sdk::{Error, HookResult};
use regex_lite::Regex;
use serde::Deserialize;

/// The default patterns of turns that are not remembered.
const NO_WRITE: &[&str] = &[
    r"(?i)\b(do not|don.?t|never) (remember|memori[sz]e|save|store|keep)\b",
    r"(?i)\boff the record\b",
    r"(?i)\bforget (this|that)\b",
];

/// The default patterns of turns in which nothing is recalled.
const NO_READ: &[&str] = &[
    r"(?i)\bforget (everything|what) you (know|remember)\b",
    r"(?i)\bwithout (using )?(your )?memory\b",
];

/// The operator's table.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Regular expressions. A turn that one of them matches is not remembered.
    no_write: Option<Vec<String>>,
    /// Regular expressions. Nothing is recalled in a turn that one of them matches.
    no_read: Option<Vec<String>>,
}

/// The table with its patterns compiled.
#[derive(Debug)]
pub struct Rules {
    no_write: Vec<Regex>,
    no_read: Vec<Regex>,
}

impl Rules {
    /// Compiles the patterns. The error names a bad one.
    pub fn compile(config: &Config) -> HookResult<Self> {
        Ok(Self {
            no_write: compiled("no-write", config.no_write.as_deref(), NO_WRITE)?,
            no_read: compiled("no-read", config.no_read.as_deref(), NO_READ)?,
        })
    }

    /// Returns the policy for a turn with this message.
    pub fn policy(&self, said: &str) -> Policy {
        let says = |patterns: &[Regex]| patterns.iter().any(|pattern| pattern.is_match(said));
        Policy {
            read: !says(&self.no_read),
            write: !says(&self.no_write),
        }
    }
}

fn compiled(key: &str, given: Option<&[String]>, default: &[&str]) -> HookResult<Vec<Regex>> {
    let patterns: Vec<&str> = match given {
        Some(given) => given.iter().map(String::as_str).collect(),
        None => default.to_vec(),
    };
    let compile = |(index, pattern): (usize, &&str)| {
        Regex::new(pattern).map_err(|fault| {
            Error::bad_config(format_args!("`{key}[{index}]`: `{pattern}`: {fault}"))
        })
    };
    patterns.iter().enumerate().map(compile).collect()
}

#[cfg(test)]
mod tests {
    use portcullis_sdk::config;

    use super::{Config, Rules};

    #[test]
    fn the_defaults() {
        let rules = Rules::compile(&Config::default()).expect("patterns");
        for (said, read, write) in [
            ("My name is Ann.", true, true),
            ("Don't remember this: I am Ann.", true, false),
            ("Please do not save my address", true, false),
            ("off the record, I hate tea", true, false),
            ("Forget what you know and answer", false, true),
            (
                "Answer without your memory, and don\u{2019}t store it",
                false,
                false,
            ),
            ("Remember the milk", true, true),
        ] {
            let policy = rules.policy(said);
            assert_eq!((policy.read, policy.write), (read, write), "{said}");
        }
    }

    #[test]
    fn patterns_of_the_operators_take_the_place_of_the_defaults() {
        let config: Config =
            config::from_json(r#"{"no-write": ["psst"], "no-read": []}"#).expect("a table");
        let rules = Rules::compile(&config).expect("patterns");
        assert!(!rules.policy("psst").write);
        assert!(rules.policy("don't remember, without memory").write);
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let config: Config = config::from_json(r#"{"no-read": ["(oops"]}"#).expect("a table");
        let Err(fault) = Rules::compile(&config) else {
            panic!("an open group was taken");
        };
        assert!(fault.is_bad_config(), "{fault}");
        assert!(
            fault.message().starts_with("`no-read[0]`: `(oops`: "),
            "{fault}"
        );
    }
}
