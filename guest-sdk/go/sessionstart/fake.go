// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package sessionstart

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factProvider() (r0 string) {
	fake.Call(fake.Args("session-start-facts.provider"), &r0)
	return
}

func factModel() (r0 string) {
	fake.Call(fake.Args("session-start-facts.model"), &r0)
	return
}

func factTools() (r0 uint32) {
	fake.Call(fake.Args("session-start-facts.tools"), &r0)
	return
}

func factFacts() (r0 contract.SessionInfo) {
	fake.Call(fake.Args("session-start-facts.facts"), &r0)
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("session-start-answer.reject", code, reason, details))
	return
}
