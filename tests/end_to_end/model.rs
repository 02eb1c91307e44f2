//! The agent's model as a capability: granted with a budget of tokens, and asked through the embedder.

use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use portcullis::completion::{Completion, ModelClient, ModelError, ModelQuery};
use portcullis::contract::{StopReason, Usage};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, Session, SessionOptions};
use portcullis_tests::{HooksDir, turn};

const GRANTS: &str = "[hooks.asker.grants]\nsecrets = [\"KEY\"]\nmodel = { tokens = 100 }\n\
                      [secrets]\nKEY = { file = \"key\" }\n";

/// Answers every prompt, uses this many tokens for it, and records the prompts.
#[derive(Default)]
struct Client {
    usage: u64,
    fails: bool,
    asked: Mutex<Vec<(String, u32)>>,
}

impl Client {
    fn asked(&self) -> Vec<(String, u32)> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl ModelClient for Client {
    fn complete<'a>(
        &'a self,
        query: ModelQuery<'a>,
    ) -> BoxFuture<'a, Result<Completion, ModelError>> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push((query.prompt.to_owned(), query.max_output_tokens));
        let answer = match self.fails {
            true => Err(ModelError::Provider("down\u{1b}[31m".to_owned())),
            false => Ok(Completion {
                text: format!("so you say: {}", query.prompt),
                stop: StopReason::EndTurn,
                usage: Usage {
                    input_tokens: self.usage,
                    output_tokens: 0,
                    cache_read_tokens: 0,
                    cache_write_tokens: 0,
                },
            }),
        };
        Box::pin(async move {
            // A hook that asks the model is called as a future.
            tokio::task::yield_now().await;
            answer
        })
    }
}

fn dir() -> HooksDir {
    HooksDir::new().with("asker").with_file("key", b"s3cr3t")
}

fn session(settings: &str, client: &Arc<Client>) -> Session {
    dir().settings(settings).load().session(SessionOptions {
        model: client.clone(),
        ..SessionOptions::new("session-1")
    })
}

/// Returns the code and reason of the refusal in a turn.
async fn said(session: &Session, number: u32, what: &str) -> (String, String) {
    let mut call = turn(what);
    call.context.turn = number;
    let verdict = session.run(&mut call).await;
    match verdict.decision {
        Decision::Rejected { rejection, .. } => (rejection.code, rejection.reason),
        other => panic!("{other:?} {:?}", verdict.runs),
    }
}

#[tokio::test]
async fn a_granted_hook_is_given_what_the_model_writes() {
    let client = Arc::new(Client::default());
    let session = session(GRANTS, &client);
    let (code, text) = said(&session, 1, "ask is it safe?").await;
    assert_eq!(
        (code.as_str(), text.as_str()),
        ("text", "so you say: is it safe?")
    );
    assert_eq!(client.asked(), [("is it safe?".to_owned(), 10)]);
}

#[tokio::test]
async fn a_hook_that_asks_in_a_loop_uses_its_budget_of_the_turn_and_no_more() {
    let client = Arc::new(Client {
        usage: 12,
        ..Client::default()
    });
    let session = session(GRANTS, &client);
    // 8 times 12 are 96, and the prompt takes more than the 4 that are left.
    let prompt = format!("loop {}", "x".repeat(16));
    let spent = || ("budget".to_owned(), "8".to_owned());
    assert_eq!(said(&session, 1, &prompt).await, spent());
    assert_eq!(said(&session, 1, "left").await.1, "4");
    assert_eq!(said(&session, 1, &prompt).await.1, "0");
    assert_eq!(said(&session, 2, &prompt).await, spent());
    assert_eq!(client.asked().len(), 16);
}

#[tokio::test]
async fn a_client_that_counts_no_tokens_or_fails_does_not_make_the_budget_endless() {
    for fails in [false, true] {
        let client = Arc::new(Client {
            fails,
            ..Client::default()
        });
        let session = session(GRANTS, &client);
        let mut code = String::new();
        for _ in 0..200 {
            code = said(&session, 1, "ask hello").await.0;
            if code == "budget" {
                break;
            }
        }
        assert_eq!(code, "budget", "fails: {fails}");
    }
}

#[tokio::test]
async fn errors_are_values_and_can_be_printed() {
    let failing = Arc::new(Client {
        fails: true,
        ..Client::default()
    });
    let asked = session(GRANTS, &failing);
    let (code, reason) = said(&asked, 1, "ask x").await;
    assert_eq!(code, "provider");
    assert!(reason.ends_with("down\\u{1b}[31m"), "{reason}");

    let limited = format!("{GRANTS}[hooks.asker.limits]\nmodel-prompt-bytes = 200\n");
    let client = Arc::new(Client::default());
    let asked = session(&limited, &client);
    let (code, reason) = said(&asked, 1, "long 201").await;
    assert_eq!(code, "too-long");
    assert!(reason.contains("200 bytes"), "{reason}");
    assert_eq!(client.asked(), []);
    assert_eq!(said(&asked, 1, "long 200").await.0, "text");

    let none = dir().settings(GRANTS).load();
    let none = none.session(SessionOptions::new("session-2"));
    assert_eq!(said(&none, 1, "ask x").await.0, "no-model");
}

#[tokio::test]
async fn a_prompt_does_not_hold_granted_secrets() {
    let client = Arc::new(Client::default());
    let session = session(GRANTS, &client);
    assert_eq!(
        said(&session, 1, "secret").await.1,
        "so you say: [secret KEY]"
    );
}

#[tokio::test]
async fn hooks_that_are_loaded_again_have_the_same_budget() {
    let client = Arc::new(Client {
        usage: 60,
        ..Client::default()
    });
    let dir = dir().settings(GRANTS);
    let hooks = dir.load();
    let session = hooks.session(SessionOptions {
        model: client.clone(),
        ..SessionOptions::new("session-1")
    });
    assert_eq!(said(&session, 1, "ask x").await.0, "text");
    assert_eq!(said(&session, 1, "left").await.1, "40");
    let again = GRANTS.replace("100", "90");
    let dir = dir.settings(&again);
    let _ = hooks.reload();
    assert_eq!(said(&session, 1, "left").await.1, "30");
    drop(dir);
}

#[tokio::test]
async fn a_hook_without_the_grant_does_not_load() {
    let errors = dir()
        .settings(
            "[hooks.asker.grants]\nsecrets = [\"KEY\"]\n[secrets]\nKEY = { file = \"key\" }\n",
        )
        .try_load()
        .expect_err("an error");
    let text = errors.to_string();
    assert!(text.contains("model = { tokens = 2000 }"), "{text}");
}

#[tokio::test]
async fn a_model_that_takes_too_long_ends_with_the_wall_clock() {
    struct Never;
    impl ModelClient for Never {
        fn complete<'a>(
            &'a self,
            _: ModelQuery<'a>,
        ) -> BoxFuture<'a, Result<Completion, ModelError>> {
            Box::pin(std::future::pending())
        }
    }
    let settings = format!("{GRANTS}[hooks.asker.limits]\nwall-ms = 50\n");
    let session = dir().settings(&settings).load().session(SessionOptions {
        model: Arc::new(Never),
        ..SessionOptions::new("session-1")
    });
    let verdict = session.run(&mut turn("ask x")).await;
    let status = &verdict.runs[0].status;
    assert!(
        matches!(
            status,
            RunStatus::Failed {
                cause: Cause::Deadline,
                ..
            }
        ),
        "{status:?}"
    );
    // The reserved tokens of the call count: the provider may have used them.
    assert_ne!(said(&session, 1, "left").await.1, "100");
}

#[tokio::test]
async fn a_session_that_is_a_part_of_another_spends_its_budget() {
    let client = Arc::new(Client {
        usage: 60,
        ..Client::default()
    });
    let hooks = dir().settings(GRANTS).load();
    let open = |of: Option<&Session>| {
        hooks.session(SessionOptions {
            model: client.clone(),
            model_budgets: of.map(|parent| parent.model_budgets(2)),
            ..SessionOptions::new("session")
        })
    };
    let parent = open(None);
    assert_eq!(said(&parent, 1, "ask x").await.0, "text");
    // In turn 2 of the parent; the turns of a child are its own.
    let child = open(Some(&parent));
    assert_eq!(said(&child, 1, "left").await.1, "100");
    assert_eq!(said(&child, 1, "ask x").await.0, "text");
    assert_eq!(said(&open(Some(&child)), 1, "left").await.1, "40");
    assert_eq!(said(&parent, 2, "left").await.1, "40");
    assert_eq!(said(&parent, 3, "left").await.1, "100");
}

#[test]
fn a_budget_of_no_tokens_is_one_fault() {
    let settings = "[hooks.asker.grants]\nsecrets = [\"KEY\"]\nmodel = { tokens = 0 }\n[secrets]\nKEY = { file = \"key\" }\n";
    let error = dir().settings(settings).try_load().expect_err("a fault");
    let text = error.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("a whole number from 1, and is 0"), "{text}");
}
