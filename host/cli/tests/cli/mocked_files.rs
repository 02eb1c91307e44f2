//! Files as cases give them: no directory of the machine is read or written.

use std::fs;

use crate::support::{Ran, built, portcullis, run, text};

/// Runs the case for the hook that uses files, in a project with a file of its own.
fn filer(case: &str, more: &[&str]) -> (Ran, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    for name in ["tests", "in", "out"] {
        fs::create_dir(dir.path().join(name)).unwrap();
    }
    fs::write(dir.path().join("in/real.txt"), "real").unwrap();
    let settings =
        "[hooks.filer.grants]\nviews = [\"content\"]\nread = [\"in\"]\nwrite = [\"out\"]\n";
    fs::write(dir.path().join("hooks.toml"), settings).unwrap();
    fs::write(dir.path().join("tests/case.toml"), case).unwrap();
    let component = built().with_file_name("test-hooks").join("filer.wasm");
    let mut command = portcullis(&["test", "--component", text(&component)]);
    let cases = dir.path().join("tests");
    command.args(["--cases", text(&cases), "--settings", text(dir.path())]);
    (run(command.args(more)), dir)
}

fn case(action: &str, more: &str) -> String {
    format!("point = \"pre-turn\"\nviews.content = \"{action}\"\n{more}\n")
}

#[test]
fn a_case_has_its_own_files() {
    for (action, files, expect) in [
        (
            "read in/a.txt",
            "[files]\n\"in/a.txt\" = \"mocked\"",
            "outcome = \"transform\"\nvalue = [{ text = \"mocked\" }]\nfiles = {}",
        ),
        (
            "read in/a.json",
            "[files]\n\"in/a.json\" = { limit = 5 }",
            "outcome = \"transform\"\nvalue = [{ text = '{\"limit\":5}' }]",
        ),
        (
            "list in",
            "[files]\n\"in/b/c\" = \"\"",
            "outcome = \"transform\"\nvalue = [{ text = \"b/\" }]",
        ),
        (
            "read in/real.txt",
            "",
            "outcome = \"failed\"\ncause = \"guest-error\"",
        ),
        (
            "write out/x.txt new",
            "[files]\n\"out/kept.txt\" = [255, 0]",
            "outcome = \"transform\"\nfiles = { \"out/x.txt\" = \"new\", \"out/kept.txt\" = [255, 0] }",
        ),
        (
            "read rules/a",
            "[grants]\nviews = [\"content\"]\n[files]\n\"rules/a\" = \"granted\"",
            "outcome = \"transform\"\nvalue = [{ text = \"granted\" }]",
        ),
    ] {
        let text = case(action, &format!("{files}\n[expect]\n{expect}"));
        let (ran, dir) = filer(&text, &[]);
        assert_eq!(ran.code, Some(0), "{action}: {ran:?}");
        let written = fs::read_dir(dir.path().join("out")).unwrap().count();
        assert_eq!(written, 0, "{action}");
    }
}

#[test]
fn a_file_that_differs_and_one_out_of_reach_are_named() {
    let differs = case(
        "write out/x.txt new",
        "[expect]\noutcome = \"transform\"\nfiles = { \"out/x.txt\" = \"old\" }",
    );
    let outside = case(
        "read a",
        "[files]\n\"elsewhere/a\" = \"\"\n[expect]\noutcome = \"continue\"",
    );
    for (text, said) in [
        (differs, "files.out/x.txt"),
        (
            outside,
            "`elsewhere/a`, which is in no directory that the hook is granted",
        ),
    ] {
        let (ran, _dir) = filer(&text, &[]);
        assert_eq!(ran.code, Some(1), "{said}: {ran:?}");
        assert!(ran.out.contains(said), "{said}: {ran:?}");
    }
}
