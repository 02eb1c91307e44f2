//! A view of the contributions of hooks to the turn's prompt so far.

use crate::imports::prompt;
use crate::types::{ContextItem, DomainPolicy, PromptSection};

/// Returns the policies, in the order they were contributed.
pub fn policies() -> Vec<DomainPolicy> {
    prompt::policies()
}

/// Returns the policy in force in a domain. Policies of one domain are combined.
pub fn policy(domain: &str) -> Option<DomainPolicy> {
    prompt::policy(domain)
}

/// Returns the items of context, in the order they were contributed.
pub fn context_items() -> Vec<ContextItem> {
    prompt::context_items()
}

/// Returns the sections, in the order they have in the prompt.
pub fn sections() -> Vec<PromptSection> {
    prompt::sections()
}

/// Returns the queries to memory that the agent has planned; empty before `prompt_recall`.
pub fn queries() -> Vec<String> {
    prompt::queries()
}
