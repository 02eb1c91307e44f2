//! The example program of the protocol's page.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::scene::Scene;
use crate::support::run;

#[test]
fn the_program_in_the_book_drives_a_session() {
    let scene = Scene::new(
        "[tools]\nbuilt-in = [\"write_file\"]\n[[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n\
         [stores]\nurl = \"sqlite:waiting.sqlite\"\n[client-tools.pick_colour]\ndescription = \"x\"\n",
    )
    .probe("pre-tool-call = \"ask May it?\"");
    let write =
        |path: &str| json!({ "name": "write_file", "arguments": { "path": path, "content": "x" } });
    let pick = json!({ "id": "c-1", "name": "pick_colour", "arguments": {} });
    let script = json!({ "responses": [
        { "tool_calls": [write("notes/a")] },
        { "tool_calls": [write("secret")] },
        { "expect": "only notes may be written", "tool_calls": [pick] },
        { "text": "Done." },
    ]});
    scene.write("script.json", &script.to_string());
    let built = Path::new(env!("CARGO_BIN_EXE_portcullis"))
        .parent()
        .unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let path = std::iter::once(built.to_owned()).chain(std::env::split_paths(&path));
    let mut command = Command::new("python3");
    command
        .arg(xtask::root().join("docs/reference/drive.py"))
        .args(["Write.", "--no-journal", "--cache-dir"])
        .arg(concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled"))
        .current_dir(scene.path("."))
        .env("PATH", std::env::join_paths(path).unwrap())
        .env_remove("PORTCULLIS_HOOKS");
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out, "Done.\n", "{ran:?}");
    assert!(scene.path("notes/a").exists() && !scene.path("secret").exists());
}
