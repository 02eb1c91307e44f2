// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package model

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func complete(instructions string, prompt string, maxTokens *uint32) (r0 contract.Completion, r1 error) {
	fake.Call(fake.Args("model.complete", instructions, prompt, maxTokens), &r0, &r1)
	return
}

func tokensLeft() (r0 uint64) {
	fake.Call(fake.Args("model.tokens-left"), &r0)
	return
}
