//! The tutorial of each language, as `docs/start/` has them: the commands are run, and the code is put into the
//! files that the text names. The text after `## Run it` is not followed, except
//! `## Build with cargo` on Rust's page.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use portcullis_project::languages::go::Compiler;
use serde_json::Value;
use xtask::test::rust_projects;
use xtask_projects::packages::{self, PYTHON_CHECKERS};
use xtask_projects::rust;

use crate::{compiled, with_tools};

/// The last section of a tutorial that is followed.
const LAST: &str = "## Run it";
/// A section of the page for Rust, after the tutorial.
const WITH_CARGO: &str = "## Build with cargo";
/// The first character of output for a failure, here for a refused turn.
const FAILED: char = '✗';

/// A fenced block of a page.
struct Block {
    /// The text after the fence, such as `sh`.
    language: String,
    text: String,
    /// The file that the paragraph before it names.
    file: Option<String>,
}

/// Returns the page of a language.
fn page(name: &str) -> String {
    let pages = xtask::root().join("docs/start");
    fs::read_to_string(pages.join(name).with_extension("md")).expect("the page")
}

/// Returns a page's tutorial, and the text after it.
fn tutorial(page: &str) -> (&str, &str) {
    let last = page.find(LAST).expect("the last section");
    let behind = page[last..].find("\n## ");
    page.split_at(behind.map_or(page.len(), |behind| last + behind + 1))
}

/// Returns the blocks of a text, in order.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut before = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block {
                language: language.to_owned(),
                text: inside.join("\n") + "\n",
                file: before
                    .split('`')
                    .skip(1)
                    .step_by(2)
                    .find(|word| is_file(word))
                    .map(str::to_owned),
            });
            before.clear();
        } else if !line.is_empty() && !line.starts_with("<!--") {
            before = line.to_owned();
        }
    }
    blocks
}

/// Returns whether a word in the text is a file's path.
fn is_file(word: &str) -> bool {
    !word.contains(' ') && Path::new(word).extension().is_some()
}

/// Follows a page in a new directory.
struct Reader {
    dir: PathBuf,
    /// The reader's `PATH`.
    path: String,
    /// Has all that the reader makes, and is removed with it.
    _place: tempfile::TempDir,
    state: tempfile::TempDir,
    cache: tempfile::TempDir,
}

impl Reader {
    /// Creates a reader in an empty directory, with the command, and with the programs of another
    /// directory before it.
    fn new(programs: Option<&Path>) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        rust::share_target_dir(place.path()).unwrap_or_else(|error| panic!("{error}"));
        let command = Path::new(env!("CARGO_BIN_EXE_portcullis"));
        let own = std::env::var("PATH").expect("programs");
        let dirs = programs.into_iter().chain(command.parent());
        let dirs = dirs.map(|dir| dir.display().to_string());
        let reader = Self {
            dir: place.path().to_owned(),
            path: dirs.chain([own]).collect::<Vec<_>>().join(":"),
            _place: place,
            state: tempfile::tempdir().expect("a directory"),
            cache: tempfile::tempdir().expect("a directory"),
        };
        with_tools(reader.cache.path());
        reader
    }

    /// Runs the commands and writes the files of blocks. Leaves out the line `without`.
    fn follow(&mut self, blocks: &[Block], without: Option<&str>) {
        for (at, block) in blocks.iter().enumerate() {
            match (block.language.as_str(), &block.file) {
                ("sh", _) => {
                    let shown = blocks.get(at + 1).filter(|next| next.language == "text");
                    let lines: Vec<&str> = block.text.lines().collect();
                    for (number, line) in lines.iter().enumerate() {
                        let last = number + 1 == lines.len();
                        let shown = shown.filter(|_| last).map(|block| block.text.as_str());
                        if Some(*line) != without {
                            self.run(line, shown);
                        }
                    }
                }
                ("text", _) => {}
                (_, Some(file)) => {
                    let file = self.dir.join(file);
                    assert!(
                        file.parent().is_some_and(Path::is_dir),
                        "{}",
                        file.display()
                    );
                    fs::write(file, &block.text).expect("a file");
                }
                (language, None) => panic!(
                    "no file is named for a block in {language}:\n{}",
                    block.text
                ),
            }
        }
    }

    fn command(&self, line: &str) -> Command {
        let tools = self.cache.path().join("portcullis/tools");
        let mut command = Command::new("sh");
        command
            .args(["-c", line])
            .current_dir(&self.dir)
            .env("PATH", &self.path)
            // Build outputs of the Go and Zig standard libraries are kept in the builds' cache.
            .env("GOCACHE", tools.join("go-cache"))
            .env("ZIG_GLOBAL_CACHE_DIR", tools.join("zig-cache"))
            .env("XDG_CACHE_HOME", self.cache.path())
            .env("XDG_STATE_HOME", self.state.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs a line. `shown` is the output that the page shows.
    fn run(&mut self, line: &str, shown: Option<&str>) {
        if let Some(below) = line.strip_prefix("cd ") {
            self.dir.push(below);
            return;
        }
        if line == "portcullis dev" {
            return self.watch(line);
        }
        let before = compiled(self.cache.path());
        let ran = self.command(line).output().expect("a shell");
        match line {
            "portcullis build" => self.has_built(&before, &ran.stderr),
            "portcullis test" => assert_eq!(compiled(self.cache.path()), before, "{line}"),
            _ => {}
        }
        let said = [&ran.stdout[..], &ran.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said);
        let fails = shown.is_some_and(|shown| shown.starts_with(FAILED));
        assert_eq!(ran.status.success(), !fails, "{line}\n{said}");
        for expected in shown.into_iter().flat_map(str::lines) {
            assert!(said.contains(expected), "{line}\n{said}");
        }
    }

    /// Checks that a build has printed its steps and has compiled the component, so that
    /// `portcullis test` need not.
    fn has_built(&self, before: &[(String, SystemTime)], told: &[u8]) {
        let told = String::from_utf8_lossy(told);
        assert!(told.contains("word-filter: "), "no step is told: {told}");
        let after = compiled(self.cache.path());
        assert_eq!(after.len(), before.len() + 1, "{told}");
    }

    /// Checks that another build names the component and does not compile it again. `reproducible`
    /// in `tests/projects` tests that each language's component is the same.
    fn builds_again(&self) {
        let before = compiled(self.cache.path());
        let again = self.command("portcullis build --json").output();
        let built: Value = serde_json::from_slice(&again.expect("a shell").stdout).expect("JSON");
        let component = built["component"].as_str().expect("a file");
        assert!(self.dir.join(component).is_file(), "{built}");
        assert_eq!(compiled(self.cache.path()), before, "it is compiled again");
    }

    /// Runs a command that watches the project until it has run the cases.
    fn watch(&self, line: &str) {
        let mut command = self.command(&format!("exec {line}"));
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a shell");
        let output = child.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let tested = lines.any(|line| line.contains("all as expected"));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(tested, "{line}");
    }
}

/// Follows a language's tutorial. `programs` is a further directory with programs that the page
/// runs, and `without` is a line to leave out.
fn five_minutes(name: &str, programs: Option<&Path>, without: Option<&str>) -> Reader {
    let page = page(name);
    let blocks = blocks(tutorial(&page).0);
    assert!(
        blocks.iter().any(|block| block.language == "text"),
        "no output is shown"
    );
    let mut reader = Reader::new(programs);
    reader.follow(&blocks, without);
    reader
}

#[test]
fn in_c() {
    five_minutes("c", None, None).builds_again();
}

#[test]
fn in_cpp() {
    five_minutes("cpp", None, None);
}

#[test]
fn in_zig() {
    let python = packages::python(portcullis_project::Language::Zig.packages());
    if let Some(python) = python.unwrap_or_else(|error| panic!("{error}")) {
        five_minutes("zig", python.parent(), None);
    }
}

#[test]
fn in_rust() {
    let mut reader = five_minutes("rust", None, None);
    // The same hook, built without `portcullis build` and with the SDK of a checkout.
    let links = [
        ("portcullis", xtask::root()),
        ("target", rust_projects(&xtask::root())),
    ];
    for (name, to) in links {
        symlink(to, reader.dir.join(name)).expect("a link");
    }
    let built = reader.dir.join("hooks/word-filter.wasm");
    fs::remove_file(&built).expect("the component");
    let page = page("rust");
    let (_, behind) = tutorial(&page);
    let begin = behind.find(WITH_CARGO).expect("the section");
    let section = behind[begin..].split("\n## ").next().expect("a section");
    reader.follow(&blocks(section), None);
    reader.run("portcullis hooks check --hooks hooks", None);
    assert!(built.is_file());
}

#[test]
fn in_javascript() {
    five_minutes("javascript", None, None);
}

#[test]
fn in_typescript() {
    five_minutes("typescript", None, None);
}

#[test]
fn in_go() {
    let options = portcullis_project::Options {
        tools: xtask::root().join("target/toolchains"),
        ..portcullis_project::Options::default()
    };
    match Compiler::find(&options, &mut |_| {}) {
        Ok(compiler) => {
            let program = compiler.command().get_program().to_owned();
            five_minutes("go", Path::new(&program).parent(), None);
        }
        Err(why) => xtask::test::not_run(&format!("go: {why}")),
    }
}

#[test]
fn in_python() {
    let python = packages::python(PYTHON_CHECKERS).unwrap_or_else(|error| panic!("{error}"));
    let without = python.is_none().then_some("python -m pytest");
    five_minutes("python", python.as_deref().and_then(Path::parent), without);
}
