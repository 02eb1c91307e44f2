// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package promptcontext

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factTextBytes() (r0 uint32) {
	fake.Call(fake.Args("prompt-context-facts.text-bytes"), &r0)
	return
}

func factPolicies() (r0 uint32) {
	fake.Call(fake.Args("prompt-context-facts.policies"), &r0)
	return
}

func factItems() (r0 uint32) {
	fake.Call(fake.Args("prompt-context-facts.items"), &r0)
	return
}

func factFacts() (r0 contract.ContextSet) {
	fake.Call(fake.Args("prompt-context-facts.facts"), &r0)
	return
}

func answerAddContext(kind string, text string, data *string) {
	fake.Call(fake.Args("prompt-context-answer.add-context", kind, text, data))
	return
}

func answerAddNote(code string, data string) {
	fake.Call(fake.Args("prompt-context-answer.add-note", code, data))
	return
}

func answerAddJob(name string, input string) {
	fake.Call(fake.Args("prompt-context-answer.add-job", name, input))
	return
}
