//! What the pages of the integrations say to enter.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::run;

/// The blocks of shell commands of a page.
fn blocks(page: &str) -> Vec<String> {
    let page = xtask::root().join("docs/integrations").join(page);
    let text = fs::read_to_string(page).expect("the page");
    let blocks = text.split("```sh\n").skip(1);
    blocks
        .filter_map(|block| Some(block.split_once("\n```")?.0.to_owned()))
        .collect()
}

#[test]
fn the_start_of_each_page_does_what_it_says() {
    for page in ["claude-code.md", "codex.md", "gemini.md"] {
        let dir = tempfile::tempdir().expect("a directory");
        let program = Path::new(env!("CARGO_BIN_EXE_portcullis"));
        let program = program.parent().expect("its directory").display();
        let [start, hook] = &blocks(page)[..] else {
            panic!("{page} has other blocks");
        };
        let shell = |block: &str| {
            run(Command::new("sh")
                .args(["-e", "-c", block])
                .current_dir(dir.path())
                .env_clear()
                .env("HOME", dir.path())
                .env("PATH", format!("{program}:/usr/bin:/bin")))
        };
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
