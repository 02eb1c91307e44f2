//! A component explains itself, in each language: the schema of its configuration, by which the host checks the
//! configuration, and its licence.

use std::fs;

use portcullis_project::Language;
use portcullis_tests::HooksDir;
use serde_json::json;

use super::from_nothing::{built, make, point};

/// Also a hook in TypeScript.
const JAVASCRIPT: &str = r#"import { about, config, defineHook, number, oneOf, proceed, strings } from "portcullis";

const settings = config({
  words: about("The words.", strings()),
  most: number(3),
  then: oneOf(["ask", "reject"], "ask"),
});

export default defineHook({
  id: "my-hook",
  description: "Has a configuration.",
  config: settings,
  preTurn: () => (settings().most > 0 ? proceed() : proceed()),
});
"#;

const PYTHON: &str = r#"from dataclasses import dataclass
from typing import Annotated, Literal

from portcullis import config, hook


@dataclass
class Config:
    words: Annotated[list[str], "The words."]
    most: float = 3
    then: Literal["ask", "reject"] = "ask"


@hook(id="my-hook", description="Has a configuration.", config=Config)
class MyHook:
    def pre_turn(self, context, call):
        config.read(Config)
"#;

const RUST: &str = r#"use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Config {
    /// The words.
    words: Vec<String>,
    #[serde(default = "most")]
    most: f64,
    #[serde(default)]
    then: Then,
}

#[derive(Default, Deserialize, JsonSchema, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Then {
    #[default]
    Ask,
    Reject,
}

fn most() -> f64 {
    3.0
}

struct MyHook;

#[hook(id = "my-hook", description = "Has a configuration.", config = Config)]
impl MyHook {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let Config { words, most, then } = config()?;
        drop((words, most, then));
        Ok(call.proceed())
    }
}
"#;

const C: &str = r#"#include "portcullis.h"

PORTCULLIS_HOOK(.id = "my-hook", .description = "Has a configuration.");

bool on_pre_turn(void) {
    int64_t most;
    return pc_config_number("most", 3, &most) ? PC_CONTINUE : pc_bad_config("`most` must be a number");
}
"#;

const CPP: &str = r#"#include "portcullis.hpp"

using namespace portcullis;

PORTCULLIS_HOOK(.id = "my-hook", .description = "Has a configuration.");

Answer on_pre_turn() {
    return config::number("most", 3) ? proceed() : bad_config("`most` must be a number");
}
"#;

const ZIG: &str = r#"const pc = @import("portcullis");

pub const hook: pc.Hook = .{ .id = "my-hook", .description = "Has a configuration." };

const Config = struct { words: []const []const u8, most: f64 = 3, then: enum { ask, reject } = .ask };

pub fn onPreTurn() !pc.Answer {
    _ = try pc.config.read(Config);
    return pc.proceed;
}
"#;

/// With what a literal in C must escape.
const C_SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "words": {"type": "array", "items": {"type": "string", "pattern": "^[^\\\"??/]*$"}, "description": "The words."},
    "most": {"type": "number", "default": 3},
    "then": {"enum": ["ask", "reject"], "default": "ask"}
  },
  "required": ["words"],
  "additionalProperties": false
}"#;

fn checks(language: Language, files: &[(&str, &str)]) {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), language, vec![point("pre-turn")]);
    for (file, text) in files {
        let path = dir.path().join(file);
        let mut there = fs::read_to_string(&path).unwrap_or_default();
        match file.ends_with(".toml") {
            true => there.push_str(text),
            false => there = (*text).to_owned(),
        }
        fs::write(path, there).expect("a file of the project");
    }
    let manifest = dir.path().join("portcullis.toml");
    let mut text = fs::read_to_string(&manifest).expect("the manifest");
    text.push_str("\n[about]\nlicense = \"MIT\"\nhomepage = \"https://example.com/\"\n");
    fs::write(&manifest, text).expect("the manifest");
    let project = portcullis_project::Project::find(project.dir()).expect("the project");
    let bytes = built(&project);
    let with = |config: &str| {
        // A language's runtime takes time to compile and to start.
        let patient = "[engine]\ncompile-ms = 600000\n[defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n";
        HooksDir::new()
            .with_file("my-hook.wasm", &bytes)
            .settings(&format!("[hooks.my-hook.config]\n{config}\n{patient}"))
    };

    let reports = with("words = []").load().reports();
    let about = &reports[0].about;
    let said = [&about.license, &about.homepage, &about.source].map(Option::as_deref);
    assert_eq!(said, [Some("MIT"), Some("https://example.com/"), None]);
    let schema = reports[0].config_schema.as_ref().expect("a schema");
    assert_eq!(schema["required"], json!(["words"]), "{language}");
    let of = |key: &str| &schema["properties"][key];
    assert_eq!(of("words")["description"], "The words.", "{language}");
    assert_eq!(of("most")["default"].as_f64(), Some(3.0), "{language}");
    assert_eq!(of("then")["default"], "ask", "{language}");

    let wrong = with("word = []\nmost = \"many\"\nthen = \"nothing\"");
    let error = wrong.try_load().expect_err("four mistakes").to_string();
    for said in [
        "hooks.toml:1: `config.words` is missing",
        "hooks.toml:2: unknown key `word`; did you mean `words`?",
        "hooks.toml:3: `config.most`: ",
        "hooks.toml:4: `config.then`: ",
    ] {
        assert!(error.contains(said), "{language}: {said}\n\n{error}");
    }
}

#[test]
fn in_rust() {
    checks(Language::Rust, &[("src/lib.rs", RUST)]);
}

/// With the schema in a file.
fn checks_with_schema(language: Language, source: (&str, &str)) {
    let manifest = format!("\n[{language}]\nconfig-schema = \"config.schema.json\"\n");
    let schema = ("config.schema.json", C_SCHEMA);
    checks(language, &[source, schema, ("portcullis.toml", &manifest)]);
}

#[test]
fn in_c() {
    checks_with_schema(Language::C, ("src/hook.c", C));
}

#[test]
fn in_cpp() {
    checks_with_schema(Language::Cpp, ("src/hook.cpp", CPP));
}

#[test]
fn in_zig() {
    checks_with_schema(Language::Zig, ("src/hook.zig", ZIG));
}

#[test]
fn in_javascript() {
    checks(Language::JavaScript, &[("src/hook.js", JAVASCRIPT)]);
}

#[test]
fn in_typescript() {
    checks(Language::TypeScript, &[("src/hook.ts", JAVASCRIPT)]);
}

#[test]
fn in_python() {
    checks(Language::Python, &[("src/hook.py", PYTHON)]);
}
