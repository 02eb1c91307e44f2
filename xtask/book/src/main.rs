//! Writes the generated pages of the book, or the book as HTML.

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let root = xtask::root();
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["pages"] => pages(&root),
        ["html", into] => portcullis_book::html::build(&root, Path::new(into)),
        _ => bail!("usage: portcullis-book pages | html DIR"),
    }
}

fn pages(root: &Path) -> anyhow::Result<()> {
    let pages = portcullis_book::made(root)?;
    let mut changed = 0;
    for page in &pages {
        let path = root.join(&page.path);
        if fs::read_to_string(&path).is_ok_and(|old| old == page.text) {
            continue;
        }
        if let Some(dir) = path.parent() {
            fs::create_dir_all(dir)?;
        }
        fs::write(&path, &page.text)?;
        println!("docs: {}", page.path.display());
        changed += 1;
    }
    println!("docs: {} pages, {changed} changed", pages.len());
    Ok(())
}
