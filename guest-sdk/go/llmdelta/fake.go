// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package llmdelta

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factKind() (r0 contract.DeltaKind) {
	fake.Call(fake.Args("llm-delta-facts.kind"), &r0)
	return
}

func factIndex() (r0 uint32) {
	fake.Call(fake.Args("llm-delta-facts.index"), &r0)
	return
}

func factBytes() (r0 uint32) {
	fake.Call(fake.Args("llm-delta-facts.bytes"), &r0)
	return
}

func factLast() (r0 bool) {
	fake.Call(fake.Args("llm-delta-facts.last"), &r0)
	return
}

func factFacts() (r0 contract.Delta) {
	fake.Call(fake.Args("llm-delta-facts.facts"), &r0)
	return
}

func answerTransform(text string) {
	fake.Call(fake.Args("llm-delta-answer.transform", text))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("llm-delta-answer.reject", code, reason, details))
	return
}

func answerStop(kind contract.StopKind, message string) {
	fake.Call(fake.Args("llm-delta-answer.stop", kind, message))
	return
}
