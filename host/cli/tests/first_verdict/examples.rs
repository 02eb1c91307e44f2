//! Examples of a hook's configuration, from its project to `portcullis hooks inspect`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::with_tools;

/// Returns a configuration schema with this example for one of its keys and for the whole.
fn schema(example: &Value) -> String {
    serde_json::json!({
        "type": "object",
        "properties": {
            "words": { "type": "array", "items": { "type": "string" }, "examples": [example] },
        },
        "examples": [{ "words": example }],
    })
    .to_string()
}

#[test]
fn examples_of_a_configuration_are_shown_if_the_schema_takes_them() {
    let empty = tempfile::tempdir().expect("a directory");
    let cache = tempfile::tempdir().expect("a directory");
    with_tools(cache.path());
    let ran = |dir: &Path, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command.args(arguments).current_dir(dir);
        let done = command.env("XDG_CACHE_HOME", cache.path()).output();
        let done = done.expect("the command");
        let [out, err] =
            [done.stdout, done.stderr].map(|said| String::from_utf8(said).expect("text"));
        (done.status.success(), out, err)
    };
    let portcullis = |dir: &Path, arguments: &[&str]| {
        let (is_well, out, err) = ran(dir, arguments);
        assert!(is_well, "portcullis {arguments:?}: {err}");
        out
    };
    let new = ["new", "my-hook", "--lang", "c", "--points", "pre-turn"];
    portcullis(empty.path(), &new);
    let project = empty.path().join("my-hook");
    let write = |file: &str, text: &str| std::fs::write(project.join(file), text).expect(file);
    let manifest = project.join("portcullis.toml");
    let manifest = std::fs::read_to_string(manifest).expect("the manifest");
    let settings = "\n[c]\nconfig-schema = \"config.schema.json\"\n";
    write("portcullis.toml", &format!("{manifest}{settings}"));

    write("config.schema.json", &schema(&Value::from(vec!["a", "b"])));
    portcullis(&project, &["build"]);
    let shown = portcullis(&project, &["hooks", "inspect", "dist/my-hook.wasm"]);
    for line in [
        "For example [\"a\",\"b\"]",
        "Example in hooks.toml",
        "words = [\"a\", \"b\"]",
    ] {
        assert!(shown.contains(line), "no `{line}` in:\n{shown}");
    }

    write("config.schema.json", &schema(&Value::from(vec![3])));
    for line in [&["build"][..], &["test"]] {
        let (is_well, _, said) = ran(&project, line);
        assert!(!is_well, "{line:?}");
        let told = [
            "the hook `my-hook`",
            "`config.words[0]`: value is not of type \"string\"",
        ];
        assert!(
            told.iter().all(|told| said.contains(told)),
            "{line:?}\n{said}"
        );
    }
}
