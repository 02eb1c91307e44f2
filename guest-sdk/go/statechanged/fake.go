// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package statechanged

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factTool() (r0 string) {
	fake.Call(fake.Args("state-changed-facts.tool"), &r0)
	return
}

func factCallID() (r0 string) {
	fake.Call(fake.Args("state-changed-facts.call-id"), &r0)
	return
}

func factKeys() (r0 []string) {
	fake.Call(fake.Args("state-changed-facts.keys"), &r0)
	return
}

func factFacts() (r0 contract.StateChange) {
	fake.Call(fake.Args("state-changed-facts.facts"), &r0)
	return
}
