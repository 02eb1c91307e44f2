//! Each combination of features that an embedder may choose compiles without a warning.

use serde_json::Value;
use xtask::{cargo, root};

/// Packages and their features. One feature at a time is enough: none of them knows of another, but `mcp` of `api`.
const CHOICES: &[(&str, &[&str])] = &[
    ("portcullis", &["", "http", "watch"]),
    ("portcullis-agent", &["", "api", "mcp"]),
];

#[test]
fn every_choice_of_features_compiles() {
    for (package, choices) in CHOICES {
        for features in *choices {
            let mut check = cargo(&root());
            check
                .args(["check", "--quiet", "--package", package, "--lib"])
                .args(["--no-default-features", "--features", features])
                .args(["--message-format", "json"]);
            let checked = check.output().expect("cargo starts");
            let what = format!("`{package}` with the features [{features}]");
            let said = messages(&checked.stdout);
            assert!(
                checked.status.success() && said.is_empty(),
                "{what}:\n{}\n{}",
                said.join("\n"),
                String::from_utf8_lossy(&checked.stderr)
            );
        }
    }
}

/// What the compiler says of the packages of the workspace. It says nothing of others, unless they do not compile.
fn messages(output: &[u8]) -> Vec<String> {
    let lines = output.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    messages
        .filter(|message| message["reason"] == "compiler-message")
        .filter_map(|message| Some(message["message"]["rendered"].as_str()?.to_owned()))
        .collect()
}
