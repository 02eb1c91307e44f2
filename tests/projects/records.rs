//! A record that a handler does not read is not made for it; if in doubt, it is.

use std::path::Path;
use std::process::Command;

use portcullis_project::tools;
use portcullis_tests::root;

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
import functools, runpy
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
    lambdas = lambda self, context, input: None

expected = {
    "none": [False, False], "first": [True, False], "second": [False, True], "both": [True, True],
    "changed": [False, True], "frame": [True, True], "rest": [True, True], "wrapped": [True, True],
    "lambdas": [True, True],
}
for name, read in expected.items():
    assert reads(getattr(Hook(), name)) == read, (name, reads(getattr(Hook(), name)))
assert reads(print) == [True, True]
"#;
    let file = dir.path().join("check.py");
    std::fs::write(&file, script).expect("the script");
    passes("python3", &[&file.display().to_string()]);
}
