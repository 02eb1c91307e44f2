// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package turnsuspended

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factReason() (r0 contract.SuspendReason) {
	fake.Call(fake.Args("turn-suspended-facts.reason"), &r0)
	return
}

func factCheckpoint() (r0 string) {
	fake.Call(fake.Args("turn-suspended-facts.checkpoint"), &r0)
	return
}

func factPending() (r0 []string) {
	fake.Call(fake.Args("turn-suspended-facts.pending"), &r0)
	return
}

func factPartial() (r0 bool) {
	fake.Call(fake.Args("turn-suspended-facts.partial"), &r0)
	return
}

func factSteps() (r0 uint32) {
	fake.Call(fake.Args("turn-suspended-facts.steps"), &r0)
	return
}

func factFacts() (r0 contract.Suspension) {
	fake.Call(fake.Args("turn-suspended-facts.facts"), &r0)
	return
}
