//! A hook in each language asks the agent's model, with the grant that it needs.

use std::sync::Arc;

use futures::future::{BoxFuture, ready};
use portcullis::completion::{Completion, ModelClient, ModelError, ModelQuery};
use portcullis::contract::{StopReason, Usage};
use portcullis::{Decision, Session, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::turn;

use super::granted::granted;

/// Also used as a hook in TypeScript.
const JAVASCRIPT: &str = r#"import { content, defineHook, model, reject } from "portcullis";

export default defineHook({
  id: "my-hook",
  description: "Asks the model.",
  preTurn: () => {
    try {
      const { text, stop, usage } = model.complete("Judge.", content.text(), 50);
      return reject("text", [text, stop.tag, usage.inputTokens, model.tokensLeft()].join());
    } catch (error) {
      if (!(error instanceof model.ModelError)) throw error;
      return reject("no-text", error.cause.tag);
    }
  },
});
"#;

const PYTHON: &str = r#"from portcullis import content, hook, model, reject
from portcullis.contract import ModelError_Budget


@hook(id="my-hook", description="Asks the model.")
class MyHook:
    def pre_turn(self, context, call):
        try:
            said = model.complete("Judge.", content.text(), 50)
        except model.ModelError as error:
            return reject("no-text", "budget" if isinstance(error.cause, ModelError_Budget) else "other")
        stop = type(said.stop).__name__.removeprefix("StopReason_")
        stop = {"EndTurn": "end-turn"}.get(stop, stop)
        parts = [said.text, stop, said.usage.input_tokens, model.tokens_left()]
        return reject("text", ",".join(map(str, parts)))
"#;

const C: &str = r#"#include "portcullis.h"

PORTCULLIS_HOOK(.id = "my-hook", .description = "Asks the model.");

bool on_pre_turn(void) {
    pc_string_t instructions = PC_TEXT("Judge."), prompt = pc_content();
    uint32_t most = 50;
    pc_model_completion_t said;
    pc_model_model_error_t error;
    if (!pc_model_complete(&instructions, &prompt, &most, &said, &error)) {
        bool budget = error.tag == PC_MODEL_MODEL_ERROR_BUDGET;
        return pre_turn_reject("no-text", budget ? "budget" : "other");
    }
    const char *stop = said.stop.tag == PC_STOP_REASON_END_TURN ? "end-turn" : "other";
    return pre_turn_reject("text", pc_format("%.*s,%s,%llu,%llu", PC_SHOW(said.text), stop,
                                             (unsigned long long)said.usage.input_tokens,
                                             (unsigned long long)pc_model_tokens_left()));
}
"#;

/// Repeats the prompt, and uses 30 tokens for it.
struct Echo;

impl ModelClient for Echo {
    fn complete<'a>(
        &'a self,
        query: ModelQuery<'a>,
    ) -> BoxFuture<'a, Result<Completion, ModelError>> {
        Box::pin(ready(Ok(Completion {
            text: format!(
                "{} {} {}",
                query.instructions, query.prompt, query.max_output_tokens
            ),
            stop: StopReason::EndTurn,
            usage: Usage {
                input_tokens: 30,
                output_tokens: 0,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        })))
    }
}

/// Returns the hook's refusal in a turn with this text.
async fn refusal(session: &Session, said: &str) -> (String, String) {
    let verdict = session.run(&mut turn(said)).await;
    match verdict.decision {
        Decision::Rejected { rejection, .. } => (rejection.code, rejection.reason),
        other => panic!("{other:?} {:?}", verdict.runs),
    }
}

async fn asks(language: Language, file: &str, source: &str) {
    let dir = granted(
        language,
        (file, source),
        "model = { tokens = 2000 }",
        "model = { tokens = 80 }",
    );
    let session = dir.load().session(SessionOptions {
        model: Arc::new(Echo),
        ..SessionOptions::new("test")
    });
    let expected = (
        "text".to_owned(),
        "Judge. safe? 50,end-turn,30,50".to_owned(),
    );
    assert_eq!(refusal(&session, "safe?").await, expected, "{language}");
    let expected = ("no-text".to_owned(), "budget".to_owned());
    let long = "x".repeat(400);
    assert_eq!(refusal(&session, &long).await, expected, "{language}");
}

#[tokio::test]
async fn a_hook_in_c_asks_the_model() {
    asks(Language::C, "src/hook.c", C).await;
}

#[tokio::test]
async fn a_hook_in_javascript_asks_the_model() {
    asks(Language::JavaScript, "src/hook.js", JAVASCRIPT).await;
}

#[tokio::test]
async fn a_hook_in_typescript_asks_the_model() {
    asks(Language::TypeScript, "src/hook.ts", JAVASCRIPT).await;
}

#[tokio::test]
async fn a_hook_in_python_asks_the_model() {
    asks(Language::Python, "src/hook.py", PYTHON).await;
}
