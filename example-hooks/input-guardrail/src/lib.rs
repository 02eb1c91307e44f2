//! Refuses a turn whose text matches one of the operator's patterns.
//!
//! It runs early, before other hooks work on the text. The refusal has the code `blocked-input` and
//! does not say which pattern matched; the log does.
//!
//! ```toml
//! [hooks.input-guardrail.config]
//! patterns = ['(?i)ignore (all )?previous instructions', '(?i)\bdrop\s+table\b']
//! reason = "That is not something this agent does." # shown to the person; has a default
//! ```
//!
//! `patterns` is required and must not be empty: a guard that guards nothing is a mistake. Matching
//! takes time linear in the text; for a long list, raise the limits `fuel` and `deadline-ms`.
//!
//! Points: `pre-turn`. Role: gate, so it fails closed. Needs the view `content`.

mod patterns;

use patterns::{Config, Patterns};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

static PATTERNS: Prepared<Patterns> = Prepared::new(|| Patterns::compile(config()?));

struct InputGuardrail;

#[hook(
    id = "input-guardrail",
    kind = "guardrail",
    description = "Refuses turns whose text matches one of the operator's patterns.",
    priority = 10,
    config = Config
)]
impl InputGuardrail {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let patterns = PATTERNS.get()?;
        Ok(match patterns.matching(&content::text()) {
            Some(pattern) => {
                warn!(pattern, "blocked a turn");
                call.reject("blocked-input", patterns.reason())
            }
            None => call.proceed(),
        })
    }
}
