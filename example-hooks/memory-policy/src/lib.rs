//! Decides, before anything is recalled, what a turn may read from memory and write to it.
//!
//! ```toml
//! [hooks.memory-policy.grants]
//! contribute = ["policy"]
//! views = ["content"]
//!
//! # All have a default; an empty list never matches.
//! [hooks.memory-policy.config]
//! no-write = ['(?i)\bdo(n.t| not) remember\b', '(?i)\boff the record\b']
//! no-read = ['(?i)\bforget (that|what) you know\b']
//! ```
//!
//! It contributes the policy of the domain `memory`: `{"read":…,"write":…}`. The other memory hooks
//! obey it; without it they allow everything.
//!
//! Points: `prompt-policy`. Role: transform, and it fails closed: without a policy the turn fails.
//! Needs the view `content`.

mod rules;

use memory_store::policy;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use rules::Rules;

static RULES: Prepared<Rules> = Prepared::new(|| Rules::compile(&config()?));

struct MemoryPolicy;

#[hook(
    id = "memory-policy",
    kind = "memory",
    description = "Says what a turn may read from memory and write to it.",
    priority = 20,
    config = rules::Config
)]
impl MemoryPolicy {
    fn prompt_policy(call: &prompt_policy::Call) -> HookResult<prompt_policy::Verdict> {
        let policy = RULES.get()?.policy(&content::text());
        call.add_policy_json(policy::DOMAIN, &policy)?;
        Ok(call.proceed())
    }
}
