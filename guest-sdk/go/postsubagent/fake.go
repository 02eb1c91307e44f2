// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package postsubagent

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factCallID() (r0 string) {
	fake.Call(fake.Args("post-subagent-facts.call-id"), &r0)
	return
}

func factAgent() (r0 string) {
	fake.Call(fake.Args("post-subagent-facts.agent"), &r0)
	return
}

func factSessionID() (r0 string, r1 bool) {
	fake.Call(fake.Args("post-subagent-facts.session-id"), &r0, &r1)
	return
}

func factIsError() (r0 bool) {
	fake.Call(fake.Args("post-subagent-facts.is-error"), &r0)
	return
}

func factOutputBytes() (r0 uint32) {
	fake.Call(fake.Args("post-subagent-facts.output-bytes"), &r0)
	return
}

func factSteps() (r0 uint32) {
	fake.Call(fake.Args("post-subagent-facts.steps"), &r0)
	return
}

func factUsage() (r0 contract.Usage) {
	fake.Call(fake.Args("post-subagent-facts.usage"), &r0)
	return
}

func factElapsedUs() (r0 uint64) {
	fake.Call(fake.Args("post-subagent-facts.elapsed-us"), &r0)
	return
}

func factFacts() (r0 contract.SubagentResult) {
	fake.Call(fake.Args("post-subagent-facts.facts"), &r0)
	return
}

func answerTransform(text string) {
	fake.Call(fake.Args("post-subagent-answer.transform", text))
	return
}
