// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package prompt is an import of the contract: The contributions of hooks to the turn's prompt so far.
package prompt

import (
	"portcullis/contract"
)

// Policies: The policies, in the order they were contributed.
func Policies() []contract.DomainPolicy {
	return policies()
}

// Policy: The policy in force in a domain. Policies of one domain are combined: a flag is false if one of them says so, a
// number is the least of them, and a list has the common items. If the operator lets a hook replace policies, its
// policy replaces those before it.
func Policy(domain string) (contract.DomainPolicy, bool) {
	return policy(domain)
}

// ContextItems: The items of context, in the order they were contributed.
func ContextItems() []contract.ContextItem {
	return contextItems()
}

// Sections: The sections, in the order they have in the prompt.
func Sections() []contract.PromptSection {
	return sections()
}

// Queries: The queries to memory that the agent has planned; empty before `prompt-recall`.
func Queries() []string {
	return queries()
}
