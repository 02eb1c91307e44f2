// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package prompttools

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factTools() (r0 uint32) {
	fake.Call(fake.Args("prompt-tools-facts.tools"), &r0)
	return
}

func factBundles() (r0 uint32) {
	fake.Call(fake.Args("prompt-tools-facts.bundles"), &r0)
	return
}

func factFacts() (r0 contract.ToolSet) {
	fake.Call(fake.Args("prompt-tools-facts.facts"), &r0)
	return
}

func answerAddTools(bundle contract.ToolBundle) {
	fake.Call(fake.Args("prompt-tools-answer.add-tools", bundle))
	return
}

func answerAddNote(code string, data string) {
	fake.Call(fake.Args("prompt-tools-answer.add-note", code, data))
	return
}

func answerAddJob(name string, input string) {
	fake.Call(fake.Args("prompt-tools-answer.add-job", name, input))
	return
}
