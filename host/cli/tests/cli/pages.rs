//! Completions and the manual.

use crate::support::{bare, run, text};

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&mut bare(&["completions", shell]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for said in ["portcullis", "inspect", "completions"] {
            assert!(ran.out.contains(said), "{shell}: no `{said}`");
        }
    }
    let ran = run(&mut bare(&["completions", "tcsh"]));
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("bash"), "{}", ran.err);
}

#[test]
fn every_command_has_a_page_with_its_example() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("man1");
    let ran = run(&mut bare(&["man", "--out", text(&out)]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for page in ["portcullis", "portcullis-test", "portcullis-hooks-check"] {
        let page = out.join(format!("{page}.1"));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{page:?}: {e}"));
        assert!(text.contains(".TH") && text.contains("Example"), "{text}");
    }
    let ran = run(&mut bare(&["man"]));
    assert!(ran.out.contains(".TH"), "{ran:?}");
}
