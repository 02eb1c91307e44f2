//! The commands on the integration pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Ran, run};

/// Returns the blocks of shell commands of a page.
fn blocks(page: &str) -> Vec<String> {
    let page = xtask::root().join("docs/integrations").join(page);
    let text = fs::read_to_string(page).expect("the page");
    let blocks = text.split("```sh\n").skip(1);
    blocks
        .filter_map(|block| Some(block.split_once("\n```")?.0.to_owned()))
        .collect()
}

/// Runs commands in a directory, which is the home too.
fn shell(dir: &Path, block: &str) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_portcullis"));
    let program = program.parent().expect("its directory").display();
    run(Command::new("sh")
        .args(["-e", "-c", block])
        .current_dir(dir)
        .env_clear()
        .env("HOME", dir)
        .env("PATH", format!("{program}:/usr/bin:/bin")))
}

#[test]
fn the_start_of_each_page_does_what_it_says() {
    for page in ["claude-code.md", "codex.md", "gemini.md"] {
        let dir = tempfile::tempdir().expect("a directory");
        let [start, hook] = &blocks(page)[..] else {
            panic!("{page} has other blocks");
        };
        let shell = |block: &str| shell(dir.path(), block);
        let ran = shell(start);
        assert_eq!(ran.code, Some(0), "{page}: {ran:?}");
        let ran = shell(hook);
        assert!(
            ran.out.contains("rm -rf is not allowed here"),
            "{page}: {ran:?}"
        );
        let ran = shell(&hook.replace("rm -rf old", "ls"));
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(0), ""),
            "{page}: {ran:?}"
        );
    }
}

#[test]
fn the_import_of_the_page_loads() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::create_dir(dir.path().join(".claude")).expect("a directory");
    let settings = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    fs::write(dir.path().join(".claude/settings.json"), settings).expect("the settings");
    let [start] = &blocks("import.md")[..] else {
        panic!("the page has other blocks");
    };
    let ran = shell(dir.path(), start);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let hooks = fs::read_to_string(dir.path().join("hooks/hooks.toml")).expect("the settings");
    assert!(hooks.contains("[scripts.claude-stop-1]"), "{hooks}");
}

#[test]
fn the_daemon_of_the_page_answers() {
    let dir = tempfile::tempdir().expect("a directory");
    let [start, call, event, end] = &blocks("serve.md")[..] else {
        panic!("the page has other blocks");
    };
    let ran = shell(dir.path(), start);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = shell(dir.path(), call);
    assert_eq!(ran.json()["decision"]["kind"], "reject", "{ran:?}");
    assert!(ran.out.contains("rm -rf is not allowed here"), "{ran:?}");
    let ran = shell(dir.path(), event);
    assert!(ran.err.contains("pre-tool-call, in the daemon"), "{ran:?}");
    assert!(ran.out.contains("rm -rf is not allowed here"), "{ran:?}");
    let ran = shell(dir.path(), end);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let token = fs::read_to_string(dir.path().join("serve.txt")).expect("what it said");
    let token = token.lines().find_map(|line| line.strip_prefix("token: "));
    // It is removed when the daemon ends.
    while Path::new(token.expect("the token's file")).exists() {
        std::thread::yield_now();
    }
}
