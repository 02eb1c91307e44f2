//! An error that a hook in Zig returns contains the lines that returned it.

use std::fs;

use portcullis::SessionOptions;
use portcullis::verdict::RunStatus;
use portcullis_project::Language;
use portcullis_tests::turn;

use super::from_nothing::{built, make, point};
use super::hooks_dir;

const HOOK: &str = r#"const pc = @import("portcullis");
const words = @import("words.zig");

pub const hook: pc.Hook = .{ .id = "my-hook", .description = "Counts words." };

pub fn onPreTurn() !pc.Answer {
    const handled = words.count("") catch 1;
    const count = try words.count(pc.content());
    return if (count > handled) error.TooMany else pc.proceed;
}
"#;

const WORDS: &str = r#"const std = @import("std");

pub fn count(text: []const u8) !usize {
    if (text.len == 0) return error.NoText;
    return number(text);
}

fn number(text: []const u8) !usize {
    return try std.fmt.parseInt(usize, text, 10);
}
"#;

#[tokio::test]
async fn the_first_of_them_is_first() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::Zig, vec![point("pre-turn")]);
    fs::write(dir.path().join("src/hook.zig"), HOOK).expect("the source");
    fs::write(dir.path().join("src/words.zig"), WORDS).expect("the source");
    let bytes = built(&project);
    let hooks = hooks_dir().with_file("my-hook.wasm", &bytes).load();
    let session = hooks.session(SessionOptions::new("test"));
    for (said, message) in [
        ("1", None),
        (
            "",
            Some("error.NoText (at src/words.zig:4, at src/hook.zig:8)"),
        ),
        (
            "many",
            Some(
                "error.InvalidCharacter (at src/words.zig:9, at src/words.zig:5, at src/hook.zig:8)",
            ),
        ),
        ("2", Some("error.TooMany (at src/hook.zig:9)")),
    ] {
        let verdict = session.run(&mut turn(said)).await;
        let failed = match &verdict.runs[0].status {
            RunStatus::Failed { message, .. } => message.strip_prefix("it reports a failure: "),
            _ => None,
        };
        assert_eq!(failed, message, "{said}: {verdict:?}");
    }
}

const OWN: &str = r#"const pc = @import("portcullis");

pub const hook: pc.Hook = .{ .id = "my-hook", .description = "Has errors that the SDK has too." };

pub fn onPreTurn() !pc.Answer {
    return if (pc.content().len > 0) error.HttpFailed else error.BadConfig;
}
"#;

#[tokio::test]
async fn an_error_of_the_hooks_own_is_told_although_the_sdk_has_one_of_its_name() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::Zig, vec![point("pre-turn")]);
    fs::write(dir.path().join("src/hook.zig"), OWN).expect("the source");
    let bytes = built(&project);
    let hooks = hooks_dir().with_file("my-hook.wasm", &bytes).load();
    let session = hooks.session(SessionOptions::new("test"));
    for (said, error) in [("request", "error.HttpFailed"), ("", "error.BadConfig")] {
        let verdict = session.run(&mut turn(said)).await;
        let RunStatus::Failed { message, .. } = &verdict.runs[0].status else {
            panic!("{verdict:?}");
        };
        assert!(message.contains(error), "{message}");
    }
}
