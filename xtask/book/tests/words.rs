//! The book, the README, SECURITY.md, the comments in `wit/`, and the text and comments in some crates' sources
//! avoid words that are hard to understand.

use std::fs;
use std::path::PathBuf;

/// Words to avoid, and their replacements. They are found in any case, as whole words.
const WORDS: &[(&str, &str)] = &[
    ("goes on", "continues"),
    ("go on", "continue"),
    ("going on", "continuing"),
    ("nobody waits for", "detached"),
    ("in hand", "current"),
    ("look on", "observe"),
    ("looks on", "observes"),
    ("looking on", "observing"),
    ("cure", "fix"),
    ("mend", "fix"),
    ("told of", "notified of, reported"),
    ("taken up", "applied"),
    ("takes up", "applies"),
    ("of now", "current"),
    ("of then", "of that time"),
    ("held against", "checked against"),
    ("by chance", "at random"),
    ("inputs of chance", "fuzzing"),
    ("tests of chance", "fuzzing"),
    ("in the clothes of", "embedded in"),
    ("carry out what", "exfiltrate what"),
    ("carry what it reads", "exfiltrate what it reads"),
    ("come to rest", "settled"),
    ("hook's card", "descriptor"),
    ("the card", "the descriptor"),
    ("specimen", "sample"),
    ("deed", "action"),
    ("switched off", "disabled"),
    ("switches off", "disables"),
    ("dear", "expensive"),
    ("dearer", "more expensive"),
    ("for ever", "forever"),
    ("in good order", "without an error"),
    ("a number that is none", "not finite"),
    ("goes without saying", "is the default"),
    ("has no say in", "is not considered in"),
    ("means harm", "is hostile"),
    ("seed 000", "AgentHook"),
    ("seed 001", "HookRuntime"),
    ("seed 002", "Cognesy"),
    ("seed 003", "phi-core"),
    ("seed 004", "Helix"),
    ("cured", "fixed"),
    ("mended", "fixed"),
    ("went on", "continued"),
    ("at hand", "current"),
    ("made up", "generated"),
    ("made-up", "generated"),
    ("taken away", "removed"),
    ("is told of", "is notified of"),
    ("bears up", "conforms"),
    ("is there already", "exists"),
    ("what came of", "the result of"),
    ("sees to it", "ensures"),
    ("says of itself", "describes, declares"),
    ("means well", "is not hostile"),
    ("as if nothing had been", "normally"),
    ("all the same", "nevertheless, still"),
    ("nothing where", "`None` if"),
    ("gave way to", "was replaced by"),
    ("other ones", "others"),
    ("time and again", "repeatedly"),
    ("does not mind", "still works"),
    ("must bear", "must tolerate"),
    ("its makers", "its project"),
];

#[test]
fn words_that_are_hard_to_understand_do_not_return() {
    let root = xtask::root();
    let mut found = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(root.join(&path)).expect("a file");
        let prose = prose(&path, &text);
        for (word, instead) in WORDS {
            for line in occurrences(&prose, word) {
                found.push(format!(
                    "{}:{line}: `{word}`; write: {instead}",
                    path.display()
                ));
            }
        }
    }
    assert!(found.is_empty(), "hard words:\n  {}", found.join("\n  "));
}

/// Words that begin a clause. A comment begins with a noun or a verb, so that its first words name its subject.
const CLAUSES: [&str; 5] = ["What ", "Who ", "Whoever ", "Whatever ", "That "];

#[test]
fn comments_begin_with_their_subject() {
    let root = xtask::root();
    let mut paths = Vec::new();
    for directory in ["host", "tests", "xtask"] {
        below(&root, PathBuf::from(directory), &mut paths);
    }
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(root.join(&path)).expect("a file");
        for (index, line) in text.lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            // A generator writes comments into other files.
            let is_literal = line.ends_with('\\');
            let prose = without_marker(line);
            if is_comment && !is_literal && CLAUSES.iter().any(|clause| prose.starts_with(clause)) {
                found.push(format!("{}:{}: {prose}", path.display(), index + 1));
            }
        }
    }
    assert!(
        found.is_empty(),
        "comments that do not begin with their subject:\n  {}",
        found.join("\n  ")
    );
}

/// Directories whose sources are searched.
const CRATES: [&str; 7] = [
    "guest-sdk",
    "guards",
    "example-hooks",
    "host",
    "tests",
    "wit",
    "xtask",
];
/// The extensions of files with comments and text.
const LANGUAGES: [&str; 10] = ["rs", "wat", "c", "h", "cpp", "hpp", "zig", "go", "py", "ts"];

/// Returns the pages, the contract's own files and the sources of the crates.
fn sources() -> Vec<PathBuf> {
    let root = xtask::root();
    let mut paths = portcullis_book::written(&root).expect("the pages");
    for directory in CRATES {
        below(&root, PathBuf::from(directory), &mut paths);
    }
    for entry in fs::read_dir(root.join("wit")).expect("the contract") {
        let name = entry.expect("an entry").file_name();
        let path = PathBuf::from("wit").join(name);
        if path.extension().is_some_and(|ending| ending == "wit") {
            paths.push(path);
        }
    }
    paths
}

/// Adds the sources below a directory, except this file, which quotes the words.
fn below(root: &std::path::Path, directory: PathBuf, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root.join(&directory)).expect("a directory") {
        let entry = entry.expect("an entry");
        let path = directory.join(entry.file_name());
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_source = ending.is_some_and(|ending| LANGUAGES.contains(&ending));
        let is_made = ["target", "node_modules", "dist"]
            .map(|made| path.ends_with(made))
            .contains(&true);
        if entry.path().is_dir() && !is_made {
            below(root, path, paths);
        } else if is_source && !path.ends_with(file!()) {
            paths.push(path);
        }
    }
}

/// A line, joined with the next one, since words that begin on a line may end on the next.
struct Line {
    both: String,
    /// The length of the line itself, in bytes.
    own: usize,
}

/// Returns the text in lower case, line by line, without code and names in backticks.
fn prose(path: &std::path::Path, text: &str) -> Vec<Line> {
    let is_page = path.extension().is_some_and(|ending| ending == "md");
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if is_page && line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let kept: String = match is_code {
            true => String::new(),
            false => line.split('`').step_by(2).collect::<Vec<_>>().join("`"),
        };
        lines.push(kept.to_lowercase());
    }
    let lines = lines.iter().enumerate().map(|(index, line)| {
        let next = lines.get(index + 1).map_or("", |next| without_marker(next));
        Line {
            both: format!("{} {next}", line.trim_end()),
            own: line.len(),
        }
    });
    lines.collect()
}

/// Returns the lines, counted from 1, on which the words begin as whole words. They may end on the next line.
fn occurrences(lines: &[Line], word: &str) -> Vec<usize> {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '-');
    let has = |(_, Line { both, own }): &(usize, &Line)| {
        both.match_indices(word).any(|(at, _)| {
            let before = both[..at].chars().next_back();
            let after = both[at + word.len()..].chars().next();
            at < *own && !is_letter(before) && !is_letter(after)
        })
    };
    let lines = lines.iter().enumerate();
    lines.filter(has).map(|(index, _)| index + 1).collect()
}

/// Returns a line without its comment marker.
fn without_marker(line: &str) -> &str {
    line.trim_start()
        .trim_start_matches(['/', '!', '#', '*', ';'])
        .trim_start()
}

#[test]
fn only_whole_words_in_prose_are_found() {
    let page = PathBuf::from("a.md");
    let text = "The cure.\nsecure, `cure`\n```\ncure\n```\nA\nCURE\n";
    assert_eq!(occurrences(&prose(&page, text), "cure"), [1, 7]);
}

#[test]
fn words_that_a_line_break_divides_are_found() {
    let source = PathBuf::from("a.rs");
    let text = "    /// A number that\n    /// is none.\n//! It goes\n//! on.\n";
    let lines = prose(&source, text);
    assert_eq!(occurrences(&lines, "a number that is none"), [1]);
    assert_eq!(occurrences(&lines, "goes on"), [3]);
}
