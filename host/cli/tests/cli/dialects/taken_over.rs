//! The commands that `portcullis-client` hands to `portcullis`.

use std::process::Command;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::daemon::by;
use super::{Place, tool_call};
use crate::support::{Ran, run_with_input, text};

fn uptime() -> u64 {
    let now = Duration::try_from(clock_gettime(ClockId::Monotonic)).expect("a time");
    u64::try_from(now.as_nanos()).expect("a time")
}

/// Runs the client beside a program that prints its arguments.
fn handed_over(place: &Place, arguments: &[&str]) -> Ran {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let client = dir.path().join("portcullis-client");
    std::fs::hard_link(env!("CARGO_BIN_EXE_portcullis-client"), &client).expect("the client");
    std::os::unix::fs::symlink("/bin/echo", dir.path().join("portcullis")).expect("a link");
    let mut command: Command = by(text(&client), &place.command(arguments));
    run_with_input(&mut command, &tool_call("ls").to_string())
}

#[test]
fn the_deadline_does_not_begin_anew_in_the_command() {
    let place = Place::new("");
    let hooks = text(place.hooks.path());
    let arguments = ["hook", "--dialect", "claude", "--hooks", hooks];
    let deadline = Duration::from_secs(50).as_nanos();
    let before = u128::from(uptime());
    let ran = handed_over(&place, &arguments);
    let after = u128::from(uptime());
    let mut words = ran.out.split_whitespace();
    assert_eq!(
        (words.next(), words.next()),
        (Some("hook"), Some("--until"))
    );
    let until: u128 = words.next().and_then(|it| it.parse().ok()).expect("a time");
    let possible = before + deadline..=after + deadline;
    assert!(possible.contains(&until), "{until} is not in {possible:?}");
    assert_eq!(words.next(), Some("--dialect"), "{ran:?}");

    // The deadline that was passed on is over, although the own deadline is longer.
    let mut late = place.command(&[&arguments[..], &["--until", "1"]].concat());
    let ran = run_with_input(&mut late, &tool_call("ls").to_string());
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(
        ran.err.contains("nothing was decided within 50 s"),
        "{ran:?}"
    );
}
