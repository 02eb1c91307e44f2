// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package preturn

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factTextBytes() (r0 uint32) {
	fake.Call(fake.Args("pre-turn-facts.text-bytes"), &r0)
	return
}

func factParts() (r0 uint32) {
	fake.Call(fake.Args("pre-turn-facts.parts"), &r0)
	return
}

func factFacts() (r0 contract.TurnInput) {
	fake.Call(fake.Args("pre-turn-facts.facts"), &r0)
	return
}

func answerTransform(content []contract.ContentPart) {
	fake.Call(fake.Args("pre-turn-answer.transform", content))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("pre-turn-answer.reject", code, reason, details))
	return
}

func answerReplace(content []contract.ContentPart) {
	fake.Call(fake.Args("pre-turn-answer.replace", content))
	return
}

func answerAnswer(content []contract.ContentPart) {
	fake.Call(fake.Args("pre-turn-answer.answer", content))
	return
}
