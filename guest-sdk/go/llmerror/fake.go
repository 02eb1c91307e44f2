// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package llmerror

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factProvider() (r0 string) {
	fake.Call(fake.Args("llm-error-facts.provider"), &r0)
	return
}

func factModel() (r0 string) {
	fake.Call(fake.Args("llm-error-facts.model"), &r0)
	return
}

func factAttempt() (r0 uint32) {
	fake.Call(fake.Args("llm-error-facts.attempt"), &r0)
	return
}

func factKind() (r0 contract.ProviderErrorKind) {
	fake.Call(fake.Args("llm-error-facts.kind"), &r0)
	return
}

func factStatus() (r0 uint16, r1 bool) {
	fake.Call(fake.Args("llm-error-facts.status"), &r0, &r1)
	return
}

func factMessage() (r0 string) {
	fake.Call(fake.Args("llm-error-facts.message"), &r0)
	return
}

func factRetryAfterMs() (r0 uint32, r1 bool) {
	fake.Call(fake.Args("llm-error-facts.retry-after-ms"), &r0, &r1)
	return
}

func factProviders() (r0 []string) {
	fake.Call(fake.Args("llm-error-facts.providers"), &r0)
	return
}

func factFacts() (r0 contract.LLMFailure) {
	fake.Call(fake.Args("llm-error-facts.facts"), &r0)
	return
}

func answerRetry(afterMs uint32) {
	fake.Call(fake.Args("llm-error-answer.retry", afterMs))
	return
}

func answerSwitchProvider(provider string, model *string) {
	fake.Call(fake.Args("llm-error-answer.switch-provider", provider, model))
	return
}

func answerGiveUp() {
	fake.Call(fake.Args("llm-error-answer.give-up"))
	return
}
