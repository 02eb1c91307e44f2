// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package posttoolcall

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factCallID() (r0 string) {
	fake.Call(fake.Args("post-tool-call-facts.call-id"), &r0)
	return
}

func factName() (r0 string) {
	fake.Call(fake.Args("post-tool-call-facts.name"), &r0)
	return
}

func factOutputBytes() (r0 uint32) {
	fake.Call(fake.Args("post-tool-call-facts.output-bytes"), &r0)
	return
}

func factIsError() (r0 bool) {
	fake.Call(fake.Args("post-tool-call-facts.is-error"), &r0)
	return
}

func factElapsedUs() (r0 uint64) {
	fake.Call(fake.Args("post-tool-call-facts.elapsed-us"), &r0)
	return
}

func factFacts() (r0 contract.ToolOutcome) {
	fake.Call(fake.Args("post-tool-call-facts.facts"), &r0)
	return
}

func answerTransform(content string, isError bool) {
	fake.Call(fake.Args("post-tool-call-answer.transform", content, isError))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("post-tool-call-answer.reject", code, reason, details))
	return
}

func answerReplace(content string, isError bool) {
	fake.Call(fake.Args("post-tool-call-answer.replace", content, isError))
	return
}
