// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package postcompaction

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factRemoved() (r0 uint32) {
	fake.Call(fake.Args("post-compaction-facts.removed"), &r0)
	return
}

func factMessages() (r0 uint32) {
	fake.Call(fake.Args("post-compaction-facts.messages"), &r0)
	return
}

func factSummaryBytes() (r0 uint32) {
	fake.Call(fake.Args("post-compaction-facts.summary-bytes"), &r0)
	return
}

func factFacts() (r0 contract.CompactionResult) {
	fake.Call(fake.Args("post-compaction-facts.facts"), &r0)
	return
}
