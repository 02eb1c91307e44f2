//! Hooks in JavaScript swap a shared value, so that only one of several sessions gets a unique
//! resource.

use std::fs;

use portcullis::{Decision, Session, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::turn;

use super::from_nothing::{built, make, point};
use super::hooks_dir;

/// Takes the lock of a namespace for the user that the text names, or releases it.
const SOURCE: &str = r#"import { content, defineHook, reject, sharedState } from "portcullis";

export default defineHook({
  id: "my-hook",
  description: "Locks what several sessions use.",
  preTurn: () => {
    const [does, namespace, user] = content.text().split(" ");
    const [from, to] = does === "lock" ? [undefined, { user }] : [{ user }, undefined];
    try {
      const swapped = sharedState.swap(namespace, "lock", from, to);
      return reject(String(swapped), JSON.stringify(sharedState.get(namespace, "lock") ?? null));
    } catch (error) {
      if (!(error instanceof sharedState.StateError)) throw error;
      return reject(error.cause.tag, error.message);
    }
  },
});
"#;

async fn told(session: &Session, text: &str) -> (String, String) {
    let verdict = session.run(&mut turn(text)).await;
    match verdict.decision {
        Decision::Rejected { rejection, .. } => (rejection.code, rejection.reason),
        other => panic!("{other:?} {:?}", verdict.runs),
    }
}

#[tokio::test]
async fn one_of_two_sessions_takes_the_lock_in_javascript() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::JavaScript, vec![point("pre-turn")]);
    fs::write(dir.path().join("src/hook.js"), SOURCE).expect("the source");
    let bytes = built(&project);
    let settings = "[engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
                    [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n\
                    [hooks.my-hook.grants]\nviews = [\"content\"]\nshared-state = [\"door\"]\n";
    let hooks = hooks_dir()
        .with_file("my-hook.wasm", &bytes)
        .settings(settings)
        .load();
    let [one, two] = ["one", "two"].map(|id| hooks.session(SessionOptions::new(id)));

    for (session, text, swapped, lock) in [
        (&one, "lock door ada", "true", r#"{"user":"ada"}"#),
        (&two, "lock door ben", "false", r#"{"user":"ada"}"#),
        (&two, "unlock door ben", "false", r#"{"user":"ada"}"#),
        (&one, "unlock door ada", "true", "null"),
        (&two, "lock door ben", "true", r#"{"user":"ben"}"#),
    ] {
        let expected = (swapped.to_owned(), lock.to_owned());
        assert_eq!(told(session, text).await, expected, "{text}");
    }
    let (code, reason) = told(&one, "lock vault ada").await;
    assert_eq!(code, "denied", "{reason}");
}
