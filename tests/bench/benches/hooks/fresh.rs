//! A call for which an instance is made.

use portcullis::{Hooks, SessionOptions};
use portcullis_tests::{HooksDir, hook, tool_call};

use crate::calls::{TURN, run};
use crate::rounds::take_turns;

/// Measures a call in a new session, whose instance stays, a call whose instance ends with it, and
/// a call by a warm instance. Returns the medians of rounds in which they take turns.
pub fn one_call() -> Vec<(&'static str, f64)> {
    let hooks = |isolation: &str| {
        let key = format!("isolation = \"{isolation}\"");
        let settings = format!("{TURN}{}", hook("tiny", &key, ""));
        HooksDir::new().with("tiny").settings(&settings).load()
    };
    let open = |hooks: &Hooks| hooks.session(SessionOptions::new("bench"));
    let kept = hooks("session");
    let ended = hooks("call");
    let of = || tool_call("{\"path\":\"a\"}");

    let mut call = of();
    let mut in_a_new_session = || run(&open(&kept), &mut call);
    let session = open(&ended);
    let mut call = of();
    let mut for_one_call = || run(&session, &mut call);
    let warm = open(&kept);
    let mut call = of();
    let mut by_a_warm_one = || run(&warm, &mut call);
    take_turns(&mut [
        ("new session", &mut in_a_new_session),
        ("for one call", &mut for_one_call),
        ("warm", &mut by_a_warm_one),
    ])
}
