// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package promptpolicy

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factTextBytes() (r0 uint32) {
	fake.Call(fake.Args("prompt-policy-facts.text-bytes"), &r0)
	return
}

func factMessages() (r0 uint32) {
	fake.Call(fake.Args("prompt-policy-facts.messages"), &r0)
	return
}

func factTools() (r0 uint32) {
	fake.Call(fake.Args("prompt-policy-facts.tools"), &r0)
	return
}

func factPolicies() (r0 uint32) {
	fake.Call(fake.Args("prompt-policy-facts.policies"), &r0)
	return
}

func factFacts() (r0 contract.TurnFacts) {
	fake.Call(fake.Args("prompt-policy-facts.facts"), &r0)
	return
}

func answerAddPolicy(domain string, rules string) {
	fake.Call(fake.Args("prompt-policy-answer.add-policy", domain, rules))
	return
}

func answerAddNote(code string, data string) {
	fake.Call(fake.Args("prompt-policy-answer.add-note", code, data))
	return
}

func answerAddJob(name string, input string) {
	fake.Call(fake.Args("prompt-policy-answer.add-job", name, input))
	return
}
