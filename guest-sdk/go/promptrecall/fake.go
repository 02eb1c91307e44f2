// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package promptrecall

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factQueries() (r0 uint32) {
	fake.Call(fake.Args("prompt-recall-facts.queries"), &r0)
	return
}

func factMaxItems() (r0 uint32) {
	fake.Call(fake.Args("prompt-recall-facts.max-items"), &r0)
	return
}

func factMaxTokens() (r0 uint64) {
	fake.Call(fake.Args("prompt-recall-facts.max-tokens"), &r0)
	return
}

func factFallback() (r0 bool) {
	fake.Call(fake.Args("prompt-recall-facts.fallback"), &r0)
	return
}

func factItems() (r0 uint32) {
	fake.Call(fake.Args("prompt-recall-facts.items"), &r0)
	return
}

func factFacts() (r0 contract.RecallPlan) {
	fake.Call(fake.Args("prompt-recall-facts.facts"), &r0)
	return
}

func answerAddContext(kind string, text string, data *string) {
	fake.Call(fake.Args("prompt-recall-answer.add-context", kind, text, data))
	return
}

func answerAddNote(code string, data string) {
	fake.Call(fake.Args("prompt-recall-answer.add-note", code, data))
	return
}

func answerAddJob(name string, input string) {
	fake.Call(fake.Args("prompt-recall-answer.add-job", name, input))
	return
}
