// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package turnstopping

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factEnding() (r0 contract.TurnEnding) {
	fake.Call(fake.Args("turn-stopping-facts.ending"), &r0)
	return
}

func factSteps() (r0 uint32) {
	fake.Call(fake.Args("turn-stopping-facts.steps"), &r0)
	return
}

func factUsage() (r0 contract.Usage) {
	fake.Call(fake.Args("turn-stopping-facts.usage"), &r0)
	return
}

func factKeptGoing() (r0 uint32) {
	fake.Call(fake.Args("turn-stopping-facts.kept-going"), &r0)
	return
}

func factMayKeepGoing() (r0 bool) {
	fake.Call(fake.Args("turn-stopping-facts.may-keep-going"), &r0)
	return
}

func factFacts() (r0 contract.Stopping) {
	fake.Call(fake.Args("turn-stopping-facts.facts"), &r0)
	return
}

func answerKeepGoing(message string) {
	fake.Call(fake.Args("turn-stopping-answer.keep-going", message))
	return
}
