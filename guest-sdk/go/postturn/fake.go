// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package postturn

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factTextBytes() (r0 uint32) {
	fake.Call(fake.Args("post-turn-facts.text-bytes"), &r0)
	return
}

func factSteps() (r0 uint32) {
	fake.Call(fake.Args("post-turn-facts.steps"), &r0)
	return
}

func factStop() (r0 contract.StopReason) {
	fake.Call(fake.Args("post-turn-facts.stop"), &r0)
	return
}

func factUsage() (r0 contract.Usage) {
	fake.Call(fake.Args("post-turn-facts.usage"), &r0)
	return
}

func factElapsedUs() (r0 uint64) {
	fake.Call(fake.Args("post-turn-facts.elapsed-us"), &r0)
	return
}

func factFacts() (r0 contract.TurnOutput) {
	fake.Call(fake.Args("post-turn-facts.facts"), &r0)
	return
}

func answerTransform(content []contract.ContentPart) {
	fake.Call(fake.Args("post-turn-answer.transform", content))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("post-turn-answer.reject", code, reason, details))
	return
}

func answerReplace(content []contract.ContentPart) {
	fake.Call(fake.Args("post-turn-answer.replace", content))
	return
}

func answerAddNote(code string, data string) {
	fake.Call(fake.Args("post-turn-answer.add-note", code, data))
	return
}

func answerAddJob(name string, input string) {
	fake.Call(fake.Args("post-turn-answer.add-job", name, input))
	return
}
