//! Answers that cannot be written.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::daemon::{Daemon, by};
use super::{Place, tool_call};
use crate::support::text;

/// Streams that cannot be written: a pipe without a reader, and a file on a full disk.
fn unwritable() -> Vec<(&'static str, Stdio)> {
    let (_, pipe) = std::io::pipe().expect("a pipe");
    let mut streams = vec![("a closed pipe", Stdio::from(pipe))];
    let full = Path::new("/dev/full");
    if full.exists() {
        let full = File::options().write(true).open(full).expect("the device");
        streams.push(("a full disk", full.into()));
    }
    streams
}

fn code(command: &mut Command, input: &str) -> Option<i32> {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("its input");
    stdin.write_all(input.as_bytes()).expect("it takes input");
    drop(stdin);
    child.wait().expect("it ends").code()
}

#[test]
fn a_refusal_that_cannot_be_written_blocks() {
    let place = Place::new("pre-tool-call = 'reject no'");
    let arguments = [
        "hook",
        "--dialect",
        "claude",
        "--hooks",
        text(place.hooks.path()),
    ];
    let call = tool_call("ls").to_string();
    let check = || {
        for program in [
            env!("CARGO_BIN_EXE_portcullis"),
            env!("CARGO_BIN_EXE_portcullis-client"),
        ] {
            let command = || by(program, &place.command(&arguments));
            // The reason is on the standard error.
            for (what, stream) in unwritable() {
                let ended = code(command().stdout(Stdio::null()).stderr(stream), "{");
                assert_eq!(ended, Some(2), "{program}, {what}");
            }
            // The refusal is on the standard output.
            for (what, stream) in unwritable() {
                let ended = code(command().stdout(stream).stderr(Stdio::null()), &call);
                assert_eq!(ended, Some(2), "{program}, {what}");
            }
        }
    };
    check();
    let _daemon = Daemon::start(&place, &[]);
    check();
}
