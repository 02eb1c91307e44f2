// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package prellmcall

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factProvider() (r0 string) {
	fake.Call(fake.Args("pre-llm-call-facts.provider"), &r0)
	return
}

func factModel() (r0 string) {
	fake.Call(fake.Args("pre-llm-call-facts.model"), &r0)
	return
}

func factAttempt() (r0 uint32) {
	fake.Call(fake.Args("pre-llm-call-facts.attempt"), &r0)
	return
}

func factMessages() (r0 uint32) {
	fake.Call(fake.Args("pre-llm-call-facts.messages"), &r0)
	return
}

func factTools() (r0 uint32) {
	fake.Call(fake.Args("pre-llm-call-facts.tools"), &r0)
	return
}

func factEstimatedTokens() (r0 uint64) {
	fake.Call(fake.Args("pre-llm-call-facts.estimated-tokens"), &r0)
	return
}

func factTemperature() (r0 float64, r1 bool) {
	fake.Call(fake.Args("pre-llm-call-facts.temperature"), &r0, &r1)
	return
}

func factMaxOutputTokens() (r0 uint32, r1 bool) {
	fake.Call(fake.Args("pre-llm-call-facts.max-output-tokens"), &r0, &r1)
	return
}

func factFacts() (r0 contract.LLMCall) {
	fake.Call(fake.Args("pre-llm-call-facts.facts"), &r0)
	return
}

func answerTransform(edit contract.LLMCallEdit) {
	fake.Call(fake.Args("pre-llm-call-answer.transform", edit))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("pre-llm-call-answer.reject", code, reason, details))
	return
}

func answerReplace(edit contract.LLMCallEdit) {
	fake.Call(fake.Args("pre-llm-call-answer.replace", edit))
	return
}

func answerAnswer(response contract.LLMResponse) {
	fake.Call(fake.Args("pre-llm-call-answer.answer", response))
	return
}
