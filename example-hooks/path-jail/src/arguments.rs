//! Finding the paths among the arguments.

use guards_common::paths::{Jail, Place};
use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The names of the arguments that are paths.
    #[serde(default = "names")]
    arguments: Vec<String>,
    /// The action on a path that leaves the directory.
    #[serde(default)]
    mode: Mode,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Reject,
    Rewrite,
}

/// The reason why arguments cannot pass.
#[derive(Debug, PartialEq)]
pub enum Fault {
    /// A path leaves the jail.
    Outside {
        /// The argument that contains the path.
        argument: String,
        /// The path.
        path: String,
    },
    /// There is a path, but no jail.
    NoJail,
}

fn names() -> Vec<String> {
    ["path", "file", "dir", "directory", "cwd"]
        .map(str::to_owned)
        .into()
}

impl Config {
    /// Confines all paths to the jail. Returns the number of paths that were moved into it.
    pub fn confine(&self, arguments: &mut Value, jail: Option<&Jail>) -> Result<usize, Fault> {
        match arguments {
            Value::Object(members) => members.iter_mut().try_fold(0, |moved, (name, value)| {
                let found = if self.arguments.contains(name) {
                    self.confine_paths(name, value, jail)
                } else {
                    self.confine(value, jail)
                };
                found.map(|more| moved + more)
            }),
            Value::Array(values) => values
                .iter_mut()
                .try_fold(0, |moved, value| Ok(moved + self.confine(value, jail)?)),
            _ => Ok(0),
        }
    }

    fn confine_paths(
        &self,
        name: &str,
        value: &mut Value,
        jail: Option<&Jail>,
    ) -> Result<usize, Fault> {
        match value {
            Value::String(path) => self.confine_path(name, path, jail),
            Value::Array(values) => values.iter_mut().try_fold(0, |moved, value| {
                Ok(moved + self.confine_paths(name, value, jail)?)
            }),
            other => self.confine(other, jail),
        }
    }

    fn confine_path(
        &self,
        name: &str,
        path: &mut String,
        jail: Option<&Jail>,
    ) -> Result<usize, Fault> {
        let place = jail.ok_or(Fault::NoJail)?.place(path);
        match (place, self.mode) {
            (Place::Inside, _) => Ok(0),
            (Place::Outside(moved), Mode::Rewrite) => {
                *path = moved;
                Ok(1)
            }
            (Place::Outside(_), Mode::Reject) => Err(Fault::Outside {
                argument: name.to_owned(),
                path: path.clone(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, Fault};
    use guards_common::paths::Jail;
    use portcullis_sdk::config;
    use serde_json::{Value, json};

    fn confine(table: &str, arguments: &mut Value) -> Result<usize, Fault> {
        let config: Config = config::from_json(table).expect("a correct table");
        config.confine(arguments, Jail::new("/work").as_ref())
    }

    #[test]
    fn paths_are_found_at_any_depth() {
        let mut arguments = json!({
            "path": "ok",
            "edits": [{ "file": ["a", "/etc/hosts"] }, { "cwd": { "dir": ".." } }],
            "content": "/etc/passwd",
        });
        assert_eq!(confine(r#"{"mode": "rewrite"}"#, &mut arguments), Ok(2));
        let expected = json!({
            "path": "ok",
            "edits": [{ "file": ["a", "/work/etc/hosts"] }, { "cwd": { "dir": "/work" } }],
            "content": "/etc/passwd",
        });
        assert_eq!(arguments, expected);
    }

    #[test]
    fn a_path_that_leaves_is_named() {
        let fault = confine("{}", &mut json!({ "path": "../x" }));
        let expected = Fault::Outside {
            argument: "path".into(),
            path: "../x".into(),
        };
        assert_eq!(fault, Err(expected));
    }

    #[test]
    fn the_names_can_be_set() {
        let table = r#"{"arguments": ["target"]}"#;
        assert_eq!(confine(table, &mut json!({ "path": "/x" })), Ok(0));
        assert!(confine(table, &mut json!({ "target": "/x" })).is_err());
    }

    #[test]
    fn a_path_needs_a_jail() {
        let config: Config = config::from_json("{}").expect("a correct table");
        assert_eq!(
            config.confine(&mut json!({ "path": "x" }), None),
            Err(Fault::NoJail)
        );
        assert_eq!(config.confine(&mut json!({ "text": "x" }), None), Ok(0));
    }
}
