//! The book is up to date with the code, and complete: all links have a target, every page is
//! listed, and each program accepts the commands and settings that readers copy for it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use portcullis::points::{OutcomeKind, PointId};
use portcullis::settings::Settings;
use portcullis::verdict::Cause;
use portcullis_agent_file::AgentFile;
use portcullis_book::check::Book;
use portcullis_book::{by_hand, made, markdown};
use portcullis_project::Manifest;

fn book() -> Book {
    Book::read(&xtask::root()).unwrap_or_else(|e| panic!("{e:#}"))
}

fn none(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{what}:\n  {}", wrong.join("\n  "));
}

#[test]
fn what_is_made_from_the_code_is_up_to_date() {
    let root = xtask::root();
    let pages = made(&root).unwrap_or_else(|e| panic!("{e:#}"));
    let old: Vec<String> = pages
        .iter()
        .filter(|page| !fs::read_to_string(root.join(&page.path)).is_ok_and(|is| is == page.text))
        .map(|page| page.path.display().to_string())
        .collect();
    none("out of date; run `cargo xtask docs`", &old);
}

#[test]
fn links_lead_somewhere() {
    let book = book();
    none("dead links", &book.dead_links());
    let links: usize = book.pages.values().map(|page| page.links.len()).sum();
    assert!(links > 300, "only {links} links were found");
}

#[test]
fn every_page_is_listed() {
    none(
        "pages and SUMMARY.md differ",
        &book().unlisted().expect("a summary"),
    );
}

#[test]
fn the_command_takes_what_readers_copy() {
    let book = book();
    let commands = book.commands("portcullis");
    assert!(commands.len() > 20, "only {} commands", commands.len());
    let mut wrong = Vec::new();
    for (page, words) in commands {
        if let Err(error) = portcullis_cli::command().try_get_matches_from(&words) {
            let is_shown = !error.use_stderr();
            if !is_shown {
                wrong.push(format!("{}: {}: {error}", page.display(), words.join(" ")));
            }
        }
    }
    none("commands that are not taken", &wrong);
}

#[test]
fn settings_that_readers_copy_are_read() {
    let schema = portcullis::settings::schema();
    let sections = schema["properties"].as_object().expect("sections");
    let mut wrong = Vec::new();
    let mut read = 0;
    for (path, page) in &book().pages {
        for (language, text) in &page.code {
            let header = text.lines().find_map(|line| line.strip_prefix('['));
            let section = header.and_then(|header| header.split(['.', ']']).next());
            let is_ours = section.is_some_and(|section| sections.contains_key(section));
            if language != "toml" || !is_ours {
                continue;
            }
            read += 1;
            if let Err(errors) = Settings::parse(path, text) {
                let errors = errors.iter().map(|e| format!("{e}\n{text}"));
                wrong.extend(errors);
            }
        }
    }
    none("settings that are not read", &wrong);
    assert!(read > 10, "only {read} settings were found");
}

#[test]
fn projects_that_readers_copy_are_read() {
    let pages = &book().pages;
    let page = pages
        .iter()
        .find(|(path, _)| path.ends_with("languages.md"));
    let (_, page) = page.expect("the page on languages");
    let blocks = page.code.iter().filter(|(language, _)| language == "toml");
    let texts = blocks.map(|(_, text)| match text.contains("language = ") {
        true => text.clone(),
        false => format!(
            "name = \"a\"\nlanguage = \"c\"\npoints = [\"pre-turn\"]\ncontract = \"0\"\n{text}"
        ),
    });
    let mut read = 0;
    let mut wrong = Vec::new();
    for text in texts {
        read += 1;
        if let Err(error) = toml::from_str::<Manifest>(&text) {
            wrong.push(format!("{error}\n{text}"));
        }
    }
    none("projects that are not read", &wrong);
    assert!(read > 2, "only {read} blocks were found");
}

#[test]
fn agents_that_readers_copy_are_read() {
    let pages = &book().pages;
    let page = pages
        .iter()
        .find(|(path, _)| path.ends_with("operator/agent.md"));
    let (path, page) = page.expect("the page on agent.toml");
    let blocks = page.code.iter().filter(|(language, _)| language == "toml");
    let mut read = 0;
    let mut wrong = Vec::new();
    for (_, text) in blocks {
        read += 1;
        if let Err(errors) = AgentFile::parse(path, text) {
            wrong.extend(errors.iter().map(|e| format!("{e}\n{text}")));
        }
    }
    none("agents that are not read", &wrong);
    assert!(read > 8, "only {read} blocks were found");
}

/// The languages of code blocks that could be compiled.
const COMPILED: [&str; 10] = [
    "rust",
    "c",
    "cpp",
    "go",
    "javascript",
    "js",
    "py",
    "python",
    "ts",
    "zig",
];

#[test]
fn code_in_the_book_is_compiled_elsewhere() {
    let root = xtask::root();
    let mut wrong = Vec::new();
    for path in portcullis_book::written(&root).expect("the pages") {
        let text = fs::read_to_string(root.join(&path)).expect("a page");
        let is_made = text.starts_with(portcullis_book::MADE) || path == Path::new("README.md");
        for (language, code) in markdown::parse(&by_hand(&text)).code {
            let language = language.split(',').next().unwrap_or_default();
            if COMPILED.contains(&language) && !is_made {
                wrong.push(format!("{}: {code}", path.display()));
            }
        }
    }
    none(
        "code that nothing compiles; show a file that is built with `<!-- file: PATH -->`",
        &wrong,
    );
}

#[test]
fn the_readme_shows_a_hook_that_is_built() {
    let root = xtask::root();
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let hook = fs::read_to_string(root.join("docs/hooks/word-filter/src/lib.rs")).expect("a hook");
    for (language, code) in markdown::parse(&readme).code {
        if language == "rust" {
            assert!(
                hook.contains(&code),
                "it is not in docs/hooks/word-filter:\n{code}"
            );
        }
    }
}

#[test]
fn every_cause_example_and_point_is_told_of() {
    let root = xtask::root();
    let read = |page: &str| fs::read_to_string(root.join(page)).expect(page);
    let failure = read("docs/concepts/failure.md");
    for cause in Cause::ALL {
        let row = format!("| `{cause}` |");
        assert!(
            failure.contains(&row),
            "docs/concepts/failure.md has no row {row}"
        );
    }
    let examples = read("docs/cookbook/README.md");
    for entry in fs::read_dir(root.join("example-hooks")).expect("the examples") {
        let entry = entry.expect("an entry");
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap_or_default();
        let is_project = entry.path().join("portcullis.toml").exists();
        if is_project || manifest.contains("\"cdylib\"") {
            let row = format!("| `{}` |", entry.file_name().to_string_lossy());
            assert!(
                examples.contains(&row),
                "docs/cookbook/README.md has no row {row}"
            );
        }
    }
    for page in ["docs/concepts/life.md", "host/agent/src/lib.rs"] {
        let text = read(page);
        for point in PointId::ALL {
            let told = text.contains(point.name());
            assert!(told, "{page} does not say when `{point}` fires");
        }
    }
}

#[test]
fn the_page_on_outcomes_says_what_each_refusal_and_each_stop_does() {
    let page = xtask::root().join("docs/concepts/outcomes.md");
    let page = fs::read_to_string(page).expect("the page on outcomes");
    for (header, kind) in [
        ("| refused at |", OutcomeKind::Reject),
        ("| stopped at |", OutcomeKind::Stop),
    ] {
        let table = page.lines().skip_while(|line| !line.starts_with(header));
        let rows = table.skip(2).take_while(|line| line.starts_with('|'));
        let told: BTreeSet<&str> = rows
            .filter_map(|row| row.split('|').nth(1))
            .flat_map(|points| points.split(',').map(str::trim))
            .collect();
        let points = PointId::ALL.iter();
        let points: BTreeSet<&str> = points
            .filter(|point| point.info().outcomes.contains(&kind))
            .map(|point| point.name())
            .collect();
        assert_eq!(told, points, "the table `{header}` of outcomes.md");
    }
}
