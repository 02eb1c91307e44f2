//! A component in each language describes itself: the schema by which the host checks its
//! configuration, examples of the configuration, and its licence.

use std::fs;

use portcullis::{Decision, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::{HooksDir, turn};
use serde_json::{Value, json};

use super::from_nothing::{built, make, options, point};
use super::hooks_dir;

const JAVASCRIPT: &str = r#"import { about, config, defineHook, number, oneOf, proceed, strings } from "portcullis";

const settings = config(
  {
    words: about("The words.", strings(), ["password"]),
    most: number(3),
    then: oneOf(["ask", "reject"], "ask"),
  },
  { examples: [{ words: ["password", "secret"] }] },
);

export default defineHook({
  id: "my-hook",
  description: "Has a configuration.",
  config: settings,
  preTurn: () => (settings().most > 0 ? proceed() : proceed()),
});
"#;

/// Refuses a turn with the configuration that it has read.
const TYPESCRIPT: &str = r#"import { configOf, defineHook, type Integer, reject } from "portcullis";
import type { Rule } from "./rule.ts";

interface Settings extends Words {
  most: number;
  then: "ask" | "reject";
  limits: { calls: Integer; tokens?: Integer };
  rules?: Rule[];
  fallback: Rule;
  pair?: [string, Integer?];
  prices: Record<string, number>;
  range?: { from: Integer; to: Integer };
  labels?: Json;
}

type Json = string | boolean | null | Json[] | { [key: string]: Json };

interface Words {
  /**
   * The words.
   * @example ["password"]
   */
  words: readonly string[];
}

const settings = configOf<Settings>(
  { most: 3, then: "ask", limits: { calls: 5 }, fallback: { tool: "any", most: 2 }, prices: { small: 1 }, range: { from: 1 } },
  { examples: [{ words: ["password", "secret"] }] },
);

export default defineHook({
  id: "my-hook",
  description: "Has a configuration.",
  config: settings,
  preTurn: () => reject("read", JSON.stringify(settings())),
});
"#;

const TYPESCRIPT_RULE: &str = r#"/** What is done with a tool. */
export interface Rule {
  tool: string | string[];
  /** @minimum 1 */
  most?: number;
  and?: Rule[];
}
"#;

const GO: &str = r#"package main

import (
	"portcullis"
	"portcullis/config"
	"portcullis/preturn"
)

type settings struct {
	Words []string `json:"words" doc:"The words." example:"[\"password\"]"`
	Most  float64  `json:"most"`
	Then  string   `json:"then"`
}

var configured = config.Of(settings{Most: 3, Then: "ask"}).
	Example(settings{Words: []string{"password", "secret"}, Most: 3, Then: "ask"})

func init() {
	portcullis.Describe(portcullis.Hook{ID: "my-hook", Description: "Has a configuration."})
	preturn.Handle(func(call preturn.Call) error {
		_, err := configured.Get()
		return err
	})
}

func main() {}
"#;

const PYTHON: &str = r#"from dataclasses import dataclass
from typing import Annotated, Literal

from portcullis import config, hook


@dataclass
class Config:
    words: Annotated[list[str], "The words.", config.Example(["password"])]
    most: float = 3
    then: Literal["ask", "reject"] = "ask"


@hook(
    id="my-hook",
    description="Has a configuration.",
    config=Config,
    config_examples=[Config(words=["password", "secret"])],
)
class MyHook:
    def pre_turn(self, context, call):
        config.read(Config)
"#;

const RUST: &str = r#"use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("examples" = [{ "words": ["password", "secret"] }]))]
struct Config {
    /// The words.
    #[schemars(example = ["password"])]
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

/// The schema has characters that a literal in C must escape.
const C_SCHEMA: &str = r#"{
  "type": "object",
  "examples": [{"words": ["password", "secret"]}],
  "properties": {
    "words": {
      "type": "array",
      "items": {"type": "string", "pattern": "^[^\\\"??/]*$"},
      "description": "The words.",
      "examples": [["password"]]
    },
    "most": {"type": "number", "default": 3},
    "then": {"enum": ["ask", "reject"], "default": "ask"}
  },
  "required": ["words"],
  "additionalProperties": false
}"#;

/// Creates a directory with the component, which has this configuration.
fn configured(component: &[u8], config: &str) -> HooksDir {
    // A language's runtime takes time to compile and to start.
    let patient =
        "[engine]\ncompile-ms = 600000\n[defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n";
    hooks_dir()
        .with_file("my-hook.wasm", component)
        .settings(&format!("[hooks.my-hook.config]\n{config}\n{patient}"))
}

/// Checks a hook, and returns its component.
fn checks(language: Language, files: &[(&str, &str)]) -> Vec<u8> {
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

    let reports = configured(&bytes, "words = []").load().reports();
    let about = &reports[0].about;
    let said = [&about.license, &about.homepage, &about.source].map(Option::as_deref);
    assert_eq!(said, [Some("MIT"), Some("https://example.com/"), None]);
    let schema = reports[0].config_schema.as_ref().expect("a schema");
    assert_eq!(schema["required"], json!(["words"]), "{language}");
    let of = |key: &str| &schema["properties"][key];
    assert_eq!(of("words")["description"], "The words.", "{language}");
    assert_eq!(of("most")["default"].as_f64(), Some(3.0), "{language}");
    assert_eq!(of("then")["default"], "ask", "{language}");
    assert_eq!(of("words")["examples"], json!([["password"]]), "{language}");
    let whole = json!([{ "words": ["password", "secret"] }]);
    assert_eq!(schema["examples"], whole, "{language}");
    assert_eq!(reports[0].wrong_values(), [""; 0], "{language}");

    let wrong = "word = []\nmost = \"many\"\nthen = [\"nothing\"]";
    let wrong = configured(&bytes, wrong);
    let error = wrong.try_load().expect_err("four mistakes").to_string();
    for said in [
        "hooks.toml:1: `config.words` is missing",
        "hooks.toml:2: unknown key `word`; did you mean `words`?",
        "hooks.toml:3: `config.most`: ",
        "hooks.toml:4: `config.then`: ",
    ] {
        assert!(error.contains(said), "{language}: {said}\n\n{error}");
    }
    bytes
}

#[test]
fn in_rust() {
    checks(Language::Rust, &[("src/lib.rs", RUST)]);
}

/// Checks a hook whose schema is in a file.
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
fn in_go() {
    checks(Language::Go, &[("hook.go", GO)]);
}

#[tokio::test]
async fn in_typescript_as_types() {
    let files = [
        ("src/hook.ts", TYPESCRIPT),
        ("src/rule.ts", TYPESCRIPT_RULE),
    ];
    let bytes = checks(Language::TypeScript, &files);
    let read = async |config: &str| {
        let hooks = configured(&bytes, config).load();
        let session = hooks.session(SessionOptions::new("test"));
        match session.run(&mut turn("hello")).await.decision {
            Decision::Rejected { rejection, .. } => {
                serde_json::from_str::<Value>(&rejection.reason).expect("what it read")
            }
            other => panic!("{other:?}"),
        }
    };
    let rules = "words = []\nlimits.tokens = 7\nprices.large = 2\nfallback.most = 5\npair = [\"a\"]\nrules = [{ tool = \"a\", and = [{ tool = [] }] }]\nlabels = [\"a\", { b = [true] }]";
    let expected = json!({
        "most": 3,
        "then": "ask",
        "limits": { "calls": 5, "tokens": 7 },
        "prices": { "large": 2 },
        "words": [],
        "fallback": { "tool": "any", "most": 5 },
        "pair": ["a"],
        "rules": [{ "tool": "a", "and": [{ "tool": [] }] }],
        "labels": ["a", { "b": [true] }],
    });
    assert_eq!(read(rules).await, expected);
    let range = read("words = []\nrange.to = 9").await;
    assert_eq!(range["range"], json!({ "from": 1, "to": 9 }));

    let reports = configured(&bytes, "words = []").load().reports();
    let schema = reports[0].config_schema.as_ref().expect("a schema");
    let definitions = schema["$defs"].as_object().expect("definitions");
    assert!(definitions.keys().eq(["Rule", "Json"]), "{schema}");

    let wrong =
        "words = [1]\nlimits = { calls = 1.5, token = 1 }\nrules = [{ tool = 1, most = 0 }]";
    let error = configured(&bytes, wrong).try_load().expect_err("mistakes");
    let error = error.to_string();
    for said in [
        "hooks.toml:2: `config.words[0]`: ",
        "hooks.toml:3: `config.limits.calls`: ",
        "hooks.toml:3: unknown key `token`; did you mean `tokens`?",
        "`config.rules[0].tool`: ",
        "`config.rules[0].most`: ",
    ] {
        assert!(error.contains(said), "{said}\n\n{error}");
    }
}

#[test]
fn a_type_that_no_configuration_has_is_named_with_its_line() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::TypeScript, vec![point("pre-turn")]);
    let wrong = TYPESCRIPT_RULE
        .replace("most?: number", "most?: Date")
        .replace(
            "and?: Rule[]",
            "/** @default 3 */\n  and?: Rule[];\n  by?: Map<string, Rule>;\n  any?: any;\n  deep?: Deep<string>",
        );
    let wrong = wrong + "interface Deep<T> {\n  deeper?: Deep<T[]>;\n  wider?: Deep<[T]>;\n}\n";
    for (file, text) in [("hook.ts", TYPESCRIPT), ("rule.ts", &wrong)] {
        fs::write(dir.path().join("src").join(file), text).expect("a file of the project");
    }
    let error = project.build_with(&options(), &mut |_| {}).unwrap_err();
    let error = error.to_string();
    for said in [
        "src/rule.ts:5:3: `Settings.rules[].most`: a configuration cannot hold `Date`",
        "src/rule.ts:7:3: `Settings.rules[].and`: a default is a value: configOf<…>({ key: value }), and not `@default`",
        "src/rule.ts:8:3: `Settings.rules[].by`: a configuration cannot hold `Map<string, Rule>`",
        "src/rule.ts:9:3: `Settings.rules[].any`: a configuration cannot hold `any`",
        ": its type has no end; write `unknown`, or an interface that holds itself",
        "A configuration can hold strings, numbers, ",
    ] {
        assert!(error.contains(said), "{said}\n\n{error}");
    }
}

#[test]
fn in_python() {
    checks(Language::Python, &[("src/hook.py", PYTHON)]);
}
