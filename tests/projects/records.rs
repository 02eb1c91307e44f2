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
fn of_a_handler_in_javascript_its_parameters_tell() {
    let look = Path::new("guest-sdk/javascript/tools/look.mjs");
    let script = format!(
        r#"
import assert from "node:assert";
const {{ takes }} = await import("./{}");
const hook = {{
  none() {{ return 1; }},
  context(context) {{ return context; }},
  both(context, input) {{ return input; }},
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
const took = Object.entries(hook).map(([name, it]) => [name, takes(String(it), it.length)]);
assert.deepStrictEqual(Object.fromEntries(took), {{
  none: 0, context: 1, both: 2, rest: 2, initial: 2, then: 2, pattern: 2, anyway: 2,
  arrow: 0, one: 1, bare: 2, plain: 0, named: 1, bound: 2, "computed name": 2,
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
