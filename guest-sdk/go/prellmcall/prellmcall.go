// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package prellmcall serves the point `pre-llm-call`.
//
// A model is about to be called. The messages are in the view `conversation`.
package prellmcall

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("pre-llm-call")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Provider: The provider.
func (Call) Provider() string {
	return factProvider()
}

// Model: The model.
func (Call) Model() string {
	return factModel()
}

// Attempt: The number of the attempt, counted from 1.
func (Call) Attempt() uint32 {
	return factAttempt()
}

// Messages: The number of messages to send.
func (Call) Messages() uint32 {
	return factMessages()
}

// Tools: The number of tools to offer.
func (Call) Tools() uint32 {
	return factTools()
}

// EstimatedTokens: The estimated number of tokens in the messages.
func (Call) EstimatedTokens() uint64 {
	return factEstimatedTokens()
}

// Temperature: The sampling temperature; the provider's default if left out.
func (Call) Temperature() (float64, bool) {
	return factTemperature()
}

// MaxOutputTokens: The most tokens the model may write; the provider's default if left out.
func (Call) MaxOutputTokens() (uint32, bool) {
	return factMaxOutputTokens()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.LLMCall {
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

// Transform: Continues with these changes.
func (Call) Transform(edit contract.LLMCallEdit) error {
	serve.Answered()
	answerTransform(edit)
	return nil
}

// Reject: Refuses the call: the step fails.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Refuses the call: the step fails.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}

// Replace: Continues with these changes. Later hooks still see the call and may refuse it, but cannot change it.
func (Call) Replace(edit contract.LLMCallEdit) error {
	serve.Answered()
	answerReplace(edit)
	return nil
}

// Answer: Uses this response. The model is not called.
func (Call) Answer(response contract.LLMResponse) error {
	serve.Answered()
	answerAnswer(response)
	return nil
}
