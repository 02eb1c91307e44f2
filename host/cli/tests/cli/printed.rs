//! The printed text of hooks and models has no character that a terminal obeys or hides.

use std::fs;

use regex_syntax::hir::{Class, ClassUnicode, HirKind};
use tempfile::TempDir;

use crate::support::{Ran, built, portcullis, run, text};

/// One text of each kind: colours, titles, C1 controls, overwriting, direction, zero width, tags.
const HOSTILE: &[&str] = &[
    "\u{1b}[41;5mred",
    "\u{1b}]0;title\u{7}",
    "\u{9b}31mred",
    "\u{85}next",
    "safe\rover",
    "abc\u{8}\u{8}\u{8}xyz",
    "\u{7f}",
    "line\u{2028}separator",
    "\u{2029}",
    "zero\u{200b}\u{200c}\u{200d}width",
    "\u{200e}\u{200f}marks",
    "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}gnp.exe",
    "\u{2060}\u{2064}joiner",
    "\u{2066}\u{2067}\u{2068}\u{2069}isolates",
    "\u{61c}letter",
    "\u{feff}mark",
    "soft\u{ad}hyphen",
    "\u{e0001}\u{e0041}\u{e0042}\u{e007f}tags",
    "\u{3164}\u{115f}fillers",
    "\u{180e}\u{fff9}\u{1d173}others",
];

/// Returns the characters that Unicode classifies as controls, formats, separators or not shown.
fn hidden() -> ClassUnicode {
    let classes = r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]";
    let parsed = regex_syntax::parse(classes).unwrap().into_kind();
    let HirKind::Class(Class::Unicode(class)) = parsed else {
        panic!("no class: {parsed:?}");
    };
    class
}

/// Returns the output without the command's own styles. No hostile text has one of these.
fn without_styles(output: &str) -> String {
    let styles = ["0", "1", "2", "31", "32", "33", "35", "36"];
    let mut output = output.to_owned();
    for style in styles {
        output = output.replace(&format!("\u{1b}[{style}m"), "");
    }
    output
}

/// Returns the hidden characters in the output, other than line ends.
fn found(output: &str) -> Vec<String> {
    let hidden = hidden();
    let output = without_styles(output);
    let is_hidden = |c: &char| {
        *c != '\n'
            && hidden
                .iter()
                .any(|range| (range.start()..=range.end()).contains(c))
    };
    let lines = output
        .lines()
        .filter(|line| line.chars().any(|c| is_hidden(&c)));
    lines.map(|line| format!("{line:?}")).collect()
}

/// A hook that does these things, and a script.
struct Scene {
    hooks: TempDir,
    dir: TempDir,
}

impl Scene {
    fn new(actions: &str, script: &serde_json::Value) -> Self {
        built();
        let hooks = tempfile::tempdir().unwrap();
        let probe = xtask::root().join("target/test-hooks/probe.wasm");
        fs::copy(probe, hooks.path().join("probe.wasm")).unwrap();
        let settings = format!(
            "[hooks.probe.grants]\nstate = true\nevents = true\n\
             contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
             [hooks.probe.config]\n{actions}\n"
        );
        fs::write(hooks.path().join("hooks.toml"), settings).unwrap();
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("script.json"), script.to_string()).unwrap();
        Self { hooks, dir }
    }

    fn run(&self, how: &str) -> Ran {
        let script = format!("scripted:{}", text(&self.dir.path().join("script.json")));
        let mut arguments = vec!["run", "--provider", &script, "--no-journal", "--no-watch"];
        arguments.extend(["--workdir", text(self.dir.path()), "--allow", "*"]);
        arguments.extend(["--hooks", text(self.hooks.path()), "--stream", "always"]);
        arguments.extend((!how.is_empty()).then_some(how));
        arguments.push("Hello");
        let mut command = portcullis(&arguments);
        command.env("PORTCULLIS_LOG", "debug,cranelift=off,wasmtime=off");
        // As on a terminal: no escapes are removed from the output.
        run(command.env("CLICOLOR_FORCE", "1"))
    }

    /// Runs it with every kind of output. None may have a hidden character, and a trace has the text.
    fn check(&self, what: &str) {
        for how in ["", "--trace", "--quiet", "--json"] {
            let ran = self.run(how);
            let both = format!("{}\n{}", ran.out, ran.err);
            assert!(
                how != "--trace" || both.contains("MARK"),
                "{what} {how}: no text in
{both}"
            );
            let found = found(&both);
            assert!(found.is_empty(), "{what} {how}: {found:#?}");
        }
    }
}

/// Returns all hostile texts, with a word that each output must contain.
fn hostile() -> String {
    format!("MARK {}", HOSTILE.join(" "))
}

/// Returns a setting that makes the probe print them with this action at a point.
fn action(point: &str, action: &str) -> String {
    let hostile: String = hostile().chars().map(escaped).collect();
    format!("{point} = \"{action} {hostile}\"")
}

fn escaped(c: char) -> String {
    match c.is_ascii_graphic() || c == ' ' {
        true => c.to_string(),
        false => format!("\\U{:08x}", u32::from(c)),
    }
}

#[test]
fn text_of_models_is_printable() {
    let answer = serde_json::json!({ "responses": [{ "text": hostile() }] });
    Scene::new("", &answer).check("an answer");
    let error = serde_json::json!({ "error": { "kind": "bad-request", "message": hostile() } });
    let failing = serde_json::json!({ "responses": [error.clone(), error] });
    Scene::new("", &failing).check("an error");
    let named = serde_json::json!({ "model": hostile(), "responses": [{ "text": "Done." }] });
    Scene::new("", &named).check("a model's name");
}

#[test]
fn tool_calls_of_models_are_printable() {
    for call in [
        serde_json::json!({ "name": hostile(), "arguments": { "a": "b" } }),
        serde_json::json!({ "name": "read_file", "arguments": { "path": hostile() } }),
        serde_json::json!({ "name": "read_file", "arguments": { (hostile()): "b" } }),
    ] {
        let script = serde_json::json!({
            "responses": [{ "tool_calls": [call] }, { "text": "Done." }]
        });
        Scene::new("", &script).check("a tool call");
    }
}

/// A spinner is drawn on a terminal alone.
#[cfg(unix)]
#[test]
fn spinners_are_printable() {
    let call = serde_json::json!({ "name": hostile(), "arguments": { "a": hostile() } });
    let mut terminal = crate::terminal::Terminal::play(&serde_json::json!({
        "model": hostile(),
        "responses": [{ "tool_calls": [call], "delay_ms": 500 }, { "text": "Done." }],
    }));
    let mut screen = terminal.wait("Done.");
    assert!(screen.contains("/MARK"), "no spinner: {screen:?}");
    // The control sequences of a spinner are expected.
    for control in ["\r", "\u{1b}[2K", "\u{1b}[?25l", "\u{1b}[?25h"] {
        screen = screen.replace(control, "");
    }
    for lines in 1..100 {
        for way in ["A", "B"] {
            screen = screen.replace(&format!("\u{1b}[{lines}{way}"), "");
        }
    }
    let found = found(&screen);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn text_of_hooks_is_printable() {
    let call = serde_json::json!({ "name": "list_dir", "arguments": { "path": "." } });
    let script = serde_json::json!({
        "responses": [{ "text": "One.", "tool_calls": [call] }, { "text": "Done." }]
    });
    for (point, what) in [
        ("pre-turn", "reject"),
        ("pre-turn", "transform"),
        ("pre-turn", "answer"),
        ("pre-turn", "fail"),
        ("pre-tool-call", "ask"),
        ("pre-tool-call", "reject"),
        ("pre-tool-call", "answer"),
        ("pre-tool-call", "fail"),
        ("post-tool-call", "transform"),
        ("post-llm-call", "transform"),
        ("post-turn", "transform"),
        ("pre-step", "stop-saying"),
        ("session-start", "fail"),
    ] {
        let scene = Scene::new(&action(point, what), &script);
        scene.check(&format!("{what} at {point}"));
    }
}

#[test]
fn log_lines_of_hooks_are_printable() {
    let script = serde_json::json!({ "responses": [{ "text": "Done." }] });
    // There is nothing to transform at these points, so the probe logs the text.
    for point in ["session-start", "turn-stopping", "message-added"] {
        Scene::new(&action(point, "transform"), &script).check(&format!("a log line at {point}"));
    }
}

#[test]
fn neither_output_of_a_hook_is_the_commands() {
    let script = serde_json::json!({ "responses": [{ "text": "Done." }] });
    let print = "session-start = \"print MARK\"\npre-turn = \"print MARK\"";
    let scene = Scene::new(print, &script);
    for how in ["", "--trace", "--quiet", "--json"] {
        let ran = scene.run(how);
        assert_eq!(ran.code, Some(0), "{how}: {ran:?}");
        assert!(ran.out.contains("Done."), "{how}: {ran:?}");
        assert!(!ran.out.contains("MARK"), "{how}: {}", ran.out);
        // A hook's output becomes a line of its log, with the hook's name.
        for line in ran.err.lines().filter(|line| line.contains("MARK")) {
            let logged = line.contains("portcullis::hook: MARK") && line.contains("hook=probe");
            assert!(logged, "{how}: {}", ran.err);
        }
    }
    // A panic message goes to the hook's standard error, which explains the trap.
    let ran = Scene::new("pre-turn = \"panic\"", &script).run("");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("panicked at"), "{}", ran.err);
}

/// All output goes through the crate `terminal`, which takes only printable text.
#[test]
fn only_the_terminal_crate_writes() {
    const WRITES: [&str; 14] = [
        " print!(",
        " eprint!(",
        "dbg!(",
        "write!(io::",
        "to_writer(",
        "println!",
        "eprintln!",
        "writeln!",
        "stdout().",
        "stderr().lock",
        "anstream::",
        "comfy_table::",
        "indicatif::",
        "formatted(",
    ];
    let mut directories = ["host/cli/src", "host/demo/src"]
        .map(|sources| xtask::root().join(sources))
        .to_vec();
    let mut found = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let source = source
                .replace("Out::stdout().", "")
                .replace("Out::stderr().", "");
            let writes = WRITES.iter().filter(|write| source.contains(**write));
            found.extend(writes.map(|write| format!("{}: {write}", path.display())));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_library_escapes_what_unicode_says_is_hidden() {
    let hidden = hidden();
    let differing: Vec<char> = ('\0'..=char::MAX)
        .filter(|c| {
            let says = hidden
                .iter()
                .any(|range| (range.start()..=range.end()).contains(c));
            says != portcullis::text::is_hidden(*c)
        })
        .collect();
    assert!(differing.is_empty(), "{differing:?}");
}
