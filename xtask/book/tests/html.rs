//! The book as HTML: every page, a search, and nothing from other sites.

use std::fs;
use std::path::Path;

use portcullis_book::{DOCS, check::Book, html};

#[test]
fn the_html_has_every_page_a_search_and_needs_no_other_server() {
    let root = xtask::root();
    let dir = tempfile::tempdir().expect("a directory");
    html::build(&root, dir.path()).unwrap_or_else(|e| panic!("{e:#}"));

    let book = Book::read(&root).unwrap_or_else(|e| panic!("{e:#}"));
    let mut pages = 0;
    for page in book.pages.keys() {
        let Ok(page) = page.strip_prefix(DOCS) else {
            continue;
        };
        if page == Path::new("SUMMARY.md") {
            continue;
        }
        let name = match page.file_name().is_some_and(|name| name == "README.md") {
            true => page.with_file_name("index.html"),
            false => page.with_extension("html"),
        };
        let html = fs::read_to_string(dir.path().join(&name));
        let html = html.unwrap_or_else(|error| panic!("{}: {error}", name.display()));
        for loaded in [r#"src="http"#, r#"rel="stylesheet" href="http"#] {
            assert!(!html.contains(loaded), "{}: {loaded}", name.display());
        }
        pages += 1;
    }
    assert!(pages > 50, "only {pages} pages");

    let files = fs::read_dir(dir.path()).expect("the book");
    let names: Vec<String> = files
        .map(|file| {
            file.expect("a file")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    let index = names.iter().find(|name| name.starts_with("searchindex"));
    let index = fs::read_to_string(dir.path().join(index.expect("a search index")));
    assert!(index.expect("the index").contains("word-filter"));
}
