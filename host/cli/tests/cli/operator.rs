//! The commands on the operator pages. Each page is followed in a directory that is prepared for
//! it; the reader agrees to every question. A block that needs more, such as a server, is marked in
//! the page: `<!-- not run: WHY -->`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support::{Ran, built, run, text};

const MARK: &str = "<!-- not run: ";

/// Commands that ask, and are answered with yes.
const AGREES: &str = r#"portcullis() {
  case "$*" in
    *--json*|*--dry-run*) command portcullis "$@" ;;
    "add "*|"remove "*|"update "*|"promote "*|"hooks trust "*|"sessions delete "*) command portcullis "$@" --yes ;;
    *) command portcullis "$@" ;;
  esac
}
"#;

/// A scripted model that reads a file, and then answers.
const AGENT: &str = r#"[[providers]]
kind = "scripted"
responses = [{ tool_calls = [{ name = "read_file", arguments = { path = "notes.txt" } }] }, { text = "Done." }]
"#;

/// The settings of the two hooks that the agent has.
const SETTINGS: &str = r#"[hooks.word-filter]
mode = "audit"
config.blocked = ["frobnicate"]

[hooks.path-jail]
grants = { views = ["tool-data"], answers = ["reject", "transform"] }
"#;

fn pages() -> PathBuf {
    xtask::root().join("docs/operator")
}

/// Returns the blocks of shell commands of a page, each with whether it is to be run.
fn blocks(page: &str) -> Vec<(bool, Vec<String>)> {
    let page = fs::read_to_string(pages().join(page)).expect("the page");
    let (mut blocks, mut is_marked) = (Vec::new(), false);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == "```sh" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let block = block.join("\n").replace("\\\n", "");
            blocks.push((!is_marked, block.lines().map(str::to_owned).collect()));
        }
        is_marked = line.starts_with(MARK) || (is_marked && line.is_empty());
    }
    blocks
}

/// A reader who follows a page in a directory.
struct Reader {
    dir: TempDir,
    home: TempDir,
}

impl Reader {
    fn new() -> Self {
        let new = || tempfile::tempdir().expect("a directory");
        Self {
            dir: new(),
            home: new(),
        }
    }

    /// Creates a reader with an agent and its hooks.
    fn with_agent() -> Self {
        let reader = Self::new();
        reader.write("agent.toml", AGENT);
        reader.write("notes.txt", "Buy bread.\n");
        reader.hook("book-hooks/word-filter.wasm", "hooks/word-filter.wasm");
        reader.hook("hooks/path-jail.wasm", "hooks/path-jail.wasm");
        reader.write("hooks/hooks.toml", SETTINGS);
        reader
    }

    /// Creates a reader with an agent and its sessions.
    fn with_sessions() -> Self {
        let reader = Self::with_agent();
        for message in ["Hello", "Please frobnicate it"] {
            reader.enter(&format!("portcullis run --session monday '{message}'"), 0);
        }
        reader
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    /// Copies a hook of `target`.
    fn hook(&self, built_as: &str, name: &str) {
        self.write(name, "");
        let from = built().parent().expect("`target`").join(built_as);
        fs::copy(from, self.path(name)).expect("a hook");
    }

    fn ran(&self, line: &str) -> Ran {
        let program = Path::new(env!("CARGO_BIN_EXE_portcullis"));
        let program = program.parent().expect("its directory").display();
        let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/readers-cache");
        run(Command::new("sh")
            .args(["-c", &format!("{AGREES}{line}")])
            .current_dir(self.dir.path())
            .env_clear()
            .env("HOME", self.home.path())
            .env("XDG_CACHE_HOME", cache)
            .env("PATH", format!("{program}:/usr/local/bin:/usr/bin:/bin")))
    }

    /// Runs a line, which ends with this code.
    fn enter(&self, line: &str, code: i32) -> Ran {
        let ran = self.ran(line);
        assert_eq!(ran.code, Some(code), "{line}\n{}\n{}", ran.out, ran.err);
        ran
    }

    /// Follows a page. `before` is called with each line, and returns the input that the reader
    /// enters for it and the exit code.
    fn follow(&self, page: &str, before: impl Fn(&str) -> (String, i32)) {
        assert!(FOLLOWED.contains(&page), "{page} is not listed");
        let mut entered = 0;
        for (is_run, lines) in blocks(page) {
            for line in lines.iter().filter(|_| is_run) {
                let (line, code) = before(line);
                self.enter(&line, code);
                entered += 1;
            }
        }
        assert!(entered > 0, "{page} has no line that is run");
    }

    /// Follows a page whose lines all end well.
    fn follow_plainly(&self, page: &str) {
        self.follow(page, |line| (line.to_owned(), 0));
    }
}

/// The pages that a test follows.
const FOLLOWED: &[&str] = &[
    "README.md",
    "agent.md",
    "attack.md",
    "explain.md",
    "journal.md",
    "lock.md",
    "not-run.md",
    "replay.md",
    "shadow.md",
    "sharing.md",
    "stats.md",
    "store.md",
    "trusting.md",
];

#[test]
fn each_listed_page_is_followed() {
    let source = include_str!("operator.rs");
    for page in FOLLOWED {
        let calls = [
            format!(".follow(\"{page}\""),
            format!(".follow_plainly(\"{page}\""),
        ];
        assert!(calls.iter().any(|call| source.contains(call)), "{page}");
    }
}

#[test]
fn what_is_not_run_is_marked() {
    for entry in fs::read_dir(pages()).expect("the pages") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a name that is text");
        if name.ends_with(".md") && !FOLLOWED.contains(&name) {
            for (is_run, lines) in blocks(name) {
                assert!(
                    !is_run,
                    "{name}: nothing runs, and no mark says so: {lines:#?}"
                );
            }
        }
    }
}

#[test]
fn a_hook_is_examined_before_it_runs() {
    let reader = Reader::new();
    // Without a table in hooks.toml, this hook may already do all that it does.
    reader.hook("test-hooks/sleeper.wasm", "hooks/new.wasm");
    reader.follow_plainly("README.md");
    let settings = fs::read_to_string(reader.path("hooks/hooks.toml")).expect("the settings");
    assert!(settings.contains("[hooks.sleeper"), "{settings}");
}

#[test]
fn an_agent_begins() {
    Reader::new().follow_plainly("agent.md");
}

#[test]
fn a_hook_is_trusted_and_no_more() {
    let reader = Reader::new();
    for hook in ["book-hooks/word-filter.wasm", "hooks/policy-server.wasm"] {
        let name = Path::new(hook).file_name().and_then(|name| name.to_str());
        reader.hook(hook, &format!("hooks/{}", name.expect("a name")));
    }
    reader.follow_plainly("trusting.md");
    let settings = fs::read_to_string(reader.path("hooks/hooks.toml")).expect("the settings");
    assert!(settings.contains("[hooks.policy-server"), "{settings}");
    assert!(!settings.contains("[hooks.word-filter"), "{settings}");
    let lock = fs::read_to_string(reader.path("hooks/hooks.lock")).expect("the lock");
    assert!(lock.contains("word-filter.wasm"), "{lock}");
}

#[test]
fn components_are_pinned() {
    let reader = Reader::with_agent();
    reader.follow_plainly("lock.md");
    reader.hook("hooks/canned-answer.wasm", "hooks/path-jail.wasm");
    reader.enter("portcullis hooks check --hooks ./hooks", 1);
}

#[test]
fn hooks_are_added_updated_audited_and_taken_along() {
    let reader = Reader::new();
    reader.write("hooks/hooks.toml", "[trust]\nrequire = \"none\"\n");
    reader.write("revoked.txt", "# Nothing is revoked yet.\n");
    reader.write(
        "cases/word-filter/passes.toml",
        "point = \"pre-turn\"\nviews.content = \"hello\"\nconfig.blocked = []\n[expect]\noutcome = \"continue\"\n",
    );
    reader.hook("book-hooks/word-filter.wasm", "word-filter.wasm");
    reader.follow("sharing.md", |line| {
        // The page removed the hook above, so it is restored.
        let is_removed = !reader.path("hooks/word-filter.wasm").exists();
        if is_removed && !line.starts_with("portcullis add") {
            reader.enter("portcullis add ./word-filter.wasm --hooks ./hooks", 0);
        }
        // An unsigned hook is a finding.
        let code = i32::from(line.starts_with("portcullis audit"));
        (line.to_owned(), code)
    });
    assert!(reader.path("elsewhere/word-filter.wasm").exists());
}

#[test]
fn sessions_are_kept_and_deleted() {
    let reader = Reader::with_agent();
    reader.follow_plainly("store.md");
    let kept = fs::read_to_string(reader.path("cats.json")).expect("the session");
    assert!(kept.contains("My cat is called Mia."), "{kept}");
}

#[test]
fn runs_are_looked_up() {
    let reader = Reader::with_sessions();
    reader.follow("journal.md", |line| (line.replace("SESSION", "monday"), 0));
    reader.follow_plainly("explain.md");
    reader.follow_plainly("stats.md");
    reader.follow_plainly("not-run.md");
    assert!(reader.path("monday.html").exists() && reader.path("hooks.svg").exists());
}

#[test]
fn a_hook_takes_effect_in_more_and_more_sessions() {
    let reader = Reader::with_sessions();
    let shadow = reader.enter("portcullis shadow report", 0);
    assert!(shadow.out.contains("blocked-word"), "{shadow:?}");
    reader.follow("shadow.md", |line| (line.replace("SESSION", "monday"), 0));
    let settings = fs::read_to_string(reader.path("hooks/hooks.toml")).expect("the settings");
    assert_eq!(settings, SETTINGS);
}

#[test]
fn calls_are_recorded_and_made_again() {
    let reader = Reader::with_agent();
    reader.hook("hooks/path-jail.wasm", "new/path-jail.wasm");
    reader.hook("guards/path-guard.wasm", "new/path-guard.wasm");
    reader.follow("replay.md", |line| {
        let example = "3.1041";
        if !line.contains(example) {
            return (line.to_owned(), 0);
        }
        let runs = reader
            .enter("portcullis runs --hook path-jail --json", 0)
            .json();
        let id = format!("{}.{}", runs[0]["host"], runs[0]["id"]);
        (line.replace(example, &id), 0)
    });
    let case = reader.path("tests/refused.toml");
    assert!(case.exists(), "{}", text(&case));
}

#[test]
fn one_attack_is_made() {
    Reader::new().follow_plainly("attack.md");
}
