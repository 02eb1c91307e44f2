// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package toolupdatesent

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factCallID() (r0 string) {
	fake.Call(fake.Args("tool-update-sent-facts.call-id"), &r0)
	return
}

func factName() (r0 string) {
	fake.Call(fake.Args("tool-update-sent-facts.name"), &r0)
	return
}

func factIndex() (r0 uint32) {
	fake.Call(fake.Args("tool-update-sent-facts.index"), &r0)
	return
}

func factTextBytes() (r0 uint32) {
	fake.Call(fake.Args("tool-update-sent-facts.text-bytes"), &r0)
	return
}

func factFacts() (r0 contract.ToolUpdateSentToolProgress) {
	fake.Call(fake.Args("tool-update-sent-facts.facts"), &r0)
	return
}
