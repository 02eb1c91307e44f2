// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package promptcompile

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factSections() (r0 uint32) {
	fake.Call(fake.Args("prompt-compile-facts.sections"), &r0)
	return
}

func factItems() (r0 uint32) {
	fake.Call(fake.Args("prompt-compile-facts.items"), &r0)
	return
}

func factTokens() (r0 uint64) {
	fake.Call(fake.Args("prompt-compile-facts.tokens"), &r0)
	return
}

func factBudgetTokens() (r0 uint64) {
	fake.Call(fake.Args("prompt-compile-facts.budget-tokens"), &r0)
	return
}

func factFacts() (r0 contract.PromptDraft) {
	fake.Call(fake.Args("prompt-compile-facts.facts"), &r0)
	return
}

func answerTransform(edit contract.PromptEdit) {
	fake.Call(fake.Args("prompt-compile-answer.transform", edit))
	return
}

func answerAddSection(section contract.PromptSection) {
	fake.Call(fake.Args("prompt-compile-answer.add-section", section))
	return
}

func answerAddNote(code string, data string) {
	fake.Call(fake.Args("prompt-compile-answer.add-note", code, data))
	return
}

func answerAddJob(name string, input string) {
	fake.Call(fake.Args("prompt-compile-answer.add-job", name, input))
	return
}
