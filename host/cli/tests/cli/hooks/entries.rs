//! Entries of `views` and `answers` that a hook does not import.

use crate::support::{directory, portcullis, run, text};

#[test]
fn views_and_answers_that_a_hook_does_not_import_are_noted() {
    let grants = "[hooks.path-jail.grants]\nviews = [\"tool-data\", \"session\"]\n\
                  answers = [\"reject\", \"transform\", \"stop\"]\n";
    let dir = directory(&["path-jail"], grants);
    for command in [&["hooks", "check"][..], &["hooks", "inspect", "path-jail"]] {
        let ran = run(portcullis(command).args(["--hooks", text(dir.path())]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let words: Vec<&str> = ran.out.split_whitespace().collect();
        let words = words.join(" ");
        for said in [
            "path-jail does not use `session` in the grant `views`; remove it",
            "path-jail does not use `stop` in the grant `answers`; remove it",
        ] {
            assert!(words.contains(said), "no `{said}` in:\n{}", ran.out);
        }
        assert_eq!(words.matches("; remove it").count(), 2, "{}", ran.out);
    }
}

#[test]
fn views_and_answers_of_the_defaults_are_not_noted() {
    let defaults = "[defaults]\nviews = [\"tool-data\", \"session\"]\n\
                    answers = [\"reject\", \"transform\", \"stop\"]\n[hooks.path-jail]\n";
    let dir = directory(&["path-jail"], defaults);
    let ran = run(portcullis(&["hooks", "check"]).args(["--hooks", text(dir.path())]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.out.contains("does not use"), "{}", ran.out);
}
