// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package postllmcall

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factProvider() (r0 string) {
	fake.Call(fake.Args("post-llm-call-facts.provider"), &r0)
	return
}

func factModel() (r0 string) {
	fake.Call(fake.Args("post-llm-call-facts.model"), &r0)
	return
}

func factAttempt() (r0 uint32) {
	fake.Call(fake.Args("post-llm-call-facts.attempt"), &r0)
	return
}

func factStop() (r0 contract.StopReason) {
	fake.Call(fake.Args("post-llm-call-facts.stop"), &r0)
	return
}

func factUsage() (r0 contract.Usage) {
	fake.Call(fake.Args("post-llm-call-facts.usage"), &r0)
	return
}

func factTextBytes() (r0 uint32) {
	fake.Call(fake.Args("post-llm-call-facts.text-bytes"), &r0)
	return
}

func factToolCalls() (r0 []string) {
	fake.Call(fake.Args("post-llm-call-facts.tool-calls"), &r0)
	return
}

func factElapsedUs() (r0 uint64) {
	fake.Call(fake.Args("post-llm-call-facts.elapsed-us"), &r0)
	return
}

func factFacts() (r0 contract.LLMResult) {
	fake.Call(fake.Args("post-llm-call-facts.facts"), &r0)
	return
}

func answerTransform(content []contract.ContentPart) {
	fake.Call(fake.Args("post-llm-call-answer.transform", content))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("post-llm-call-answer.reject", code, reason, details))
	return
}

func answerReplace(content []contract.ContentPart) {
	fake.Call(fake.Args("post-llm-call-answer.replace", content))
	return
}
