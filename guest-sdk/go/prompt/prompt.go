// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package prompt is an import of the contract: What hooks have contributed to the turn's prompt so far.
package prompt

import (
	"portcullis/contract"
)

// Policies: The policies, in the order they were contributed.
func Policies() []contract.DomainPolicy {
	return policies()
}

// Policy: The policy that holds in a domain: the last that was contributed. Unless the operator lets its hook replace
// policies, it includes those before it: a flag is false if one of them says so, a number is the least, and a list
// has what all of them have.
func Policy(domain string) (contract.DomainPolicy, bool) {
	return policy(domain)
}

// ContextItems: What there is to know, in the order it was contributed.
func ContextItems() []contract.ContextItem {
	return contextItems()
}

// Sections: The sections, in the order they stand in the prompt.
func Sections() []contract.PromptSection {
	return sections()
}

// Queries: What to look for in memory, as the agent plans it; empty before `prompt-recall`.
func Queries() []string {
	return queries()
}
