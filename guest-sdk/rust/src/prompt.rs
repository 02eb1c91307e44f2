//! A view of what hooks have contributed to the turn's prompt so far.

use crate::imports::prompt;
use crate::types::{ContextItem, DomainPolicy, PromptSection};

/// The policies, in the order they were contributed.
pub fn policies() -> Vec<DomainPolicy> {
    prompt::policies()
}

/// The policy that holds in a domain: the last that was contributed.
pub fn policy(domain: &str) -> Option<DomainPolicy> {
    prompt::policy(domain)
}

/// The items of context, in the order they were contributed.
pub fn context_items() -> Vec<ContextItem> {
    prompt::context_items()
}

/// The sections, in the order they stand in the prompt.
pub fn sections() -> Vec<PromptSection> {
    prompt::sections()
}

/// What to look for in memory, as the agent plans it; empty before `prompt_recall`.
pub fn queries() -> Vec<String> {
    prompt::queries()
}
