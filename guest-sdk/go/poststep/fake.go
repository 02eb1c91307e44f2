// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package poststep

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factStop() (r0 contract.StopReason) {
	fake.Call(fake.Args("post-step-facts.stop"), &r0)
	return
}

func factToolCalls() (r0 uint32) {
	fake.Call(fake.Args("post-step-facts.tool-calls"), &r0)
	return
}

func factStepUsage() (r0 contract.Usage) {
	fake.Call(fake.Args("post-step-facts.step-usage"), &r0)
	return
}

func factUsage() (r0 contract.Usage) {
	fake.Call(fake.Args("post-step-facts.usage"), &r0)
	return
}

func factElapsedUs() (r0 uint64) {
	fake.Call(fake.Args("post-step-facts.elapsed-us"), &r0)
	return
}

func factFacts() (r0 contract.StepReport) {
	fake.Call(fake.Args("post-step-facts.facts"), &r0)
	return
}

func answerStop(kind contract.StopKind, message string) {
	fake.Call(fake.Args("post-step-answer.stop", kind, message))
	return
}
