// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package prestep

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factMessages() (r0 uint32) {
	fake.Call(fake.Args("pre-step-facts.messages"), &r0)
	return
}

func factEstimatedTokens() (r0 uint64) {
	fake.Call(fake.Args("pre-step-facts.estimated-tokens"), &r0)
	return
}

func factSteps() (r0 uint32) {
	fake.Call(fake.Args("pre-step-facts.steps"), &r0)
	return
}

func factUsage() (r0 contract.Usage) {
	fake.Call(fake.Args("pre-step-facts.usage"), &r0)
	return
}

func factElapsedUs() (r0 uint64) {
	fake.Call(fake.Args("pre-step-facts.elapsed-us"), &r0)
	return
}

func factFacts() (r0 contract.StepState) {
	fake.Call(fake.Args("pre-step-facts.facts"), &r0)
	return
}

func answerTransform(edits []contract.MessageEdit) {
	fake.Call(fake.Args("pre-step-answer.transform", edits))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("pre-step-answer.reject", code, reason, details))
	return
}

func answerStop(kind contract.StopKind, message string) {
	fake.Call(fake.Args("pre-step-answer.stop", kind, message))
	return
}
