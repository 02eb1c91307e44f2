//! Secrets: read by name, granted one by one, and never reported.

use std::sync::{Arc, Mutex, PoisonError};

use portcullis::observer::{HookEvent, HookObserver, LogLine};
use portcullis::secrets::{SecretError, SecretSource};
use portcullis::verdict::RunStatus;
use portcullis::{Decision, Hooks, SessionOptions};
use portcullis_tests::{HooksDir, hook, text, turn};

const KEY: &str = "s3cr3t\"key";

const GRANTS: &str = "[hooks.keyholder.grants]\nevents = true\nsecrets = [\"KEY\"]\n\
                      [secrets]\nKEY = { file = \"key\" }\nOTHER = { file = \"key\" }\n";

fn dir(settings: &str) -> HooksDir {
    HooksDir::new()
        .with("keyholder")
        .with_file("key", format!("{KEY}\n").as_bytes())
        .settings(settings)
}

/// Records all that it receives.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Told {
    fn add(&self, text: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(text);
    }

    fn all(&self) -> String {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .join("\n")
    }
}

impl HookObserver for Told {
    fn log(&self, line: LogLine<'_>) {
        self.add(format!("{} {}", line.context, line.message));
    }

    fn event(&self, event: HookEvent) {
        self.add(format!("{} {}", event.name, event.data));
    }
}

/// Returns the hook's answer, and the result of the turn.
async fn ask(hooks: &Hooks, what: &str) -> (String, String) {
    let told = Arc::new(Told::default());
    let session = hooks.session(SessionOptions {
        sink: told.clone(),
        ..SessionOptions::new("session-1")
    });
    let mut call = turn(what);
    let verdict = session.run(&mut call).await;
    for run in &verdict.runs {
        told.add(format!("{:?}", run.status));
        if let RunStatus::Failed { message, .. } = &run.status {
            told.add(message.to_string());
        }
    }
    let decision = match &verdict.decision {
        Decision::Passed => text(&call),
        Decision::Rejected { rejection, .. } => rejection.reason.clone(),
        other => format!("{other:?}"),
    };
    told.add(decision.clone());
    (told.all(), decision)
}

#[tokio::test]
async fn a_secret_is_never_said() {
    let hooks = dir(GRANTS).load();
    for what in ["log", "event", "fail", "reject"] {
        let (told, _) = ask(&hooks, what).await;
        assert!(told.contains("[secret KEY]"), "{what}: {told}");
        assert!(!told.contains("s3cr"), "{what}: {told}");
    }
}

#[tokio::test]
async fn a_secret_can_be_used() {
    let (_, used) = ask(&dir(GRANTS).load(), "use").await;
    assert_eq!(used, KEY);
}

#[tokio::test]
async fn kept_values_are_without_the_secrets_of_all_hooks() {
    let behind = hook("probe", "priority = 2000", "pre-turn = \"append -one\"");
    let hooks = dir(&format!("{GRANTS}{behind}")).with("probe").load();
    let session = hooks.session(SessionOptions {
        keep_values: true,
        ..SessionOptions::new("session-1")
    });
    let mut call = turn("use");
    let verdict = session.run(&mut call).await;
    assert_eq!(text(&call), format!("{KEY}-one"));
    let changes = verdict.runs.iter().filter_map(|run| run.change.as_deref());
    let kept: Vec<_> = changes.filter_map(|change| change.values.clone()).collect();
    let value = |text: &str| format!(r#"[{{"text":"{text}"}}]"#);
    assert_eq!(
        kept,
        [
            (value("use"), value("[secret KEY]")),
            (value("[secret KEY]"), value("[secret KEY]-one")),
        ]
    );
}

#[tokio::test]
async fn a_secret_that_is_not_granted_is_not_there() {
    let (_, other) = ask(&dir(GRANTS).load(), "other").await;
    assert_eq!(other, "false");
}

#[test]
fn what_is_missing_is_found_when_hooks_are_loaded() {
    let grants = "[hooks.keyholder.grants]\nevents = true\nsecrets = [\"KEY\"]\n";
    for (settings, said) in [
        (
            "[hooks.keyholder.grants]\nevents = true\n".to_owned(),
            "[hooks.keyholder.grants] secrets = [\"<NAME>\"]",
        ),
        (grants.to_owned(), "add it: [secrets] KEY ="),
        (
            format!("{grants}[secrets]\nKEY = {{ file = \"gone\" }}\n"),
            "put it there",
        ),
        (
            format!("{grants}[secrets]\nKEY = {{ env = \"PORTCULLIS_NO_SUCH\" }}\n"),
            "the environment variable PORTCULLIS_NO_SUCH",
        ),
        (
            format!("{grants}[secrets]\nKEY = {{ fil = \"key\" }}\n"),
            "did you mean `file`?",
        ),
    ] {
        let error = dir(&settings).try_load().expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[tokio::test]
async fn an_embedder_has_secrets_of_its_own() {
    struct Vault;

    impl SecretSource for Vault {
        fn read(&self, name: &str) -> Result<String, SecretError> {
            Ok(format!("the {name} of the vault"))
        }
    }

    let dir = dir("[hooks.keyholder.grants]\nevents = true\nsecrets = [\"KEY\"]\n");
    let options = portcullis::LoadOptions {
        cache: portcullis_tests::cache(),
        secrets: Some(std::sync::Arc::new(Vault)),
        ..portcullis::LoadOptions::default()
    };
    let hooks = Hooks::load(dir.path(), &options).expect("a hook");
    assert_eq!(ask(&hooks, "use").await.1, "the KEY of the vault");
}

#[test]
fn a_report_names_secrets_and_does_not_say_them() {
    let hooks = dir(GRANTS).load();
    let report = &hooks.reports()[0];
    assert!(
        report
            .reach()
            .see
            .contains(&"read the secrets that it was granted by name (KEY)".to_owned())
    );
    let json = serde_json::to_string(report).expect("json");
    assert!(json.contains("\"secrets\":[\"KEY\"]"), "{json}");
    let all = format!("{report:?} {json} {hooks:?}");
    assert!(!all.contains("s3cr"), "{all}");
}
