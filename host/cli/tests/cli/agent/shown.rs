//! The lines about tools while a turn runs.

use super::scene::Scene;
use super::suspended::{DEFERRED, WRITES};

#[test]
fn a_call_that_a_hook_answered_is_shown_and_is_no_refusal() {
    let scene = Scene::new(DEFERRED).probe("pre-tool-call = \"answer from the cache\"");
    scene.write("script.json", WRITES);
    let ran = scene.run(&["Write."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let answered = "← write_file (answered by a hook) from the cache";
    assert!(ran.err.contains(answered), "{ran:?}");
    assert!(!ran.err.contains('✗'), "{ran:?}");
    assert!(!scene.path("a").exists(), "the tool ran");
    let quiet = scene.run(&["-q", "Write."]);
    assert!(!quiet.err.contains("answered by a hook"), "{quiet:?}");
}
