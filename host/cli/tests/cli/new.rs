//! `portcullis new`: its output about the new project.

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

#[test]
fn a_name_that_is_not_known_is_answered_with_one_that_is_or_with_all() {
    let dir = tempfile::tempdir().unwrap();
    let at = text(dir.path());
    for (arguments, said) in [
        (
            &["wit", "pre-trun"][..],
            "there is no point `pre-trun`; did you mean `pre-turn`",
        ),
        (
            &["wit", "xyz"],
            "there is no point `xyz`; `portcullis points` lists them",
        ),
        (
            &["wit", "pre-turn", "--import", "contnt"],
            "there is no import `contnt`; did you mean `content` or `config`?",
        ),
        (
            &["new", "a", "--lang", "rust", "--points", "xyz", "--dir", at],
            "there is no point `xyz`; `portcullis points` lists them",
        ),
    ] {
        let ran = run(&mut bare(arguments));
        assert_ne!(ran.code, Some(0), "{ran:?}");
        let told = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(said), "no {said} in {told}");
        assert!(!told.contains("?;") && !told.contains("?:"), "{told}");
    }
}
