//! A record that a handler does not read is not made for it; if in doubt, it is.

use std::fs;
use std::path::Path;
use std::process::Command;

use portcullis::json::to_json;
use portcullis::points::{Point, PreStep, PreToolCall, PreTurn};
use portcullis::{Decision, Hooks, SessionOptions};
use portcullis_project::{Language, tools};
use portcullis_tests::{HooksDir, Sample, root};
use serde_json::json;

use crate::from_nothing::{make, options, point};

/// A hook that reads the context alone, the input alone, and nothing; and refuses with what it read.
const READS: &str = r#"
import { defineHook, reject } from "portcullis";

const saw = (what) => reject("saw", "what it read", what);

export default defineHook({
  id: "my-hook",
  description: "Tells what it was given.",
  role: "gate",
  preTurn(context) {
    return saw([context.sessionId, context.agent, context.turn, context.step]);
  },
  preStep(_context, input) {
    const { messages, estimatedTokens, steps, usage, elapsedUs } = input;
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
    return saw([
      messages, estimatedTokens, steps, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, elapsedUs,
    ]);
  },
  preToolCall: () => saw([]),
});
"#;

/// What it told.
async fn told<P: Sample>(hooks: &Hooks) -> serde_json::Value {
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut P::sample()).await;
    let Decision::Rejected { rejection, .. } = &verdict.decision else {
        panic!("{verdict:?}");
    };
    let rejection = to_json(rejection).expect("a rejection");
    let details = rejection["details"].as_str().expect("details");
    serde_json::from_str(details).expect("what it read")
}

#[tokio::test]
async fn a_handler_gets_what_it_reads() {
    let dir = tempfile::tempdir().expect("a directory");
    let points = ["pre-turn", "pre-step", "pre-tool-call"].map(point);
    let project = make(dir.path(), Language::JavaScript, points.to_vec());
    fs::write(dir.path().join("src/hook.js"), READS).expect("the source");
    let component = project.build_with(&options(), &mut |_| {});
    let component = component.unwrap_or_else(|error| panic!("{error}"));
    let bytes = fs::read(component).expect("the component");
    let hooks = HooksDir::new()
        .with_file("my-hook.wasm", &bytes)
        .settings("[engine]\ncompile-ms = 600000\n[defaults.limits]\ndeadline-ms = 2000\n")
        .load();

    let context = PreTurn::sample().context;
    let expected = json!([
        context.session_id,
        context.agent,
        context.turn,
        context.step
    ]);
    assert_eq!(told::<PreTurn>(&hooks).await, expected);

    let state = PreStep::subject();
    let (state, usage) = (PreStep::input(&state), PreStep::input(&state).usage);
    let expected = json!([
        state.messages,
        state.estimated_tokens,
        state.steps,
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        state.elapsed_us,
    ]);
    assert_eq!(told::<PreStep>(&hooks).await, expected);
    assert_eq!(told::<PreToolCall>(&hooks).await, json!([]));
}

/// Runs a script of a language that hooks are built with; it fails if what it expects is not so.
fn passes(program: &str, arguments: &[&str]) {
    let program = tools::find(program).unwrap_or_else(|| panic!("{program} is not here"));
    let ran = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
}

#[test]
fn of_a_handler_in_javascript_what_it_names_tells() {
    let look = Path::new("guest-sdk/javascript/tools/look.mjs");
    let script = format!(
        r#"
import assert from "node:assert";
const {{ reads }} = await import("./{}");
const hook = {{
  none() {{ return 1; }},
  context(context) {{ return context; }},
  unread(context, input) {{ return "text"; }},
  second(_context, input) {{ return input.turn; }},
  both(context, input) {{ return () => [context, input]; }},
  rest(...all) {{ return all; }},
  initial(context = {{}}) {{ return context; }},
  then(context, input = {{}}) {{ return input; }},
  pattern({{ turn }}) {{ return turn; }},
  anyway() {{ return arguments; }},
  arrow: () => 1,
  one: (context) => context,
  bare: context => context,
  plain: function () {{ return 1; }},
  named: function named(context) {{ return context; }},
  bound: function (context) {{ return context; }}.bind({{}}),
  ["computed name"]() {{ return 1; }},
}};
const NONE = [false, false], FIRST = [true, false], SECOND = [false, true], BOTH = [true, true];
const read = Object.entries(hook).map(([name, it]) => [name, reads(String(it))]);
assert.deepStrictEqual(Object.fromEntries(read), {{
  none: NONE, unread: NONE, context: FIRST, second: SECOND, both: BOTH, rest: BOTH, initial: BOTH,
  then: BOTH, pattern: BOTH, anyway: BOTH, arrow: NONE, one: FIRST, bare: BOTH, plain: NONE,
  named: FIRST, bound: BOTH, "computed name": BOTH,
}});
"#,
        look.display()
    );
    passes("node", &["--input-type=module", "--eval", &script]);
}

#[test]
fn of_a_method_in_python_what_it_names_tells() {
    let dir = tempfile::tempdir().expect("a directory");
    // Its source is read, so it is in a file.
    let script = r#"
import builtins, functools, runpy, sys
reads = runpy.run_path("guest-sdk/python/src/portcullis/_reads.py")["reads"]

def wrapped(method):
    @functools.wraps(method)
    def wrapper(*arguments):
        return method(*arguments)
    return wrapper

class Hook:
    def none(self, context, input):
        return "context"
    def first(self, context, input):
        return context.turn
    def second(self, context, input):
        return [one for one in input.keys]
    def both(self, context, input):
        return lambda: (context, input)
    def changed(self, context, input):
        del input
    def frame(self, context, input):
        return locals()
    def rest(self, *all):
        return all
    @wrapped
    def wrapped(self, context, input):
        return None
    def framed(self, context, input):
        return sys._getframe().f_locals["input"]
    def elsewhere(self, context, input):
        return builtins.locals()["input"]
    lambdas = lambda self, context, input: None
    def make(self, log, limit): return lambda self, context, input: input
    made = make(None, 1, 2)

expected = {
    "none": [False, False], "first": [True, False], "second": [False, True], "both": [True, True],
    "changed": [False, True], "frame": [True, True], "rest": [True, True], "wrapped": [True, True],
    "lambdas": [True, True], "framed": [True, True], "elsewhere": [True, True], "made": [True, True],
}
for name, read in expected.items():
    assert reads(getattr(Hook(), name)) == read, (name, reads(getattr(Hook(), name)))
assert reads(print) == [True, True]
"#;
    let file = dir.path().join("check.py");
    std::fs::write(&file, script).expect("the script");
    passes("python3", &[&file.display().to_string()]);
}
