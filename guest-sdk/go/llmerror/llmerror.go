// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package llmerror serves the point `llm-error`.
//
// A model call has failed.
package llmerror

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("llm-error")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Provider: The provider that failed.
func (Call) Provider() string {
	return factProvider()
}

// Model: The model that was called.
func (Call) Model() string {
	return factModel()
}

// Attempt: The number of the failed attempt, counted from 1.
func (Call) Attempt() uint32 {
	return factAttempt()
}

// Kind: The kind of failure.
func (Call) Kind() contract.ProviderErrorKind {
	return factKind()
}

// Status: The HTTP status, if there was one.
func (Call) Status() (uint16, bool) {
	return factStatus()
}

// Message: The provider's message.
func (Call) Message() string {
	return factMessage()
}

// RetryAfterMs: The wait that the provider asks for, in milliseconds.
func (Call) RetryAfterMs() (uint32, bool) {
	return factRetryAfterMs()
}

// Providers: The providers that the agent has, by name, in the operator's order.
func (Call) Providers() []string {
	return factProviders()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.LLMFailure {
	return factFacts()
}

// SessionID: The session's id, unique within the host.
func (Call) SessionID() string {
	return call.SessionID()
}

// Agent: The name of the agent whose loop is running.
func (Call) Agent() string {
	return call.Agent()
}

// Turn: The turn, counted from 1; 0 outside of any turn.
func (Call) Turn() uint32 {
	return call.Turn()
}

// Step: The step within the turn, counted from 1; 0 outside of any step.
func (Call) Step() uint32 {
	return call.Step()
}

// Context: All of these in one record.
func (Call) Context() contract.Context {
	return call.Context()
}

// Retry: Calls the same provider again after `after-ms` milliseconds. Later hooks are skipped.
func (Call) Retry(afterMs uint32) error {
	serve.Answered()
	answerRetry(afterMs)
	return nil
}

// SwitchProvider: Calls another provider, one of `providers`, with its default model if `model` is none. Later hooks are skipped.
func (Call) SwitchProvider(provider string) error {
	serve.Answered()
	answerSwitchProvider(provider, nil)
	return nil
}

// SwitchProviderWith: Calls another provider, one of `providers`, with its default model if `model` is none. Later hooks are skipped.
func (Call) SwitchProviderWith(provider string, model string) error {
	serve.Answered()
	answerSwitchProvider(provider, &model)
	return nil
}

// GiveUp: Fails the step. Later hooks are skipped.
func (Call) GiveUp() error {
	serve.Answered()
	answerGiveUp()
	return nil
}
