// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package turnerror

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factKind() (r0 contract.ErrorKind) {
	fake.Call(fake.Args("turn-error-facts.kind"), &r0)
	return
}

func factMessage() (r0 string) {
	fake.Call(fake.Args("turn-error-facts.message"), &r0)
	return
}

func factFacts() (r0 contract.Failure) {
	fake.Call(fake.Args("turn-error-facts.facts"), &r0)
	return
}

func answerReplace(content []contract.ContentPart) {
	fake.Call(fake.Args("turn-error-answer.replace", content))
	return
}
