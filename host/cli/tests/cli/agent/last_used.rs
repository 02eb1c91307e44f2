//! Sessions whose turn is suspended: continuing the last one, and lists of sessions.

use serde_json::json;

use super::suspended::{RESUMED, WRITES, asks, suspend, suspended};
use crate::support::run;

#[test]
fn the_last_session_is_continued_even_if_its_turn_is_suspended() {
    let scene = asks();
    let none = "there is no session of this agent and user in this directory to continue";
    assert!(scene.run(&["--continue", "Hi"]).err.contains(none));
    let id = suspend(&scene, "Write.");
    let ran = scene.run(&["--continue", "And now?"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for said in [
        "is suspended",
        &format!("portcullis resume {id}"),
        &format!("portcullis approvals discard {id}"),
    ] {
        assert!(ran.err.contains(said), "no `{said}`: {ran:?}");
    }
    // Another session has had a turn before the turn of this one was suspended.
    scene.write("script.json", RESUMED);
    let other = scene.run(&["--session", "other", "Hi"]);
    assert_eq!(other.code, Some(0), "{other:?}");
    let continued = scene.run(&["--continue", "Hi"]);
    assert_eq!(continued.out, "Resumed.\n", "{continued:?}");
    let named = "continuing session other";
    assert!(continued.err.contains(named), "{continued:?}");
    let quiet = scene.run(&["--continue", "-q", "Hi"]);
    assert!(!quiet.err.contains(named), "{quiet:?}");
    scene.write("script.json", WRITES);
    assert_eq!(scene.run(&["--session", "last", "Write."]).code, Some(3));
    let refused = scene.run(&["--continue", "And now?"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.err.contains("session `last` is suspended"),
        "{refused:?}"
    );
}

#[test]
fn a_session_whose_first_turn_is_suspended_is_listed_and_says_so() {
    let (scene, id) = suspended();
    let sessions =
        |arguments: &[&str]| run(&mut scene.uncached(&[&["sessions"], arguments].concat()));
    let listed = sessions(&["list", "--json"]).json();
    assert_eq!(listed[0]["suspended"]["checkpoint"], json!(id), "{listed}");
    assert_eq!(listed[0]["suspended"]["claimed"], false, "{listed}");
    let session = listed[0]["id"].as_str().unwrap();
    let table = sessions(&["list"]).out;
    assert!(table.contains("a turn was suspended"), "{table}");
    assert!(table.contains(&id), "{table}");

    let cancelled = sessions(&["cancel", session]);
    assert_eq!(cancelled.code, Some(1), "{cancelled:?}");
    let discard = format!("portcullis approvals discard {id}");
    assert!(cancelled.err.contains(&discard), "{cancelled:?}");

    let asked = sessions(&["delete", session]);
    assert!(
        asked.out.contains(": 0 turns and a suspended one,"),
        "{asked:?}"
    );
    let deleted = sessions(&["delete", session, "--yes"]);
    assert!(deleted.out.contains("1 suspended turn"), "{deleted:?}");
}
