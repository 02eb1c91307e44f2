//! The scripts in the arguments of a tool.

use serde_json::{Map, Value};

use crate::read;

/// The deepest nesting of values that is searched; `serde_json` refuses deeper values.
const DEEPEST: usize = 128;

/// Returns the scripts in a tool's arguments, at any depth: the texts with these names, followed by the words of `args`
/// beside them. A list may be the words of one command, or scripts; it is read as both.
pub fn scripts_in(arguments: &Value, names: &[String]) -> Vec<String> {
    let mut found = Found {
        names,
        scripts: Vec::new(),
    };
    found.members(arguments, 0);
    found.scripts
}

struct Found<'a> {
    names: &'a [String],
    scripts: Vec<String>,
}

impl Found<'_> {
    fn members(&mut self, value: &Value, depth: usize) {
        match value {
            _ if depth > DEEPEST => {}
            Value::Array(values) => values
                .iter()
                .for_each(|value| self.members(value, depth + 1)),
            Value::Object(members) => {
                for (name, value) in members {
                    match self.names.contains(name) {
                        true => self.script(value, members, depth + 1),
                        false => self.members(value, depth + 1),
                    }
                }
            }
            _ => {}
        }
    }

    fn script(&mut self, value: &Value, beside: &Map<String, Value>, depth: usize) {
        let more = || {
            let more = beside.get("args").and_then(Value::as_array);
            let more = more.into_iter().flatten().filter_map(Value::as_str);
            more.map(quoted)
        };
        match value {
            _ if depth > DEEPEST => {}
            Value::String(text) => {
                let words = std::iter::once(text.clone()).chain(more());
                self.scripts.push(words.collect::<Vec<_>>().join(" "));
            }
            Value::Array(values) => {
                let texts = || values.iter().filter_map(Value::as_str);
                let words: Vec<String> = texts().map(quoted).chain(more()).collect();
                if texts().next().is_some() {
                    self.scripts.push(words.join(" "));
                }
                let scripts = texts().filter(|text| text.contains(char::is_whitespace));
                let scripts = scripts.filter(|text| read(text).is_ok());
                self.scripts.extend(scripts.map(str::to_owned));
                for value in values.iter().filter(|value| !value.is_string()) {
                    self.script(value, &Map::new(), depth + 1);
                }
            }
            value => self.members(value, depth),
        }
    }
}

/// Quotes a word for the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::scripts_in;
    use serde_json::json;

    #[test]
    fn lists_are_commands_or_scripts_and_texts_are_scripts() {
        let names = ["command", "cmd", "commands"].map(String::from);
        for (arguments, expected) in [
            (
                json!({ "command": "ls", "description": "rm -rf /" }),
                vec!["ls"],
            ),
            (
                json!({ "command": ["sh", "-c", "it's"] }),
                vec![r"'sh' '-c' 'it'\''s'"],
            ),
            (
                json!({ "command": "rm", "args": ["-r", "/"] }),
                vec!["rm '-r' '/'"],
            ),
            (
                json!({ "command": ["rm"], "args": ["-r"] }),
                vec!["'rm' '-r'"],
            ),
            (json!({ "steps": [{ "cmd": ["a", "b"] }] }), vec!["'a' 'b'"]),
            (
                json!({ "commands": ["git status", "git push -f"] }),
                vec!["'git status' 'git push -f'", "git status", "git push -f"],
            ),
            (
                json!({ "commands": [["git", "push"], ["ls"]] }),
                vec!["'git' 'push'", "'ls'"],
            ),
        ] {
            assert_eq!(scripts_in(&arguments, &names), expected, "{arguments}");
        }
    }
}
