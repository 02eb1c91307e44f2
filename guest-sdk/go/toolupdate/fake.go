// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package toolupdate

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factCallID() (r0 string) {
	fake.Call(fake.Args("tool-update-facts.call-id"), &r0)
	return
}

func factName() (r0 string) {
	fake.Call(fake.Args("tool-update-facts.name"), &r0)
	return
}

func factIndex() (r0 uint32) {
	fake.Call(fake.Args("tool-update-facts.index"), &r0)
	return
}

func factTextBytes() (r0 uint32) {
	fake.Call(fake.Args("tool-update-facts.text-bytes"), &r0)
	return
}

func factFacts() (r0 contract.ToolUpdateToolProgress) {
	fake.Call(fake.Args("tool-update-facts.facts"), &r0)
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("tool-update-answer.reject", code, reason, details))
	return
}
