// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package pretoolcall

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factCallID() (r0 string) {
	fake.Call(fake.Args("pre-tool-call-facts.call-id"), &r0)
	return
}

func factName() (r0 string) {
	fake.Call(fake.Args("pre-tool-call-facts.name"), &r0)
	return
}

func factArgumentsBytes() (r0 uint32) {
	fake.Call(fake.Args("pre-tool-call-facts.arguments-bytes"), &r0)
	return
}

func factGrant() (r0 contract.ExecutionGrant) {
	fake.Call(fake.Args("pre-tool-call-facts.grant"), &r0)
	return
}

func factFacts() (r0 contract.ToolRequest) {
	fake.Call(fake.Args("pre-tool-call-facts.facts"), &r0)
	return
}

func answerTransform(arguments string) {
	fake.Call(fake.Args("pre-tool-call-answer.transform", arguments))
	return
}

func answerReject(code string, reason string, details *string) {
	fake.Call(fake.Args("pre-tool-call-answer.reject", code, reason, details))
	return
}

func answerReplace(arguments string) {
	fake.Call(fake.Args("pre-tool-call-answer.replace", arguments))
	return
}

func answerAnswer(content string, isError bool) {
	fake.Call(fake.Args("pre-tool-call-answer.answer", content, isError))
	return
}

func answerAsk(question string, details *string) {
	fake.Call(fake.Args("pre-tool-call-answer.ask", question, details))
	return
}
