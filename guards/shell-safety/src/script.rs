//! The scripts among the arguments.

use guards_common::json;
use serde_json::Value;

use crate::config::Config;

/// The scripts: texts, and lists of words as one command each.
pub fn all(config: &Config, arguments: &Value) -> Vec<String> {
    let is_script = |name: &str| config.arguments.iter().any(|argument| argument == name);
    let mut scripts = Vec::new();
    let mut words: Vec<String> = Vec::new();
    for (name, value) in arguments.as_object().into_iter().flatten() {
        match value {
            Value::Array(list) if is_script(name) => {
                words.extend(list.iter().filter_map(Value::as_str).map(quoted));
            }
            Value::String(text) if is_script(name) => {
                // Some tools have the words after the command in another argument.
                let rest = arguments.get("args").and_then(Value::as_array);
                let rest = rest.into_iter().flatten().filter_map(Value::as_str);
                let rest: String = rest.map(|word| format!(" {}", quoted(word))).collect();
                scripts.push(format!("{text}{rest}"));
            }
            value => json::each_text(value, &mut |name, text| {
                if is_script(name) {
                    scripts.push(text.to_owned());
                }
            }),
        }
    }
    if !words.is_empty() {
        scripts.push(words.join(" "));
    }
    scripts
}

/// A word as the shell reads it back.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{Config, all};
    use serde_json::json;

    #[test]
    fn lists_are_one_command_and_texts_are_scripts() {
        let config = Config::default();
        let scripts = |arguments| all(&config, &arguments);
        assert_eq!(
            scripts(json!({ "command": "ls", "description": "rm -rf /" })),
            ["ls"]
        );
        assert_eq!(
            scripts(json!({ "command": ["sh", "-c", "it's"] })),
            [r"'sh' '-c' 'it'\''s'"]
        );
        assert_eq!(
            scripts(json!({ "command": "rm", "args": ["-r", "/"] })),
            ["rm '-r' '/'"]
        );
        assert_eq!(scripts(json!({ "steps": [{ "cmd": "a" }] })), ["a"]);
    }
}
