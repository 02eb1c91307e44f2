//! Checks final answers and the outputs of tools against JSON schemas.
//!
//! Without configuration it checks nothing. With everything:
//!
//! ```toml
//! [hooks.output-schema.config]
//! retries = 2   # the maximum number of times that the model is asked again in a turn
//! fenced = true # whether an answer may be in a code block; the turn then returns the block's content
//!
//! [hooks.output-schema.config.answer] # the schema of final answers, as a table or as JSON text
//! type = "object"
//! required = ["title"]
//!
//! [hooks.output-schema.config.tools."get_*"] # the schemas of tools' outputs, by name; `*` stands for any text
//! type = "object"
//! ```
//!
//! At `turn-stopping`, an answer that does not fit continues the turn, with a message that names the errors. If the turn may not continue, or the
//! retries are used up, `post-turn` refuses the answer. The output of a tool that does not fit is withheld.
//!
//! Points: `turn-stopping`, `post-turn`, `post-tool-call`. Role: transform, so it fails closed. Needs the views `content` and `tool-data`.

mod check;
mod config;

use check::Schemas;
use config::Config;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

static SCHEMAS: Prepared<Schemas> = Prepared::new(|| Schemas::new(config::<Config>()?));

struct OutputSchema;

#[hook(
    id = "output-schema",
    kind = "guardrail",
    description = "Checks final answers and the outputs of tools against JSON schemas.",
    priority = 15,
    config = Config
)]
impl OutputSchema {
    fn turn_stopping(call: &turn_stopping::Call) -> HookResult<turn_stopping::Verdict> {
        let schemas = SCHEMAS.get()?;
        let Err(fault) = schemas.answer(&content::text()) else {
            return Ok(call.proceed());
        };
        if !call.may_keep_going() || call.kept_going() >= schemas.retries() {
            return Ok(call.proceed());
        }
        Ok(call.keep_going(format!("Your answer does not fit the schema that it must have: {fault}. Answer again, with JSON alone.")))
    }

    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        let text = content::text();
        Ok(match SCHEMAS.get()?.answer(&text) {
            Ok(json) if json == text => call.proceed(),
            Ok(json) => call.transform_text(json),
            Err(fault) => call.reject(
                "schema",
                format!("The answer does not fit its schema: {fault}."),
            ),
        })
    }

    fn post_tool_call(call: &post_tool_call::Call) -> HookResult<post_tool_call::Verdict> {
        let tool = call.name();
        let Some(schema) = SCHEMAS.get()?.of_tool(&tool) else {
            return Ok(call.proceed());
        };
        let output = tool_data::output().unwrap_or_default();
        // The output of a tool that failed is its error in words.
        if call.is_error() {
            return Ok(call.proceed());
        }
        Ok(match schema.check(&output) {
            Ok(()) => call.proceed(),
            Err(fault) => call.reject(
                "schema",
                format!("The output of `{tool}` does not fit its schema: {fault}."),
            ),
        })
    }
}
