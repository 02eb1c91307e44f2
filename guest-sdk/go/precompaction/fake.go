// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package precompaction

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factLimit() (r0 uint64) {
	fake.Call(fake.Args("pre-compaction-facts.limit"), &r0)
	return
}

func factUsed() (r0 uint64) {
	fake.Call(fake.Args("pre-compaction-facts.used"), &r0)
	return
}

func factMessages() (r0 uint32) {
	fake.Call(fake.Args("pre-compaction-facts.messages"), &r0)
	return
}

func factFacts() (r0 contract.TokenBudget) {
	fake.Call(fake.Args("pre-compaction-facts.facts"), &r0)
	return
}

func answerTransform(keep []uint32, instructions *string) {
	fake.Call(fake.Args("pre-compaction-answer.transform", keep, instructions))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("pre-compaction-answer.reject", code, reason, details))
	return
}
