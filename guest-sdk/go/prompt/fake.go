// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package prompt

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func policies() (r0 []contract.DomainPolicy) {
	fake.Call(fake.Args("prompt.policies"), &r0)
	return
}

func policy(domain string) (r0 contract.DomainPolicy, r1 bool) {
	fake.Call(fake.Args("prompt.policy", domain), &r0, &r1)
	return
}

func contextItems() (r0 []contract.ContextItem) {
	fake.Call(fake.Args("prompt.context-items"), &r0)
	return
}

func sections() (r0 []contract.PromptSection) {
	fake.Call(fake.Args("prompt.sections"), &r0)
	return
}

func queries() (r0 []string) {
	fake.Call(fake.Args("prompt.queries"), &r0)
	return
}
