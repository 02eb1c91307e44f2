// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package sessionend

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factReason() (r0 contract.EndReason) {
	fake.Call(fake.Args("session-end-facts.reason"), &r0)
	return
}

func factTurns() (r0 uint32) {
	fake.Call(fake.Args("session-end-facts.turns"), &r0)
	return
}

func factUsage() (r0 contract.Usage) {
	fake.Call(fake.Args("session-end-facts.usage"), &r0)
	return
}

func factFacts() (r0 contract.SessionSummary) {
	fake.Call(fake.Args("session-end-facts.facts"), &r0)
	return
}
