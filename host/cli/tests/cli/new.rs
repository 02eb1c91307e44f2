//! `portcullis new`: what it says of the project that it made.

use crate::support::{bare, run, text};

#[test]
fn as_json_the_files_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("word-filter");
    let new = [
        "new",
        "word-filter",
        "--lang",
        "rust",
        "--points",
        "pre-turn",
    ];
    let mut command = bare(&new);
    let ran = run(command.args(["--json", "--dir", text(&project)]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let made = ran.json();
    assert_eq!(made["name"], "word-filter");
    assert_eq!(made["language"], "rust");
    assert_eq!(made["directory"], text(&project));
    let files = made["files"].as_array().unwrap();
    assert!(files.iter().any(|file| file == "src/lib.rs"), "{made}");
    for file in files {
        assert!(project.join(file.as_str().unwrap()).is_file(), "{file}");
    }
    let again = run(bare(&new).args(["--dir", text(&project)]));
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains("is not empty"), "{}", again.err);
}
