//! The tutorial of each language, as `docs/start/` has them: the commands are run, and the code is put into the
//! files that the text names. What comes behind `## Run it` is no part of them.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use portcullis_project::languages::go::Compiler;
use xtask_projects::packages::{self, PYTHON_CHECKERS};
use xtask_projects::rust;

use crate::cache;

/// The last section of a tutorial that is followed.
const LAST: &str = "## Run it";
/// How output begins that comes with a failure, here that of a refused turn.
const FAILED: char = '✗';

/// A block of a page that is fenced.
struct Block {
    /// What is written behind the fence, such as `sh`.
    language: String,
    text: String,
    /// The file that the paragraph before it names.
    file: Option<String>,
}

/// The blocks of a tutorial, in order.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut before, mut last) = (String::new(), false);
    let mut lines = page.lines();
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
        } else if line.starts_with("## ") && last {
            break;
        } else if !line.is_empty() && !line.starts_with("<!--") {
            before = line.to_owned();
        }
        last |= line == LAST;
    }
    assert!(last, "there is no section `{LAST}`");
    blocks
}

/// Whether a word in the text is a file's path.
fn is_file(word: &str) -> bool {
    !word.contains(' ') && Path::new(word).extension().is_some()
}

/// Follows a page in a new directory.
struct Reader {
    dir: PathBuf,
    /// Where the programs are that the reader has.
    path: String,
    state: tempfile::TempDir,
}

impl Reader {
    fn command(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", line])
            .current_dir(&self.dir)
            .env("PATH", &self.path)
            .env("XDG_CACHE_HOME", cache())
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
        let ran = self.command(line).output().expect("a shell");
        let said = [&ran.stdout[..], &ran.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said);
        let fails = shown.is_some_and(|shown| shown.starts_with(FAILED));
        assert_eq!(ran.status.success(), !fails, "{line}\n{said}");
        for expected in shown.into_iter().flat_map(str::lines) {
            assert!(said.contains(expected), "{line}\n{said}");
        }
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

/// Follows the page of a language. `programs` is where else there are programs that the page runs, and `without` is a
/// line that is left out.
fn five_minutes(page: &str, programs: Option<&Path>, without: Option<&str>) {
    let page = xtask::root()
        .join("docs/start")
        .join(page)
        .with_extension("md");
    let text = fs::read_to_string(page).expect("the page");
    let place = tempfile::tempdir().expect("a directory");
    rust::share_target_dir(place.path()).unwrap_or_else(|error| panic!("{error}"));
    let command = Path::new(env!("CARGO_BIN_EXE_portcullis"));
    let own = std::env::var("PATH").expect("programs");
    let more = programs.or(command.parent()).into_iter();
    let dirs = more
        .chain(command.parent())
        .map(|dir| dir.display().to_string());
    let mut reader = Reader {
        dir: place.path().to_owned(),
        path: dirs.chain([own]).collect::<Vec<_>>().join(":"),
        state: tempfile::tempdir().expect("a directory"),
    };
    let blocks = blocks(&text);
    for (at, block) in blocks.iter().enumerate() {
        match (block.language.as_str(), &block.file) {
            ("sh", _) => {
                let shown = blocks.get(at + 1).filter(|next| next.language == "text");
                let lines: Vec<&str> = block.text.lines().collect();
                for (number, line) in lines.iter().enumerate() {
                    let last = number + 1 == lines.len();
                    let shown = shown.filter(|_| last).map(|block| block.text.as_str());
                    if Some(*line) != without {
                        reader.run(line, shown);
                    }
                }
            }
            ("text", _) => {}
            (_, Some(file)) => {
                let file = reader.dir.join(file);
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
    assert!(
        blocks.iter().any(|block| block.language == "text"),
        "no output is shown"
    );
}

#[test]
fn in_c() {
    five_minutes("c", None, None);
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
    five_minutes("rust", None, None);
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
