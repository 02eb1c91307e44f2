// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package turnresumed

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factCheckpoint() (r0 string) {
	fake.Call(fake.Args("turn-resumed-facts.checkpoint"), &r0)
	return
}

func factResolved() (r0 []string) {
	fake.Call(fake.Args("turn-resumed-facts.resolved"), &r0)
	return
}

func factWaitedMs() (r0 uint64) {
	fake.Call(fake.Args("turn-resumed-facts.waited-ms"), &r0)
	return
}

func factSteps() (r0 uint32) {
	fake.Call(fake.Args("turn-resumed-facts.steps"), &r0)
	return
}

func factFacts() (r0 contract.Resumption) {
	fake.Call(fake.Args("turn-resumed-facts.facts"), &r0)
	return
}
