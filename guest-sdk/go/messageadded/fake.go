// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package messageadded

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factIndex() (r0 uint32) {
	fake.Call(fake.Args("message-added-facts.index"), &r0)
	return
}

func factRole() (r0 contract.Role) {
	fake.Call(fake.Args("message-added-facts.role"), &r0)
	return
}

func factParts() (r0 uint32) {
	fake.Call(fake.Args("message-added-facts.parts"), &r0)
	return
}

func factTextBytes() (r0 uint32) {
	fake.Call(fake.Args("message-added-facts.text-bytes"), &r0)
	return
}

func factFacts() (r0 contract.AddedMessage) {
	fake.Call(fake.Args("message-added-facts.facts"), &r0)
	return
}
