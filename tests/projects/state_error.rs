//! A hook in JavaScript receives the host's error of its state, with the cause.

use std::fs;

use portcullis::{Decision, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::turn;

use super::from_nothing::{built, make, point};
use super::hooks_dir;

const SOURCE: &str = r#"import { defineHook, reject, state } from "portcullis";

export default defineHook({
  id: "my-hook",
  description: "Adds to what is no number.",
  preTurn: () => {
    state.set("calls", "many");
    try {
      state.increment("calls");
    } catch (error) {
      if (error instanceof state.StateError) return reject(error.cause.tag, error.message);
      throw error;
    }
    return reject("none", "it is added");
  },
});
"#;

#[tokio::test]
async fn a_hook_in_javascript_is_told_why_its_state_fails() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::JavaScript, vec![point("pre-turn")]);
    fs::write(dir.path().join("src/hook.js"), SOURCE).expect("the source");
    let bytes = built(&project);
    let patient = "[engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
                   [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n";
    let settings = format!("{patient}[hooks.my-hook.grants]\nstate = true\n");
    let hooks = hooks_dir()
        .with_file("my-hook.wasm", &bytes)
        .settings(&settings)
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut turn("hello")).await;
    let Decision::Rejected { rejection, .. } = verdict.decision else {
        panic!("{verdict:?}");
    };
    assert_eq!(rejection.code, "not-a-number");
    assert!(
        rejection.reason.contains("not a whole number"),
        "{rejection:?}"
    );
}
