// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package presubagent

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factCallID() (r0 string) {
	fake.Call(fake.Args("pre-subagent-facts.call-id"), &r0)
	return
}

func factAgent() (r0 string) {
	fake.Call(fake.Args("pre-subagent-facts.agent"), &r0)
	return
}

func factTaskBytes() (r0 uint32) {
	fake.Call(fake.Args("pre-subagent-facts.task-bytes"), &r0)
	return
}

func factDepth() (r0 uint32) {
	fake.Call(fake.Args("pre-subagent-facts.depth"), &r0)
	return
}

func factFacts() (r0 contract.SubagentSpec) {
	fake.Call(fake.Args("pre-subagent-facts.facts"), &r0)
	return
}

func answerTransform(task string) {
	fake.Call(fake.Args("pre-subagent-answer.transform", task))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("pre-subagent-answer.reject", code, reason, details))
	return
}

func answerReplace(task string) {
	fake.Call(fake.Args("pre-subagent-answer.replace", task))
	return
}

func answerAnswer(content string, isError bool) {
	fake.Call(fake.Args("pre-subagent-answer.answer", content, isError))
	return
}
